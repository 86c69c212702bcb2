import System
import TestSupport
import Testing

/// Slightly wrong command lines: the error messages, and that nothing is printed by mistake.
@Suite(.inTurn) struct MistypedTests {
  @Test(arguments: ["9pm", "25:00", "missing.pdf", "missing"])
  func `64: a word behind --hold that is neither a time nor a file`(_ word: String) async throws {
    let person = try await Person.anybody()
    let door = try Door.silent()
    let file = try person.document(PDF().bytes)
    let printed = try await person.airprint("print", "-d", door.uri, "--hold", word, file)
    #expect(printed.code == 64, "\(printed.report)")
    #expect(printed.stderr.contains("--hold \(word): takes a time of the day"), "\(printed.stderr)")
    #expect(door.callers == 0)
    door.shut()
  }

  @Test func `64: a document that is piped into the program's name alone`() async throws {
    let person = try await Person.anybody()
    let piped = try await person.airprint([], input: Array("hello\n".utf8))
    #expect(piped.code == 64 && piped.stdout.isEmpty, "\(piped.report)")
    #expect(piped.stderr.contains("… | airprint print"), "\(piped.stderr)")
    // Empty input, as when a daemon starts it.
    for input in [nil, []] as [[UInt8]?] {
      let first = try await person.airprint([], input: input)
      #expect(first.code == 0 && first.stdout.contains("airprint pick"), "\(first.report)")
    }
  }

  @Test(
    arguments: [
      ("--await", nil), ("--notfy", "--notify"), ("--qiet", "--quiet"), ("--zzz", nil),
      ("--detatch", "--detach"), ("--timeot", "--timeout"), ("--margin", "--margins"),
      ("--hepl", "--help"),
    ] as [(String, String?)])
  func `64: an option that is none, and the one that is near`(
    _ typed: String, _ meant: String?
  ) async throws {
    let person = try await Person.anybody()
    let printed = try await person.airprint("print", typed, "x.pdf")
    #expect(printed.code == 64, "\(printed.report)")
    #expect(printed.stderr.contains("Unknown option \"\(typed)\""), "\(printed.stderr)")
    if let meant {
      #expect(printed.stderr.contains("Did you mean \"\(meant)\"?"), "\(printed.stderr)")
    } else {
      #expect(!printed.stderr.contains("Did you mean"), "\(printed.stderr)")
    }
  }

  @Test func `cancel and jobs have lp's option for all jobs`() async throws {
    let person = try await Person.anybody()
    for command in ["cancel", "jobs"] {
      let all = try await person.airprint(command, "-a")
      #expect(all.code == 0, "\(all.report)")
    }
  }

  @Test(
    arguments: [
      ("--versoin", "--version"), ("--hepl", "--help"), ("-versoin", "--version"),
      ("--discover", "airprint discover"), ("--copise=2", "--copies"), ("--zzzz", nil),
    ] as [(String, String?)])
  func `64: an option without a command, and what is near`(
    _ typed: String, _ meant: String?
  ) async throws {
    let person = try await Person.anybody()
    let typo = try await person.airprint(typed)
    #expect(typo.code == 64 && typo.stderr.contains("Unknown option"), "\(typo.report)")
    if let meant {
      #expect(typo.stderr.contains("\". Did you mean \"\(meant)\"?\n"), "\(typo.stderr)")
    } else {
      #expect(!typo.stderr.contains("Did you mean"), "\(typo.stderr)")
    }
  }

  @Test(arguments: [
    (["show", "office", "Laser"], ". Quote the printer's name: airprint show 'office Laser'\n"),
    (["login", "--user", "ada", "Office", "Laser"], "airprint login --user ada 'Office Laser'\n"),
    (["move", "k7q2m", "Office", "Laser"], "airprint move k7q2m 'Office Laser'\n"),
    (["pick", "Big", "Old", "Jet", "--default"], "airprint pick 'Big Old Jet' --default\n"),
    (["forget", "Till", "Bar"], "Unexpected argument \"Bar\".\n"),
    (
      ["printers", "Till"], "Unexpected argument \"Till\". One printer is shown by airprint show\n"
    ),
  ])
  func `64: a printer's name without quotes`(
    _ words: [String], _ answer: String
  ) async throws {
    let person = try await Person.anybody()
    let uri = "ipp://localhost:9/ipp/print"
    for name in ["Office Laser", "Till", "Bar"] {
      _ = try await person.airprint("pick", uri, "--no-contact", "--as", name)
    }
    let typo = try await person.airprint(words)
    #expect(typo.code == 64 && typo.stderr.contains(answer), "\(typo.report)")
  }

