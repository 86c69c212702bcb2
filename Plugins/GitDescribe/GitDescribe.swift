import Foundation
import PackagePlugin

/// Writes the checkout's name from git describe as Swift, before each build.
///
/// Without git, as in a package made from an archive, there is no name.
@main struct GitDescribe: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let folder = context.pluginWorkDirectoryURL
    let script = context.package.directoryURL.appending(path: "Plugins/GitDescribe/describe.sh")
    return [
      .prebuildCommand(
        displayName: "git describe", executable: URL(filePath: "/bin/sh"),
        arguments: [script.path, context.package.directoryURL.path, folder.path],
        outputFilesDirectory: folder)
    ]
  }
}
