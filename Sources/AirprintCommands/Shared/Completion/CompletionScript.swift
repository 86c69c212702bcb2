internal import ArgumentParser

/// A shell for which there is a completion function.
package enum CompletingShell: String, CaseIterable, Sendable, ExpressibleByArgument {
  case bash, zsh, fish

  /// The shell's function: it passes the command line up to the cursor to `airprint __complete` (`completionLines`), and
  /// offers the lines of the answer after the first, which says what else to do.
  package var script: String {
    switch self {
    case .bash: bashScript
    case .zsh: zshScript
    case .fish: fishScript
    }
  }
}

// readline completes files by itself if nothing else is offered; if something is, only it can be quoted already, so
// that bash must not quote it again.
private let bashScript = #"""
  # Completion of airprint for bash, by airprint itself.
  _airprint() {
      local -a lines
      mapfile -t lines < <("$1" __complete bash "$2" "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
      COMPREPLY=("${lines[@]:1}")
      case "${lines[0]} ${#COMPREPLY[@]}" in
      nospace*) compopt -o nospace ;;
      files\ 0) compopt -o bashdefault -o default ;;
      directories\ 0) compopt -o dirnames ;;
      files*)
          if [[ "${COMPREPLY[*]}" != *\\* ]]; then
              mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$2")
              compopt -o filenames
          fi
          ;;
      esac 2>/dev/null
  }
  complete -F _airprint airprint
  """#

private let zshScript = #"""
  #compdef airprint
  # Completion of airprint for zsh, by airprint itself.
  _airprint() {
      local -a lines blank
      lines=("${(@f)$("$words[1]" __complete zsh "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
      local more="$lines[1]"
      shift lines
      [[ "$more" = nospace ]] && blank=(-S '')
      (( $#lines )) && _describe -V airprint lines "${blank[@]}"
      compset -P '--*='
      case "$more" in
      files) _files ;;
      directories) _files -/ ;;
      esac
  }
  if [[ "$funcstack[1]" = _airprint ]]; then
      _airprint "$@"
  else
      compdef _airprint airprint
  fi
  """#

// An empty description keeps fish from repeating something else's.
private let fishScript = #"""
  # Completion of airprint for fish, by airprint itself.
  function __airprint_complete
      set -l words (commandline -opc)
      set -l typed (commandline -ct)
      set -l lines (command $words[1] __complete fish $words[2..] "$typed" 2>/dev/null)
      string join \n -- $lines[2..]
      set -l option (string match -r -- '^--[^=]*=' "$typed")
      set -l value (string sub -s (math 1 + (string length -- "$option")) -- "$typed")
      switch "$lines[1]"
          case files
              printf "$option%s\n" (__fish_complete_path "$value")
          case directories
              printf "$option%s\n" (__fish_complete_directories "$value" '')
      end
  end
  complete -c airprint -f -k -a '(__airprint_complete)'
  """#