  @Test(arguments: [
    ("--mirror", "never mirrored"), ("--no-collate", "-o collate=false"), ("--cpi=12", "--font"),
    ("-s", "use --quiet."), ("--watermark", "--overlay text:"), ("-T", "-t sets"),
    ("--a4", "\"--a4\": use --paper a4."), ("--receipt", "\"--receipt\": use --type receipt."),
    ("--frame", "use --page-border single."), ("-E", "encryption is used"),
  ])
  func `64: an option that other programs have, with what there is for it`(
    _ typed: String, _ advice: String
  ) async throws {
    let person = try await Person.anybody()
    let printed = try await person.airprint("print", typed, "x.pdf")
    #expect(printed.code == 64, "\(printed.report)")
    #expect(printed.stderr.contains("Unknown option \"-"), "\(printed.stderr)")
    #expect(printed.stderr.contains(advice), "\(printed.stderr)")
    // The same without the command's name, and for other commands that have the option.
    let file = try person.document(PDF().bytes)
    let other = typed == "-T" ? ["queue", "add"] : ["preview"]
    for words in [[typed, file], other + [typed, file]] {
      let asked = try await person.airprint(words)
      #expect(asked.code == 64 && asked.stderr.contains(advice), "\(asked.report)")
    }
  }

  @Test(arguments: [["preview", "-T"], ["reprint", "-J"], ["queue", "add", "-m"]])
  func `64: an option of other programs, and this command has none for it`(
    _ words: [String]
  ) async throws {
    let asked = try await Person.anybody().airprint(words + ["x.pdf"])
    let line = "airprint: Unknown option \"\(words.last ?? "")\"."
    #expect(asked.code == 64 && asked.stderr.hasSuffix("\n\(line)\n"), "\(asked.report)")
  }

  @Test(arguments: [("check", "file"), ("forget", "name"), ("move", "job")])
  func `64: a command without its argument`(_ command: String, _ missing: String) async throws {
    let asked = try await Person.anybody().airprint(command)
    #expect(asked.code == 64 && !asked.stderr.contains("Missing expected"), "\(asked.report)")
    let first = asked.stderr.split(separator: "\n").first.map(String.init)
    #expect(first?.lowercased().contains(missing) == true, "\(asked.stderr)")
  }

