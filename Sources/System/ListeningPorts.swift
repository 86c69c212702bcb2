/// Returns the users whose programs listen at each port of this machine.
package func listeningUsers() -> [Int: Set<UInt32>] {
  ["/proc/net/tcp", "/proc/net/tcp6"].reduce(into: [:]) { users, table in
    users.merge(listeningUsers(in: String(decoding: wholeFile(table), as: UTF8.self))) {
      $0.union($1)
    }
  }
}

/// The same in a table of /proc/net (proc(5)): local address and port, the state 0A, and the user are in columns 2, 4
/// and 8.
package func listeningUsers(in table: String) -> [Int: Set<UInt32>] {
  table.split(separator: "\n").dropFirst().reduce(into: [:]) { users, line in
    let columns = line.split(separator: " ")
    guard columns.count > 7, columns[3] == "0A", let user = UInt32(columns[7]),
      let port = columns[1].split(separator: ":").last.flatMap({ Int($0, radix: 16) })
    else { return }
    users[port, default: []].insert(user)
  }
}
