/// A cupsd in its own namespaces, whose queue `behind` only accepts jobs from known users, as shell code.
///
/// The shell's `$1` is a folder for everything, `$2` the program, `$3` a document. The order of the parts is: `host`,
/// commands for the users, `setUp`, `steps`.
enum LockedQueue {
  /// Sets this machine's name to `print.example.test`.
  ///
  /// libcups trusts localhost completely, and requests no ticket there.
  static let host = """
    set -e
    cd "$1"
    PATH=$PATH:/usr/sbin
    # libdispatch reads the state of its threads there, and traps at that of other processes. A container may not let us.
    mount -t proc proc /proc 2> /dev/null || :
    ip link set lo up
    ip address add 192.0.2.1/32 dev lo
    mount -t tmpfs tmpfs /run
    printf '127.0.0.1 localhost\\n192.0.2.1 print.example.test\\n' > hosts
    mount --bind hosts /etc/hosts

    """

  /// Starts cupsd on port 18631.
  ///
  /// - `kind`: the authentication, in cupsd.conf(5)'s terms: `Basic` or `Negotiate`.
  /// - `users`: a line of cupsd.conf with the users who may print.
  /// - `lpadmin`: creates the queue.
  static func setUp(_ kind: String, _ users: String, lpadmin: String, environment: String = "")
    -> String
  {
    """
    mkdir root spool cache state tmp keys
    cat > cupsd.conf <<END
    Listen 192.0.2.1:18631
    Listen localhost:18631
    ServerAlias *
    Browsing On
    BrowseLocalProtocols none
    AccessLogLevel all
    DefaultAuthType \(kind)
    <Location />
    Order allow,deny
    Allow all
    </Location>
    <Policy default>
    <Limit Create-Job Print-Job Validate-Job Send-Document Cancel-Job>
    AuthType \(kind)
    \(users)
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
    echo 'application/pdf application/vnd.cups-pdf 0 -' > root/local.convs
    env \(environment) cupsd -c "$1/cupsd.conf" -s "$1/cups-files.conf"
    for attempt in $(seq 100); do
      lpadmin -h localhost:18631 -p behind -E -v file:///dev/null \(lpadmin) \
        -o printer-is-shared=true 2> lpadmin.log && break
      sleep 0.2
    done
    lpstat -h localhost:18631 -p behind

    """
  }

  /// Defines `airprint STEP ARGUMENT…`, which runs the program and writes its output and exit code to the file STEP.
  static let steps = """
    command=$2
    airprint() {
      step=$1
      shift
      code=0
      "$command" "$@" > "$step" 2>&1 || code=$?
      echo "exit $code" >> "$step"
    }
    printer=ipp://print.example.test:18631/printers/behind

    """
}
