internal import ArgumentParser

/// The completion script for one of `shellsWithCompletions`.
package func completionScript(for shell: String) -> String? {
  CompletionShell(rawValue: shell).map { shell in
    let script = RareOptions.$areVisible.withValue(true) { Airprint.completionScript(for: shell) }
    switch shell {
    case .bash: return withoutEvaluation(script)
    // The cursor's place in the word, as every fish says it, on a terminal or not.
    case .fish:
      return script.replacing(
        "(__airprint_tokens -tC)", with: "(string length -- \"$(commandline -ct)\")")
    default: return script
    }
  }
}

/// The script of bash without `compgen -W`, which expands what it is given as the shell would: functions that take
/// words as they are stand in its place.
///
/// CompletionTests sees to it that none is left.
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
