internal import Glibc

/// The library's function of this name, where the program has a replacement, which the dynamic linker prefers
/// (ld.so(8)), whichever library calls it.
///
/// nil while no library with this function is loaded.
func libraryFunction<Function>(_ name: String) -> Function? {
  // RTLD_NEXT, which is a cast in C.
  dlsym(UnsafeMutableRawPointer(bitPattern: -1), name).map { unsafeBitCast($0, to: Function.self) }
}
