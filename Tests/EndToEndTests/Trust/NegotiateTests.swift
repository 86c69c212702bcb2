import FoundationEssentials
import TestSupport
import Testing

/// Kerberos: a realm with a real KDC, and a cupsd that takes jobs only with its tickets.
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
    let shown = try said("shown")
    #expect(shown.contains("exit 0") && shown.contains("\"negotiate\""), "\(shown)")
    // Somebody whom the realm knows and the printer does not let in.
    let stranger = try said("stranger")
    #expect(stranger.contains("exit 77") && stranger.contains("does not allow it"), "\(stranger)")
    // cupsd's own word for who printed: one document of kay's.
    let requests = try said("access.log").split(separator: "\n").filter {
      $0.contains("Send-Document successful-ok")
    }
    #expect(requests.count == 1, "\(requests)")
    #expect(requests.allSatisfy { $0.contains(" kay@AIRPRINT.EXAMPLE ") }, "\(requests)")
  }

  /// libcups asks for no ticket for localhost, nor for a name without a dot: hence a host with a name.
  private static let setUp = """
    set -e
    cd "$1"
    trap '[ $? = 0 ] || tail -n 20 realm.log lpadmin.log error.log with* >&2' EXIT
    ip link set lo up
    ip address add 192.0.2.1/32 dev lo
    mount -t tmpfs tmpfs /run
    printf '127.0.0.1 localhost\\n192.0.2.1 print.example.test\\n' > hosts
    mount --bind hosts /etc/hosts
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
    PATH=$PATH:/usr/sbin
    {
      kdb5_util create -s -r AIRPRINT.EXAMPLE -P master
      kadmin.local -q 'addprinc -randkey HTTP/print.example.test'
      kadmin.local -q 'addprinc -randkey host/print.example.test'
      kadmin.local -q 'addprinc -pw sesame kay'
      kadmin.local -q 'addprinc -pw sesame eve'
      kadmin.local -q "ktadd -k $1/keytab HTTP/print.example.test host/print.example.test"
      krb5kdc
    } > realm.log 2>&1

    mkdir root spool cache state tmp keys
    cat > cupsd.conf <<END
    Listen 192.0.2.1:18631
    Listen localhost:18631
    ServerAlias *
    Browsing On
    BrowseLocalProtocols none
    AccessLogLevel all
    DefaultAuthType Negotiate
    <Location />
    Order allow,deny
    Allow all
    </Location>
    <Policy default>
    <Limit Create-Job Print-Job Validate-Job Send-Document Cancel-Job>
    AuthType Negotiate
    Require user kay@AIRPRINT.EXAMPLE kay
    Order allow,deny
    Allow all
    </Limit>
    <Limit All>
    AuthType None
    Order allow,deny
    Allow all
    </Limit>
    </Policy>
    END
    cat > cups-files.conf <<END
    ServerRoot $1/root
    RequestRoot $1/spool
    CacheDir $1/cache
    StateDir $1/state
    TempDir $1/tmp
    ServerKeychain $1/keys
    AccessLog $1/access.log
    ErrorLog $1/error.log
    PageLog $1/page.log
    SystemGroup root
    FileDevice yes
    END
    KRB5_KTNAME=FILE:$1/keytab cupsd -c "$1/cupsd.conf" -s "$1/cups-files.conf"
    for attempt in $(seq 100); do
      lpadmin -h localhost:18631 -p behind -E -v file:///dev/null -m raw \
        -o printer-is-shared=true 2> lpadmin.log && break
      sleep 0.2
    done
    lpstat -h localhost:18631 -p behind

    """

  private static let story = """
    airprint() {
      step=$1
      shift
      code=0
      "$command" "$@" > "$step" 2>&1 || code=$?
      echo "exit $code" >> "$step"
    }
    command=$2
    printer=ipp://print.example.test:18631/printers/behind
    airprint without print -d $printer -o raw --timeout 60 "$3"
    echo sesame | kinit kay
    airprint with print -d $printer -o raw --timeout 60 "$3"
    airprint shown show --json $printer
    echo sesame | kinit eve
    airprint stranger print -d $printer -o raw --timeout 60 "$3"

    """
}
