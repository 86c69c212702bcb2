package import Glibc

/// Has a program that is started by posix_spawn(3) close every descriptor from `first` on: whoever started
/// airprint may have left some open that are not closed on exec.
///
/// posix_spawn_file_actions_addclosefrom_np, of glibc 2.34, which Swift's Glibc does not show; an older C
/// library leaves them open.
package func closeDescriptors(
  from first: Int32, in actions: UnsafeMutablePointer<posix_spawn_file_actions_t>
) {
  typealias Function =
    @convention(c) (
      UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32
    ) -> Int32
  guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
  _ = unsafeBitCast(symbol, to: Function.self)(actions, first)
}
