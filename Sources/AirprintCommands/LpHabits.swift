internal import Glibc
internal import PrintModel
internal import PrintOptions

/// Translates options that users of `lp` and other printing programs type into the parser's form.
enum LpHabits {
  /// The short options that take a value.
  private static let valued: Set<Character> = ["d", "n", "P", "t", "o", "H", "U"]

  /// Commands that accept print's options.
  private static let printing: Set<String> = [
    "print", "preview", "render", "paper", "queue", "reprint",
  ]

  /// Commands with a printer's name as an argument.
  static let aboutPrinter: Set<String> = [
    "paper", "jobs", "pick", "forget", "default", "show", "status", "identify", "trust", "login",
    "logout", "doctor",
  ]

  /// Options of other programs, and other spellings, by what they are here.
  private static let otherOptions = [
    "--sides long": [
      "--duplex", "--double-sided", "--doublesided", "--two-sided", "--2-sided", "--2sided",
      "--both-sides",
    ],
    "--sides one": ["--simplex", "--one-sided", "--single-sided", "--no-duplex"],
    "--sides short": ["--tumble"],
    "--color gray": [
      "--gray", "--grey", "--grayscale", "--greyscale", "--mono", "--monochrome", "--bw", "--black",
      "--black-and-white", "--no-color", "--no-colour",
    ],
    "--color": ["--colour"], "--text-color": ["--text-colour"], "--to": ["--printer"],
    "--orientation landscape": ["--landscape"], "--orientation portrait": ["--portrait"],
    "--paper": ["--size", "--media"], "--tray": ["--source"], "--resolution": ["--dpi"],
    "--quality draft": ["--draft", "--eco", "--economy"],
    "--quality high": ["--best", "--high", "--high-quality"],
    "--scaling fit": ["--fit", "--fit-page", "--fit-to-page"], "--scaling": ["--scale"],
    "--copies": ["--copy", "-#"], "--number-up": ["--nup", "--n-up"],
    "--number-up 2": ["--2up"], "--number-up 4": ["--4up"], "--reverse": ["--reverse-order"],
    "--pages": ["--page", "--range", "--page-range", "--page-ranges"],
  ]

  /// The words here for each of them.
  private static let synonyms = Dictionary(
    uniqueKeysWithValues: otherOptions.flatMap { words, options in
      options.map { ($0, words.split(separator: " ").map(String.init)) }
    })

  /// Print's long options, without their hyphens, and the synonyms.
  private static let longNames: Set<String> = {
    let others = [
      "type", "hold", "hold-until", "priority", "detach", "later", "notify", "dry-run", "no-wait",
      "timeout", "on-timeout", "stop-on-error", "ask", "pin-file", "password-file",
      "document-password-file", "odd", "even", "reverse", "no-borderless", "staple", "punch",
      "fold", "json", "quiet", "verbose", "help", "help-all", "force", "strict",
    ]
    return Set(
      PrintOption.allCases.map(\.rawValue) + synonyms.keys.map { String($0.drop { $0 == "-" }) }
        + others)
  }()

  /// Throws exit 64 for `-type`, which would be read as `-t ype`.
  private static func refuseSingleHyphen(_ argument: String) throws(Failure) {
    guard argument.hasPrefix("-"), !argument.hasPrefix("--"), argument.count > 3 else { return }
    let name = String(argument.dropFirst().prefix { $0 != "=" })
    guard longNames.contains(name) else { return }
    throw .usage("\(argument): long options have two hyphens: -\(argument)")
  }

  private static let finishings: Set<String> = ["--staple", "--punch", "--fold"]
  /// Words of a place on the sheet, and what IPP calls it (PWG 5100.1 §5.2.1).
  private static let placeWords = [
    "top": "top", "upper": "top", "bottom": "bottom", "lower": "bottom", "left": "left",
    "right": "right", "dual": "dual", "triple": "triple",
  ]

  /// Throws exit 64 for a place behind `--staple`, which would be read as a file.
  private static func refusePlace(_ option: String, _ word: String) throws(Failure) {
    let words = word.lowercased().split(whereSeparator: { "-_ ".contains($0) }).map(String.init)
    let names = words.compactMap { placeWords[$0] }
    guard !words.isEmpty, names.count == words.count, access(word, F_OK) != 0 else { return }
    let name = ([String(option.dropFirst(2))] + names).joined(separator: "-")
    throw .usage(
      "\(option) \(word): \(option) leaves the place to the printer. To choose it: -o finishings=\(name)"
    )
  }

  /// Options of other programs that have no equal here, with what to use instead; after a command, those of the programs
  /// that it stands for.
  private static let advice: [String: String] = [
    "-s": "use --quiet", "--silent": "use --quiet", "-m": "use --notify",
    "-i": "use airprint reprint, airprint release or airprint change",
    "-C": titles, "-J": titles, "-T": titles, "--name": titles, "--job-name": titles,
    "-E": "encryption is used whenever the printer supports it",
    "-r": "files are never deleted",
    "--zoom": "--scaling takes fit, fill or none, and --paper a size",
    "--watermark": stamps, "--stamp": stamps, "--preview": "use airprint preview",
    "--border": "use --page-border single", "--frame": "use --page-border single",
    "--output": "airprint preview -o FILE saves a picture, airprint render -o FILE the data",
    "--background": "use --detach", "--async": "use --detach", "-w": "use --notify",
    "-c": "documents are copied in any case", "-p": "use -P for pages", "cancel -u": "use -U",
    "jobs -W": "airprint jobs lists jobs that have ended, too", "jobs -p": "use airprint printers",
  ]

