internal import ArgumentParser
internal import PrintOptions

/// Returns the completion script for one of `shellsWithCompletions`.
package func completionScript(for shell: String) -> String? {
  CompletionShell(rawValue: shell).map { shell in
    let script = RareOptions.$areVisible.withValue(true) { Airprint.completionScript(for: shell) }
    switch shell {
    case .bash:
      return addingFiles(to: withFiles(bash: withoutEvaluation(script))) {
        "\($0)\n        __airprint_add_files"
      }
    case .zsh:
      return addingFiles(to: withHelp(zsh: withFiles(zsh: withValues(zsh: script)))) {
        $0.replacing("}'", with: "; _files}'")
      }
    // Use the cursor's position in the word, which every version of fish provides, with or without a terminal.
    case .fish:
      let whole = withoutRepetition(
        fish:
          script
          .replacing("(__airprint_tokens -tC)", with: "(string length -- \"$(commandline -ct)\")")
          .replacing(fishTokens, with: fishTokens + fishCommand))
      return addingFiles(to: whole) { $0.replacing("fka '", with: "Fka '") } + fishFiles
    default: return script
    }
  }
}

/// All commands, separated by blanks: the arguments of `help`.
private var commandNames: String { Airprint.all.map { $0._commandName }.joined(separator: " ") }

/// Commands that have subcommands, each with theirs, separated by blanks: the second argument of `help`.
private var subcommandNames: [(command: String, names: String)] {
  Airprint.all.compactMap { command in
    let names = command.configuration.subcommands.map { $0._commandName }
    return names.isEmpty ? nil : (command._commandName, names.joined(separator: " "))
  }
}

/// Arguments that are also files, which the parser can't offer with words of the command's own.
private let alsoFiles = ["preview -- positional@0", "render -- positional@0", "simulate -- --like"]

/// Changes each line that requests offers for an argument of `alsoFiles`.
private func addingFiles(to script: String, _ change: (String) -> String) -> String {
  script.split(separator: "\n", omittingEmptySubsequences: false).map { line in
    let isFile = alsoFiles.contains { line.contains("---completion \($0) ") }
    return isFile ? change(String(line)) : String(line)
  }.joined(separator: "\n")
}

/// Adds files to the commands once something is typed: `airprint FILE…` prints.
///
/// The parser does not support that, and neither the arguments of `help`.
private func withFiles(bash script: String) -> String {
  let offer = "        # Offer subcommand completions\n        __airprint_add_words "
  return
    script
    .replacing(
      offer,
      with: """
                # airprint FILE prints.
                [[ -n "${cur}" ]] && __airprint_add_completions -f

        """ + offer, maxReplacements: 1
    )
    .replacing(
      "    __airprint_offer_flags_options -1\n}\n\ncomplete ",
      with: """
            __airprint_offer_flags_options -1
            case "${COMP_WORDS[COMP_CWORD - 1]}" in
            help) __airprint_add_words \(commandNames) ;;
        \(subcommandNames.map { "    \($0.command)) __airprint_add_words \($0.names) ;;" }
          .joined(separator: "\n"))
            esac
        }

        complete\u{20}
        """)
}

private func withFiles(zsh script: String) -> String {
  script
    .replacing(
      "    local -r command_name=\"${words[1]}\"\n",
      with: """
            # airprint -d PRINTER FILE is completed like airprint print -d PRINTER FILE.
            if (( CURRENT > 2 )) || [[ "${words[2]}" = -* ]]; then
                [[ " \(commandNames) help " = *" ${words[2]} "* ]] || {
                    words=("${words[1]}" print "${(@)words[2,-1]}")
                    (( CURRENT++ ))
                }
            fi

            local -r command_name="${words[1]}"

        """, maxReplacements: 1
    )
    .replacing(
      "        _describe -V subcommand subcommands && ret=0\n",
      with: """
                _describe -V subcommand subcommands && ret=0
                # airprint FILE prints.
                [[ -n "${PREFIX}" ]] && _files && ret=0

        """, maxReplacements: 1
    )
    .replacing(
      "    _describe -V '' non_empty_completions --",
      with: """
            # No blank after the beginning of a word: NAME= or types.receipt.
            local -a blank=()
            [[ -z "${(@)non_empty_completions:#*[=.]}" ]] && blank=(-S '')
            _describe -V '' non_empty_completions "${blank[@]}" --
        """
    )
}

