import FoundationEssentials
import TestSupport
import Testing

/// Kerberos: a realm with a real KDC, and a cupsd that only accepts jobs with its tickets.
@Suite struct NegotiateTests {
  @Test(.needsNamespaces) func `a ticket is all that a printer of a realm wants`() async throws {
    let person = try await Person.anybody()
    let file = try person.document(PDF().bytes)
    let folder = person.path("realm")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let outcome = try await person.bench.run(
      Namespaces.available.unshare("--mount", "--net", "--pid") + [
        "--fork", "--kill-child", "sh", "-c", Self.setUp + Self.story, "sh", folder,
        try locate("airprint"), file,
      ], adding: person.variables)
    try #require(outcome.code == 0, "\(outcome.report)")
    func said(_ step: String) throws -> String { try person.text("realm/\(step)") }

    let without = try said("without")
    #expect(without.contains("exit 77") && without.contains("kinit"), "\(without)")
    #expect(!without.contains("airprint login"), "\(without)")
    let with = try said("with")
    #expect(with.contains("exit 0") && with.contains("Printed"), "\(with)")
    // The DNS makes the libraries request a ticket for the host that it names.
    let canonical = try said("canonical")
    #expect(canonical.contains("exit 0"), "\(canonical)")
    let alias = try said("alias")
    #expect(alias.contains("exit 77") && alias.contains("kinit"), "\(alias)")
    // The network named the same host: a ticket could be relayed to its services.
    let announced = try said("announced")
    #expect(announced.contains("exit 77") && announced.contains("kinit"), "\(announced)")
    let shown = try said("shown")
    #expect(shown.contains("exit 0") && shown.contains("\"negotiate\""), "\(shown)")
    // A user of the realm who may not use the printer.
    let stranger = try said("stranger")
    #expect(stranger.contains("exit 77") && stranger.contains("does not allow it"), "\(stranger)")
    // cupsd's own log of who printed: two documents of kay's.
    let requests = try said("access.log").split(separator: "\n").filter {
      $0.contains("Send-Document successful-ok")
    }
    #expect(requests.count == 2, "\(requests)")
    #expect(requests.allSatisfy { $0.contains(" kay@AIRPRINT.EXAMPLE ") }, "\(requests)")
  }

  /// libcups requests no ticket for localhost, or for a name without a dot, so the host has a name.
  private static let setUp =
    LockedQueue.host + """
      trap '[ $? = 0 ] || tail -n 20 realm.log lpadmin.log error.log with* >&2' EXIT
      # cupsd 2.4.20 lets in only users that its machine knows.
      cp /etc/passwd passwd
      echo 'kay@AIRPRINT.EXAMPLE:x:4242:4242::/:/bin/false' >> passwd
      echo 'kay:x:4243:4243::/:/bin/false' >> passwd
      mount --bind passwd /etc/passwd
      cat > krb5.conf <<END
      [libdefaults]
       default_realm = AIRPRINT.EXAMPLE
       dns_lookup_kdc = false
       dns_lookup_realm = false
       dns_canonicalize_hostname = false
       rdns = false
       udp_preference_limit = 1
      [realms]
       AIRPRINT.EXAMPLE = {
        kdc = 127.0.0.1:18888
       }
      [domain_realm]
       .example.test = AIRPRINT.EXAMPLE
      END
      cat > kdc.conf <<END
      [kdcdefaults]
       kdc_listen = 127.0.0.1:18888
       kdc_tcp_listen = 127.0.0.1:18888
      [realms]
       AIRPRINT.EXAMPLE = {
        database_name = $1/principal
        key_stash_file = $1/stash
        acl_file = $1/acl
       }
      [logging]
       kdc = FILE:$1/kdc.log
      END
      export KRB5_CONFIG=$1/krb5.conf KRB5_KDC_PROFILE=$1/kdc.conf KRB5CCNAME=FILE:$1/tickets
      {
        kdb5_util create -s -r AIRPRINT.EXAMPLE -P master
        kadmin.local -q 'addprinc -randkey HTTP/print.example.test'
        kadmin.local -q 'addprinc -randkey host/print.example.test'
        kadmin.local -q 'addprinc -pw sesame kay'
        kadmin.local -q 'addprinc -pw sesame eve'
        kadmin.local -q "ktadd -k $1/keytab HTTP/print.example.test host/print.example.test"
        krb5kdc
      } > realm.log 2>&1

      """
    + LockedQueue.setUp(
      "Negotiate", "Require user kay@AIRPRINT.EXAMPLE kay", lpadmin: "-m raw",
      environment: "KRB5_KTNAME=FILE:$1/keytab")

  private static let story =
    LockedQueue.steps + """
      airprint without print -d $printer -o raw --timeout 60 "$3"
      echo sesame | kinit kay
      airprint with print -d $printer -o raw --timeout 60 "$3"
      sed 's/dns_canonicalize_hostname = false/dns_canonicalize_hostname = true/' krb5.conf > dns.conf
      printf '192.0.2.1 print.example.test alias.example.test\\n' > hosts
      alias=ipp://alias.example.test:18631/printers/behind
      KRB5_CONFIG=$1/dns.conf airprint canonical print -d $printer -o raw --timeout 60 "$3"
      KRB5_CONFIG=$1/dns.conf airprint alias print -d $alias -o raw --timeout 60 "$3"
      mkdir -p other/airprint
      printf '[printers.Announced]\nuri = "%s"\nservice = "Office"\n' $printer > other/airprint/printers.toml
      XDG_CONFIG_HOME=$1/other airprint announced print -d Announced -o raw --timeout 60 "$3"
      airprint shown show --json $printer
      echo sesame | kinit eve
      airprint stranger print -d $printer -o raw --timeout 60 "$3"

      """
}
