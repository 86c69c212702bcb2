// One target under libFuzzer: `FUZZ_TARGET=answer fuzz CORPUS… -max_total_time=60`, with libFuzzer's own options
// (-help=1). `make fuzz` builds it; libFuzzer provides main.

import FuzzTargets
import Glibc

private let target: FuzzTarget = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    let names = FuzzTarget.all.map(\.name).joined(separator: " ")
    print("FUZZ_TARGET is one of: \(names)")
    exit(64)
  }
  return target
}()

@_cdecl("LLVMFuzzerTestOneInput")
package func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}
