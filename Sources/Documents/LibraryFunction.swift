internal import Glibc

/// A library's own function of this name, where the program has one in its place: the dynamic linker prefers that
/// (ld.so(8)).
///
/// nil while no library that has it is loaded.
func libraryFunction<Function>(_ name: String, _: Function.Type) -> Function? {
  // RTLD_NEXT, which C has as a cast.
  dlsym(UnsafeMutableRawPointer(bitPattern: -1), name).map {
    unsafeBitCast($0, to: Function.self)
  }
}
