/// Returns the ports at which a user's programs listen on this machine.
package func listeningPorts(of user: UInt32) -> Set<Int> {
  let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map {
    String(decoding: wholeFile($0), as: UTF8.self)
  }
  return Set(tables.flatMap { listeningPorts(in: $0, of: user) })
}

/// The ports at which a user listens, in a table of /proc/net (proc(5)): local address and port, the state 0A, and the
/// user are in columns 2, 4 and 8.
package func listeningPorts(in table: String, of user: UInt32) -> [Int] {
  table.split(separator: "\n").dropFirst().compactMap { line in
    let columns = line.split(separator: " ")
    guard columns.count > 7, columns[3] == "0A", UInt32(columns[7]) == user else { return nil }
    return columns[1].split(separator: ":").last.flatMap { Int($0, radix: 16) }
  }
}