  private static let titles = "-t sets the job's name"
  private static let stamps = "--overlay text:WORDS prints words across the pages"

  /// What to use instead of an option that the command does not have; nil if nothing is known.
  ///
  /// It may be the name of a paper or of a type (`--a4`, `--receipt`).
  static func advice(for option: String, in arguments: [String]) -> String? {
    let command = arguments.first(where: Airprint.hasCommand) ?? "print"
    if let known = advice["\(command) \(option)"] { return known }
    guard printing.contains(command) else { return nil }
    if let known = advice[option] { return known }
    let word = String(option.drop { $0 == "-" })
    if option.hasPrefix("--"), StandardMedia.named(word) != nil { return "use --paper \(word)" }
    if option.hasPrefix("--"), JobType(rawValue: word) != nil { return "use --type \(word)" }
    return PrintOption.advice(forLpName: word)
  }

  /// Splits joined short options (`-n2`, `-doffice`, `-o sides=one-sided` in one argument, as Node's programs pass it:
  /// artiebits/pdf-to-printer#124), translates those of other programs (`-#2`),
  /// and replaces `--help-all` by the parser's name for it.
  ///
  /// Arguments after `--` and the values of other options are unchanged.
  ///
  /// Exit 64 for a word after `--hold` that is neither a time nor a file, though it was meant as one of them, for a
  /// priority after `-q`, for a server after `-h`, for `-type`, for a place after `--staple`, and for `-d` without a name.
  static func translated(_ arguments: [String]) throws(Failure) -> [String] {
    if arguments == ["-V"] { return ["--version"] }
    let prints = arguments.first.map(printing.contains) ?? false
    var result: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" { return result + [argument] + rest }
      if prints { try refuseSingleHyphen(argument) }
      if prints, finishings.contains(argument), let word = rest.first {
        try refusePlace(argument, word)
      }
      if prints { try refuseValue(argument, rest.first, isPrint: arguments.first == "print") }
      let letters = Array(argument.prefix(2))
      if argument == "--help-all" {
        result.append("--help-hidden")
      } else if prints, argument == "--hold", let word = rest.first, try HoldTime.isMeant(word) {
        result.append("--hold-until")
      } else if prints, argument.hasPrefix("--hold=") {
        result += ["--hold-until", String(argument.dropFirst("--hold=".count))]
      } else if arguments.first == "print" && argument == "--wait"
        || prints && argument == "--collate"
      {
        // These are the defaults.
        continue
      } else if prints, let words = synonym(of: argument) {
        result += words
        // The next word is its value.
        if words.count == 1, let value = rest.popFirst() { result.append(value) }
      } else if argument == "-a", ["cancel", "jobs", "release"].contains(arguments.first) {
        // As with cancel(1), and with lpstat(1) for all users' jobs.
        result.append("--all")
      } else if argument.count > 2, letters[0] == "-", valued.contains(letters[1]) {
        guard access(argument, F_OK) != 0 else {
          throw .usage("\(argument) is a file: to print it, use ./\(argument)")
        }
        result += [String(letters), argument.dropFirst(2).drop(while: \.isWhitespace).description]
      } else if prints, argument.count > 2, argument.hasPrefix("-#") {
        result += ["--copies", String(argument.dropFirst(2))]
      } else {
        result.append(argument)
      }
    }
    guard arguments.first.map(aboutPrinter.contains) == true else { return result }
    if let last = result.last, ["-d", "--to", "--printer"].contains(last) {
      throw .usage("\(last): a printer's name is missing.")
    }
    return withPrinterLast(result)
  }

  /// Refuses lp's server, its priority for a job, and numbers of copies that the parser takes for options.
  private static func refuseValue(
    _ argument: String, _ next: String?, isPrint: Bool
  ) throws(Failure) {
    if argument == "-h", let next, !next.hasPrefix("-") {
      throw .usage(
        "-h \(next): -h is --help; for a queue of that server, use -d ipp://\(next)/printers/NAME.")
    }
    let isJoined = argument.hasPrefix("-q") && argument != "-q"
    let option = isJoined ? "-q" : argument
    guard ["-q", "-n", "--copies"].contains(option),
      let number = Int((isJoined ? String(argument.dropFirst(2)) : next ?? "").trimmed)
    else { return }
    if isPrint, option == "-q", access("\(number)", F_OK) != 0 {
      throw .usage("-q \(number): -q is --quiet; for a priority, use --priority \(number).")
    }
    if option != "-q", number < 0 {
      throw .usage("\(option) \(number): takes a number from 1 to 9999.")
    }
  }

  /// `show -d NAME` as `show NAME`: print's option, where the printer is an argument.
  private static func withPrinterLast(_ arguments: [String]) -> [String] {
    var rest = arguments
    var names: [String] = []
    while let place = rest.firstIndex(where: { ["-d", "--to", "--printer"].contains($0) }),
      rest.indices.contains(place + 1)
    {
      names.append(rest.remove(at: place + 1))
      rest.remove(at: place)
    }
    while let place = rest.firstIndex(where: {
      $0.hasPrefix("--to=") || $0.hasPrefix("--printer=")
    }) {
      names.append(String(rest.remove(at: place).split(separator: "=", maxSplits: 1).last ?? ""))
    }
    return rest + names
  }

  /// Returns `--sides long` for `--duplex`, and `--color gray` for `--colour=gray`.
  private static func synonym(of argument: String) -> [String]? {
    if let words = synonyms[argument] { return words }
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let words = synonyms[String(parts[0])], words.count == 1 else {
      return nil
    }
    return words + [String(parts[1])]
  }
}
