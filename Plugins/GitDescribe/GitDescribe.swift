import Foundation
import PackagePlugin

/// Before each build: what git calls this checkout, as Swift. Where there is no git, a package from an
/// archive, there is nothing to say.
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
