internal import Glibc

/// A value of each thread, for functions that libraries call without anything of ours.
///
/// Pages are drawn on several threads at once: in tests, and by a simulated printer.
struct PerThread<Value>: Sendable {
  private let key: pthread_key_t
  private let initial: @Sendable () -> Value

  private final class Box {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  init(_ initial: @autoclosure @escaping @Sendable () -> Value) {
    var key = pthread_key_t()
    pthread_key_create(&key) { box in
      if let box { Unmanaged<AnyObject>.fromOpaque(box).release() }
    }
    self.key = key
    self.initial = initial
  }

  private var box: Box {
    if let known = pthread_getspecific(key) {
      return Unmanaged<Box>.fromOpaque(known).takeUnretainedValue()
    }
    let box = Box(initial())
    pthread_setspecific(key, Unmanaged.passRetained(box).toOpaque())
    return box
  }

  /// This thread's value.
  var value: Value {
    get { box.value }
    // In place: a changed copy would copy its collections.
    nonmutating _modify { yield &box.value }
  }

  /// Runs `body` with this value, and restores the former one.
  func with<Result, Problem: Error>(
    _ value: Value, _ body: () throws(Problem) -> Result
  ) throws(Problem) -> Result {
    let former = self.value
    self.value = value
    defer { self.value = former }
    return try body()
  }
}
