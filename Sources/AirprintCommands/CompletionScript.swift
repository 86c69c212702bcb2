internal import ArgumentParser
internal import PrintOptions

/// Returns the completion script for one of `shellsWithCompletions`.
package func completionScript(for shell: String) -> String? {
  CompletionShell(rawValue: shell).map { shell in
    let script = RareOptions.$areVisible.withValue(true) { Airprint.completionScript(for: shell) }
    switch shell {
    case .bash: return withFiles(bash: withoutEvaluation(script))
    case .zsh: return withFiles(zsh: script)
    // Use the cursor's position in the word, which every version of fish provides, with or without a terminal.
    case .fish:
      return withoutRepetition(
        fish: script.replacing(
          "(__airprint_tokens -tC)", with: "(string length -- \"$(commandline -ct)\")")) + fishFiles
    default: return script
    }
  }
}

/// All commands, separated by blanks: the arguments of `help`.
private var commandNames: String { Airprint.all.map { $0._commandName }.joined(separator: " ") }

/// Adds files to the commands once something is typed, and offers only files after a word that is not a command:
/// `airprint FILE…` prints.
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
                [[ -n "${cur}" || "${COMP_CWORD}" -gt 1 ]] && __airprint_add_completions -f
                [[ "${COMP_CWORD}" -gt 1 ]] && return

        """ + offer, maxReplacements: 1
    )
    .replacing(
      "    __airprint_offer_flags_options -1\n}\n\ncomplete ",
      with: "    __airprint_offer_flags_options -1\n    __airprint_add_words \(commandNames)\n}\n\n"
        + "complete ")
}

private func withFiles(zsh script: String) -> String {
  script
    .replacing(
      "        _describe -V subcommand subcommands && ret=0\n",
      with: """
                _describe -V subcommand subcommands && ret=0
                # airprint FILE prints.
                [[ -n "${PREFIX}" ]] && _files && ret=0

        """, maxReplacements: 1
    )
    .replacing(
      "            \"_airprint_${words[1]}\" && ret=0\n            ;;\n",
      with: """
                    "_airprint_${words[1]}" && ret=0
                    ;;
                *)
                    _files && ret=0
                    ;;

        """, maxReplacements: 1
    )
    .replacing("'*:subcommands:'", with: "'*:subcommands:(\(commandNames))'")
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

private var fishFiles: String {
  """

  # airprint FILE prints.
  complete -c 'airprint' -n 'test -n "$(commandline -ct)"; and __airprint_should_offer_completions_for_positional "airprint" -eq 1' -F
  complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -gt 1' -F
  complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint help" -eq 1' -fa '\(commandNames)'
  """
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
    .replacing("__airprint_custom_complete() {", with: "\(adders)__airprint_custom_complete() {")
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

  # The same for a word a line.
  __airprint_add_lines() {
      local word
      while IFS='' read -r word; do
          __airprint_add_words "${word}"
      done <<<"${1}"
  }

  # Offers every line as it is to stand on the command line: names of printers and their trays, chosen and
  # escaped by the command itself. bash must not quote them again.
  __airprint_add_offers() {
      local word
      compopt +o filenames 2>/dev/null
      while IFS='' read -r word; do
          [[ -n "${word}" ]] && COMPREPLY+=("${word}")
      done <<<"${1}"
  }


  """

/// bash divides words at `=`: the part of `-o sides=two` after it would be completed as a file.
private var wholeAttributes: String {
  let values = PrintOption.lpNames.filter { $0.contains("=") && !$0.hasSuffix("=") }
  return """
        local -r cur="${2}"
        local -r prev="${3}"

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