  @Test func `a file whose name looks like an option`() async throws {
    let person = try await Person.anybody()
    _ = try person.document(PDF().bytes, "-lead.pdf")
    let printed = try await person.bench.run(
      [
        "sh", "-c", "cd \"$1\" && exec \(try locate("airprint")) print *", "sh",
        person.path("documents"),
      ],
      adding: person.variables)
    #expect(printed.code == 64, "\(printed.report)")
    #expect(
      printed.stderr.hasSuffix("-lead.pdf is a file: to print it, use ./-lead.pdf\n"),
      "\(printed.stderr)")
  }

  @Test func `print's options without its name, and a document through a pipe`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    for words in [
      ["-d", printer.uri], ["-d", printer.uri, "-"], ["--to", printer.uri, "-n", "1"],
    ] {
      let printed = try await person.airprint(words, input: PDF().bytes)
      #expect(printed.code == 0, "\(printed.report)")
    }
    #expect(try printer.jobs().count == 3)
    // An option that `print` does not have prints nothing.
    let unknown = try await person.airprint("--foolish", input: PDF().bytes)
    #expect(unknown.code == 64, "\(unknown.report)")
    // The message is the last line, and its first word is the program's.
    let last = unknown.stderr.split(separator: "\n").last ?? ""
    #expect(last.hasPrefix("airprint: Unknown option \"--foolish\"."), "\(unknown.report)")
    await printer.stop()
  }

  @Test(
    arguments: [
      (["nofile.pdf"], 66, "nofile.pdf: No such file"), (["../x"], 66, "../x: No such file"),
      (["--verbose", "nosuch"], 64, "There is no command or file \"nosuch\""),
      (["info"], 64, "airprint show"), (["ink"], 64, "airprint show"),
      (["logs"], 64, "airprint jobs"), (["history"], 64, "airprint jobs"),
      (["settings"], 64, "airprint config"), (["set-default"], 64, "airprint default"),
      (["print", "-type", "photo", "x.pdf"], 64, "-type: long options have two hyphens: --type"),
      (["print", "--staple", "upper-left", "x.pdf"], 64, "-o finishings=staple-top-left"),
      (["print", "-paper=A4", "x.pdf"], 64, "long options have two hyphens: --paper=A4"),
      (["print", "-n", "-3", "x.pdf"], 64, "-n -3: takes a number from 1 to 9999."),
      (["print", "-h", "cups:631", "x.pdf"], 64, "use -d ipp://cups:631/printers/NAME."),
      (["config", "list"], 64, "The commands of airprint config: "),
      (["config", "get", "paper"], 64, "Try: airprint config get types.document.paper"),
      (["config", "get", "nope"], 64, "unknown key \"nope\""),
      (["jobs", "-W", "completed"], 64, "-W\": airprint jobs lists"),
      (["cancel", "-u", "me"], 64, "-u\": use -U"),
      (["change", "k7q2m", "--priority", "101"], 64, "--priority 101: takes"),
      (["config", "unset", "sides"], 1, "sides is not set."),
      (["discover", "till"], 64, "airprint discover --name"),
      (
        ["simulate", "fault", "Till"], 64,
        "airprint simulate fault needs a printer and a fault, such as: airprint simulate fault"
      ),
      (["queue", "add", "--wait", "x"], 64, "--wait"),
      (["queue", "clear"], 64, "airprint queue remove --all"),
      (["paper", "Till", "-d", "Slow"], 64, "Unexpected argument \"Slow\"."),
      (["wait", "--timeout"], 64, "Missing value for \"--timeout <seconds>\"."),
      (["show", "-d"], 64, "-d: a printer's name is missing."),
      (["paper", "/etc/host.conf"], 64, "/etc/host.conf is a file. To see the paper"),
      (["help", "logs"], 64, "\"logs\": use airprint jobs."),
      (["simulate", "lasser"], 64, "No such profile: lasser (did you mean \"laser\"?)."),
      (["discover", "--timeout", "0"], 64, "--timeout 0: takes a number"),
      (["print", "-q", "50", "/etc/host.conf"], 64, "use --priority 50"),
      (["print", "-q 50", "/etc/host.conf"], 64, "use --priority 50"),
      (["print", "-q50", "/etc/host.conf"], 64, "use --priority 50"),
      (["print", "--type", " document", "none"], 69, "No printer for documents is saved"),
      // All letters of a job's ID may be digits.
      (["queue", "remove", "-q", "23456"], 69, "There is no job \"23456\""),
      (["print", "-P", "even", "/etc/host.conf"], 64, "--pages even: use --even."),
    ] as [([String], Int32, String)])
  func `what is wrong, and what was meant`(
    _ words: [String], _ code: Int32, _ message: String
  ) async throws {
    let person = try await Person.anybody()
    let asked = try await person.airprint(words)
    #expect(asked.code == code && asked.stdout.isEmpty, "\(asked.report)")
    #expect(asked.stderr.contains(message), "\(asked.stderr)")
  }

  @Test(arguments: [
    ("check - <&-", 65, "airprint: standard input: The file is empty.\n"),
    (
      "config path > /dev/full", 73,
      "airprint: The output can't be written: No space left on device.\n"
    ),
    ("--help > /dev/full", 73, "airprint: The output can't be written: No space left on device.\n"),
  ])
  func `standard input that is closed, and a full disk`(
    _ words: String, _ code: Int32, _ message: String
  ) async throws {
    let person = try await Person.anybody()
    let outcome = try await person.bench.run(
      ["sh", "-c", "exec \(try locate("airprint")) \(words)"], adding: person.variables)
    #expect(outcome.code == code && outcome.stderr == message, "\(outcome.report)")
  }

  @Test func `the file that an option took is named, where nothing else is to be printed`()
    async throws
  {
    let person = try await Person.anybody()
    let file = try person.document(Array("hello\n".utf8), "note.txt")
    for option in ["--header", "--footer", "--title", "--overlay"] {
      for command in [["print"], ["queue", "add"]] {
        let none = try await person.airprint(command + [option, file], input: [])
        #expect(none.code == 65, "\(none.report)")
        #expect(
          none.stderr.contains("\(file) was taken as the value of \(option)."), "\(none.stderr)")
      }
    }
    let empty = try await person.airprint("preview", "-", input: [])
    #expect(empty.code == 65, "\(empty.report)")
    #expect(empty.stderr == "airprint: standard input: The file is empty.\n")
    let session = try person.terminal("print", "--header", file, columns: 240)
    #expect(await session.end().code == 64)
    #expect(session.screen.text.contains("note.txt was taken as"), "\(session.screen.text)")
  }

  @Test func `an option with an empty value takes no file`() async throws {
    let person = try await Person.anybody()
    let note = try person.document(Array("Milk\n".utf8), "note.txt")
    for words in [
      ["preview", "--no-printer", "--header=", note, "-o", person.path("sheet.png")],
      ["render", "--footer=", note, "-o", person.path("sheet.pwg")],
    ] {
      let drawn = try await person.airprint(words)
      #expect(drawn.code == 0 && !drawn.stderr.contains("header"), "\(drawn.report)")
    }
    let replaced = try await person.airprint("preview", "--output=", note)
    #expect(replaced.code != 0, "\(replaced.report)")
    // Nor is the document replaced by its own picture.
    for command in ["preview", "render"] {
      let own = try await person.airprint(command, note, "-o", note)
      #expect(own.code == 64 && own.stderr.contains("the document itself"), "\(own.report)")
    }
    #expect(wholeFile(note) == Array("Milk\n".utf8))
    let twice = try await person.airprint("print", "-", "-")
    #expect(twice.code == 64 && twice.stderr.contains("only once"), "\(twice.report)")
  }

  @Test func `preview and render draw what is piped into them`() async throws {
    let person = try await Person.anybody()
    for command in ["preview", "render"] {
      let path = person.path("\(command).pdf")
      let words = [command, "-o", path, "--no-printer"].prefix(command == "preview" ? 4 : 3)
      let piped = try await person.airprint(Array(words), input: Array("hello\n".utf8))
      #expect(piped.code == 0 && piped.stderr.contains("Wrote \(path)"), "\(piped.report)")
      let session = try person.terminal(command, "-o", path, columns: 240)
      try await session.expect("No document: name a file")
      #expect(await session.end().code == 64)
    }
  }

  @Test func `a saved printer's name without a command, and lp's other programs`() async throws {
    let person = try await Person.anybody()
    let saved = try await person.airprint(
      "pick", "ipp://localhost:9/ipp/print", "--no-contact", "--as", "Front Desk")
    #expect(saved.code == 0, "\(saved.report)")
    let file = try person.document(PDF().bytes)
    for (words, answer) in [
      (["front desk"], "Front Desk is a printer: airprint print -d 'Front Desk' FILE prints on it"),
      (["Front Desk", file], "Front Desk is a printer: airprint print -d 'Front Desk' FILE"),
      (["lpstat"], "airprint jobs lists jobs"), (["lpq"], "use airprint jobs"),
      (["lprm", "7"], "use airprint cancel"),
      (
        ["pick", "ipp://localhost:9/ipp/print", "--name", "Front Desk"],
        "to save it under a name, use --as 'Front Desk'."
      ),
    ] {
      let asked = try await person.airprint(words)
      #expect(asked.code == 64 && asked.stderr.contains(answer), "\(asked.report)")
    }
  }

  @Test(arguments: ["-#2", "-# 2"])
  func `lpr's number of copies, collated as always`(_ typed: String) async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let file = try person.document(PDF().bytes)
    let words = typed.split(separator: " ").map(String.init)
    let plan = try await person.airprint(
      ["print", "-d", printer.uri, "--dry-run", "--json", "--collate", file] + words)
    #expect(try plan.json.copies?.number == 2, "\(plan.report)")
    await printer.stop()
  }

  @Test func `-d names the printer of commands about a printer, too`() async throws {
    let person = try await Person.anybody()
    let printer = try await person.office()
    let picked = try await person.airprint("pick", "--to=\(printer.uri)", "--as", "Front")
    #expect(picked.code == 0, "\(picked.report)")
    for command in ["show", "status", "paper"] {
      let plain = try await person.airprint(command, "Front")
      for words in [
        ["-d", "Front"], ["-dFront"], ["--printer", "Front"], ["--to=Front"], ["--printer=Front"],
      ] {
        let asked = try await person.airprint([command] + words)
        #expect(asked.code == 0 && asked.stdout == plain.stdout, "\(asked.report)")
      }
    }
    await printer.stop()
  }

  @Test func `an unknown printer names the variable that it comes from`() async throws {
    let person = try await Person.anybody()
    let file = try person.document(PDF().bytes)
    let variable = ["AIRPRINT_PRINTER": "Nope"]
    let printed = try await person.airprint(["print", file], adding: variable)
    #expect(printed.code == 69, "\(printed.report)")
    #expect(
      printed.stderr.contains("airprint: AIRPRINT_PRINTER: No printer called \"Nope\""),
      "\(printed.stderr)")
    let typed = try await person.airprint(["print", "-d", "Nope", file], adding: variable)
    #expect(!typed.stderr.contains("AIRPRINT_PRINTER"), "\(typed.stderr)")
  }
}