/// Adds the arguments of `help`, which the parser leaves out.
private func withHelp(zsh script: String) -> String {
  script
    .replacing(
      "        '*:subcommands:'\n",
      with: """
                ':subcommand:(\(commandNames))'
                '*:subcommands:{_airprint_help_subcommands}'

        """
    )
    .replacing(
      "\n_airprint_help() {\n",
      with: """

        _airprint_help_subcommands() {
            case "${words[CURRENT - 1]}" in
        \(subcommandNames.map { "    \($0.command)) compadd -- \($0.names) ;;" }
          .joined(separator: "\n"))
            esac
        }

        _airprint_help() {

        """)
}

/// Lets options be completed as `--NAME=VALUE` and `-nVALUE`, too, and escapes the colons of values, which zsh would
/// show as descriptions.
private func withValues(zsh script: String) -> String {
  let lines = script.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  return lines.map { line in
    if line.hasPrefix("    local -ar ___") { return line.replacing(":", with: #"\:"#) }
    guard line.hasPrefix("        '"), !line.hasSuffix("]'"), let help = line.firstIndex(of: "[")
    else { return line }
    // '--to[…', or '(-d --to)'{-d,--to}'[…
    let names = line[..<help], rest = String(line[help...])
    if names.hasSuffix("}'") {
      return names.dropLast(2).replacing(",--", with: "+,--") + "=}'" + rest
    }
    return names.contains("--") ? names + "=" + rest : line
  }.joined(separator: "\n")
}

/// The script with an empty description for each value of an option: fish would repeat the option's beside every one.
private func withoutRepetition(fish script: String) -> String {
  let lines = script.split(separator: "\n", omittingEmptySubsequences: false).map { line in
    if line.hasSuffix("    command $tokens[1] $argv $tokens") {
      return String(line) + #" | string replace -r '^[^\t]+$' '$0\t'"#
    }
    guard line.hasSuffix("'"), let values = line.firstRange(of: " -rfka '"),
      line[values.upperBound...].first != "("
    else { return String(line) }
    let words = line[values.upperBound...].dropLast().split(separator: " ")
    guard !words.isEmpty else { return String(line) }
    return String(line[..<values.upperBound]) + words.joined(separator: #"\t "#) + #"\t'"#
  }
  return lines.joined(separator: "\n")
}

private let fishTokens = "    set -l unparsed_tokens (__airprint_tokens -pc)\n"

private var fishCommand: String {
  """
      # airprint -d PRINTER FILE is completed like airprint print -d PRINTER FILE.
      set -l words $unparsed_tokens (commandline -ct)
      if test (count $words) -gt 2; or string match -q -- '-*' "$words[2]"
          contains -- "$words[2]" \(commandNames) help
          or set unparsed_tokens $words[1] print $unparsed_tokens[(seq 2 (count $unparsed_tokens))]
      end

  """
}

private var fishFiles: String {
  """

  # airprint FILE prints.
  complete -c 'airprint' -n 'test -n "$(commandline -ct)"; and __airprint_should_offer_completions_for_positional "airprint" -eq 1' -F
  complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint help" -eq 1' -fa '\(commandNames)'

  """
    + subcommandNames.map {
      """
      complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint help" -eq 2; and contains \($0.command) (commandline -opc)' -fa '\($0.names)'
      """
    }.joined(separator: "\n")
}

/// Replaces `compgen -W` in bash's script, which expands its words like the shell, by functions that use words
/// unchanged.
///
/// CompletionTests checks that none is left.
private func withoutEvaluation(_ script: String) -> String {
  let lists = [
    "repeating_flags", "non_repeating_flags", "repeating_options", "non_repeating_options",
  ]
  let flags = lists.map { "${\($0)[*]}" }.joined(separator: " ")
  let words = lists.map { "\"${\($0)[@]}\"" }.joined(separator: " ")
  return
    script
    .replacing(
      "COMPREPLY+=($(compgen -W \"\(flags)\" -- \"${cur}\"))", with: "__airprint_add_words \(words)"
    )
    .replacing("COMPREPLY+=($(compgen -W '", with: "__airprint_add_words ")
    .replacing("' -- \"${cur}\"))", with: "")
    .replacing(
      "__airprint_add_completions -W \"$(__airprint_custom_complete",
      with: "__airprint_add_offers \"$(__airprint_custom_complete"
    )
    .replacing("__airprint_add_completions -W ", with: "__airprint_add_lines ")
    .replacing(
      "__airprint_custom_complete() {", with: "\(adders)\(rewriter)__airprint_custom_complete() {"
    )
    .replacing(
      "    local -r cur=\"${2}\"\n    local -r prev=\"${3}\"\n", with: wholeAttributes,
      maxReplacements: 1)
}

private let adders = """
  # Offers those of the words that go on from what was typed. Nothing is evaluated.
  __airprint_add_words() {
      local word
      for word in "${@}"; do
          [[ "${word}" = "${cur}"* ]] && COMPREPLY+=("${word}")
      done
  }

  # The same for a word a line: values, not files. A name that ends with "=" or "." is not the whole word.
  __airprint_add_lines() {
      local word
      compopt +o filenames 2>/dev/null
      while IFS='' read -r word; do
          __airprint_add_words "${word}"
      done <<<"${1}"
      __airprint_continue_names
  }

  # Adds no blank after the beginning of a word: NAME= or types.receipt.
  __airprint_continue_names() {
      [[ "${COMPREPLY[*]}" = *[=.] ]] && compopt -o nospace 2>/dev/null
  }

  # Offers every line as it is to stand on the command line: names of printers and their trays, chosen and
  # escaped by the command itself. bash must not quote them again.
  __airprint_add_offers() {
      local word
      compopt +o filenames 2>/dev/null
      while IFS='' read -r word; do
          [[ -n "${word}" ]] && COMPREPLY+=("${word}")
      done <<<"${1}"
      __airprint_continue_names
  }

  # Adds files to the offers, unless one of those is escaped: bash would escape it again.
  __airprint_add_files() {
      [[ "${COMPREPLY[*]}" = *\\\\* ]] && return
      __airprint_add_completions -f
      compopt -o filenames 2>/dev/null
  }


  """

/// bash divides words at `=`: the part of `-o sides=two` after it would be completed as a file.
private var wholeAttributes: String {
  let values = PrintOption.lpNames.filter { $0.contains("=") && !$0.hasSuffix("=") }
  return """
        local cur="${2}"
        local prev="${3}"
        __airprint_rewrite_words

        # bash divides -o NAME=VALUE at "=". What follows is a value, and not a file.
        local -i equals=-1
        if [[ "${COMP_WORDS[COMP_CWORD]}" = '=' ]]; then
            equals=COMP_CWORD
        elif [[ "${prev}" = '=' ]]; then
            equals=COMP_CWORD-1
        fi
        if ((equals > 2)) && [[ "${COMP_WORDS[equals - 2]}" = --option
            || ("${COMP_WORDS[equals - 2]}" = -o && "${COMP_WORDS[1]}" = @(print|queue)) ]]; then
            local attribute
            for attribute in \(values.joined(separator: " ")); do
                [[ "${attribute%%=*}" = "${COMP_WORDS[equals - 1]}" ]] && __airprint_add_words "${attribute#*=}"
            done
            return
        fi

    """
}

private var rewriter: String {
  """
  # Has airprint -d PRINTER FILE completed like airprint print -d PRINTER FILE, and --NAME=VALUE, which bash divides at
  # "=", like --NAME VALUE.
  __airprint_rewrite_words() {
      local -r command="${COMP_WORDS[0]}"
      local -a words=("${command}")
      local -i current=COMP_CWORD at
      if { ((COMP_CWORD > 1)) || [[ "${COMP_WORDS[1]}" = -* ]]; } \\
          && [[ " \(commandNames) help " != *" ${COMP_WORDS[1]} "* ]]; then
          words+=(print)
          current+=1
          COMP_LINE="${COMP_LINE/"${command}"/"${command} print"}"
          COMP_POINT=$((COMP_POINT + 6))
      fi
      for ((at = 1; at < ${#COMP_WORDS[@]}; at++)); do
          if [[ "${COMP_WORDS[at]}" != = || "${COMP_WORDS[at - 1]}" != --?* ]]; then
              words+=("${COMP_WORDS[at]}")
              continue
          fi
          COMP_LINE="${COMP_LINE/"${COMP_WORDS[at - 1]}="/"${COMP_WORDS[at - 1]} "}"
          if ((at == COMP_CWORD)); then
              words+=('')
              cur=''
          elif ((at < COMP_CWORD)); then
              current+=-1
          fi
      done
      COMP_WORDS=("${words[@]}")
      COMP_CWORD=${current}
      prev="${COMP_WORDS[COMP_CWORD - 1]}"
  }


  """
}
