#!/bin/bash

__airprint_cursor_index_in_current_word() {
    local remaining="${COMP_LINE}"

    local word
    for word in "${COMP_WORDS[@]::COMP_CWORD}"; do
        remaining="${remaining##*([[:space:]])"${word}"*([[:space:]])}"
    done

    local -ir index="$((COMP_POINT - ${#COMP_LINE} + ${#remaining}))"
    if [[ "${index}" -le 0 ]]; then
        printf 0
    else
        printf %s "${index}"
    fi
}

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__airprint_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        __airprint_add_words "${repeating_flags[@]}" "${non_repeating_flags[@]}" "${repeating_options[@]}" "${non_repeating_options[@]}"
    fi
}

__airprint_add_completions() {
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
}

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
    [[ "${COMPREPLY[*]}" = *\\* ]] && return
    __airprint_add_completions -f
    compopt -o filenames 2>/dev/null
}

# Has airprint -d PRINTER FILE completed like airprint print -d PRINTER FILE, and --NAME=VALUE, which bash divides at
# "=", like --NAME VALUE.
__airprint_rewrite_words() {
    local -r command="${COMP_WORDS[0]}"
    local -a words=("${command}")
    local -i current=COMP_CWORD at
    if { ((COMP_CWORD > 1)) || [[ "${COMP_WORDS[1]}" = -* ]]; } \
        && [[ " print preview render check paper jobs cancel release move wait reprint queue discover pick printers forget default show status identify trust login logout config doctor simulate help " != *" ${COMP_WORDS[1]} "* ]]; then
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

__airprint_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    "${COMP_WORDS[0]}" "${@}" "${words[@]}"
}

_airprint() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;}" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

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
        for attribute in media=A4 media=A5 media=Letter media=Legal media=4x6 number-up=2 number-up=4 print-color-mode=color print-color-mode=monochrome print-quality=3 print-quality=4 print-quality=5 sides=one-sided sides=two-sided-long-edge sides=two-sided-short-edge job-hold-until=indefinite job-hold-until=night job-priority=50 finishings=staple finishings=punch finishings=fold; do
            [[ "${attribute%%=*}" = "${COMP_WORDS[equals - 1]}" ]] && __airprint_add_words "${attribute#*=}"
        done
        return
    fi

    local -i positional_number
    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

    local -a repeating_flags=()
    local -a non_repeating_flags=(--version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=()
    __airprint_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    print|preview|render|check|paper|jobs|cancel|release|move|wait|reprint|queue|discover|pick|printers|forget|default|show|status|identify|trust|login|logout|config|doctor|simulate|help)
        # Offer subcommand argument completions
        "_airprint_${subcommand}"
        ;;
    *)
        # airprint FILE prints.
        [[ -n "${cur}" ]] && __airprint_add_completions -f
        # Offer subcommand completions
        __airprint_add_words print preview render check paper jobs cancel release move wait reprint queue discover pick printers forget default show status identify trust login logout config doctor simulate help
        ;;
    esac
}

_airprint_print() {
    repeating_flags=()
    non_repeating_flags=(--borderless --no-borderless --staple --punch --fold --odd --even --reverse --booklet --number-lines --force --strict --dry-run --hold --no-wait --stop-on-error --detach --later --notify --lp --json -q --quiet -v --verbose --version -h --help)
    repeating_options=(--alternate --overlay --underlay -o --option)
    non_repeating_options=(-d --to --type -n --copies -P --pages --paper --sides --color --quality --scaling --tray --media-type --cut-length --from --resolution --orientation --number-up --page-border --position --assets --margins --header --footer --font --align --text-color --renderer --format --document-password-file --password-file --pin-file -t --title -H --hold-until --priority --timeout --on-timeout)
    __airprint_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-d'|'--to')
        __airprint_add_offers "$(__airprint_custom_complete ---completion print -- --to "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '--type')
        __airprint_add_lines 'document'$'\n''envelope'$'\n''label'$'\n''photo'$'\n''postcard'$'\n''receipt'$'\n''roll'$'\n''large-format'$'\n''disc'
        return
        ;;
    '-n'|'--copies')
        return
        ;;
    '-P'|'--pages')
        return
        ;;
    '--paper')
        __airprint_add_offers "$(__airprint_custom_complete ---completion print -- --paper "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '--sides')
        __airprint_add_lines 'one'$'\n''long'$'\n''short'$'\n''auto'
        return
        ;;
    '--color')
        __airprint_add_lines 'auto'$'\n''color'$'\n''gray'
        return
        ;;
    '--quality')
        __airprint_add_lines 'draft'$'\n''normal'$'\n''high'
        return
        ;;
    '--scaling')
        __airprint_add_lines 'auto'$'\n''auto-fit'$'\n''fit'$'\n''fill'$'\n''none'
        return
        ;;
    '--tray')
        __airprint_add_offers "$(__airprint_custom_complete ---completion print -- --tray "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '--media-type')
        __airprint_add_offers "$(__airprint_custom_complete ---completion print -- --media-type "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '--cut-length')
        __airprint_add_lines 'auto'$'\n''max'
        return
        ;;
    '--from')
        __airprint_add_lines 'md'$'\n''html'$'\n''txt'$'\n''receipt'$'\n''pdf'
        return
        ;;
    '--resolution')
        return
        ;;
    '--orientation')
        __airprint_add_lines 'auto'$'\n''portrait'$'\n''landscape'
        return
        ;;
    '--number-up')
        __airprint_add_lines '2'$'\n''4'$'\n''6'$'\n''9'$'\n''16'
        return
        ;;
    '--page-border')
        __airprint_add_lines 'none'$'\n''single'$'\n''single-thick'$'\n''double'$'\n''double-thick'
        return
        ;;
    '--position')
        __airprint_add_lines 'top'$'\n''center'
        return
        ;;
    '--assets')
        __airprint_add_completions -d
        return
        ;;
    '--margins')
        return
        ;;
    '--header')
        return
        ;;
    '--footer')
        return
        ;;
    '--font')
        return
        ;;
    '--align')
        __airprint_add_lines 'start'$'\n''left'$'\n''center'$'\n''right'$'\n''justify'
        return
        ;;
    '--text-color')
        __airprint_add_lines 'aqua'$'\n''black'$'\n''blue'$'\n''brown'$'\n''fuchsia'$'\n''gray'$'\n''green'$'\n''grey'$'\n''lime'$'\n''maroon'$'\n''navy'$'\n''olive'$'\n''orange'$'\n''purple'$'\n''red'$'\n''silver'$'\n''teal'$'\n''white'$'\n''yellow'
        return
        ;;
    '--renderer')
        __airprint_add_completions -f
        return
        ;;
    '--alternate')
        return
        ;;
    '--overlay')
        __airprint_add_completions -f
        return
        ;;
    '--underlay')
        __airprint_add_completions -f
        return
        ;;
    '--format')
        __airprint_add_lines 'auto'$'\n''pdf'$'\n''urf'$'\n''pwg'$'\n''jpeg'$'\n''ps'
        return
        ;;
    '--document-password-file')
        __airprint_add_completions -f
        return
        ;;
    '--password-file')
        __airprint_add_completions -f
        return
        ;;
    '--pin-file')
        __airprint_add_completions -f
        return
        ;;
    '-t'|'--title')
        return
        ;;
    '-o'|'--option')
        __airprint_add_lines 'fit-to-page'$'\n''landscape'$'\n''media=A4'$'\n''media=A5'$'\n''media=Letter'$'\n''media=Legal'$'\n''media=4x6'$'\n''number-up=2'$'\n''number-up=4'$'\n''page-ranges='$'\n''print-color-mode=color'$'\n''print-color-mode=monochrome'$'\n''print-quality=3'$'\n''print-quality=4'$'\n''print-quality=5'$'\n''sides=one-sided'$'\n''sides=two-sided-long-edge'$'\n''sides=two-sided-short-edge'$'\n''job-hold-until=indefinite'$'\n''job-hold-until=night'$'\n''job-priority=50'$'\n''finishings=staple'$'\n''finishings=punch'$'\n''finishings=fold'
        return
        ;;
    '-H'|'--hold-until')
        __airprint_add_lines 'indefinite'$'\n''day-time'$'\n''evening'$'\n''night'$'\n''weekend'$'\n''second-shift'$'\n''third-shift'
        return
        ;;
    '--priority')
        return
        ;;
    '--timeout')
        return
        ;;
    '--on-timeout')
        __airprint_add_lines 'cancel'$'\n''leave'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __airprint_add_completions -f
        return
        ;;
    esac
}

_airprint_preview() {
    repeating_flags=()
    non_repeating_flags=(--borderless --no-borderless --staple --punch --fold --odd --even --reverse --booklet --number-lines --force --strict --json -q --quiet -v --verbose --open --no-printer --version -h --help)
    repeating_options=(--alternate --overlay --underlay --option)
    non_repeating_options=(-o --output -d --to --type -n --copies -P --pages --paper --sides --color --quality --scaling --tray --media-type --cut-length --from --resolution --orientation --number-up --page-border --position --assets --margins --header --footer --font --align --text-color --renderer --format --sheet-back --document-password-file)
    __airprint_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-o'|'--output')
        __airprint_add_completions -f
        return
        ;;
    '-d'|'--to')
        __airprint_add_offers "$(__airprint_custom_complete ---completion preview -- --to "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '--type')
        __airprint_add_lines 'document'$'\n''envelope'$'\n''label'$'\n''photo'$'\n''postcard'$'\n''receipt'$'\n''roll'$'\n''large-format'$'\n''disc'
        return
        ;;
    '-n'|'--copies')
        return
        ;;
    '-P'|'--pages')
        return
        ;;
    '--paper')
        __airprint_add_offers "$(__airprint_custom_complete ---completion preview -- --paper "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '--sides')
        __airprint_add_lines 'one'$'\n''long'$'\n''short'$'\n''auto'
        return
        ;;
    '--color')
        __airprint_add_lines 'auto'$'\n''color'$'\n''gray'
        return
        ;;
    '--quality')
        __airprint_add_lines 'draft'$'\n''normal'$'\n''high'
        return
        ;;
    '--scaling')
        __airprint_add_lines 'auto'$'\n''auto-fit'$'\n''fit'$'\n''fill'$'\n''none'
        return
        ;;
    '--tray')
        __airprint_add_offers "$(__airprint_custom_complete ---completion preview -- --tray "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '--media-type')
        __airprint_add_offers "$(__airprint_custom_complete ---completion preview -- --media-type "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '--cut-length')
        __airprint_add_lines 'auto'$'\n''max'
        return
        ;;
    '--from')
        __airprint_add_lines 'md'$'\n''html'$'\n''txt'$'\n''receipt'$'\n''pdf'
        return
        ;;
    '--resolution')
        return
        ;;
    '--orientation')
        __airprint_add_lines 'auto'$'\n''portrait'$'\n''landscape'
        return
        ;;
    '--number-up')
        __airprint_add_lines '2'$'\n''4'$'\n''6'$'\n''9'$'\n''16'
        return
        ;;
    '--page-border')
        __airprint_add_lines 'none'$'\n''single'$'\n''single-thick'$'\n''double'$'\n''double-thick'
        return
        ;;
    '--position')
        __airprint_add_lines 'top'$'\n''center'
        return
        ;;
    '--assets')
        __airprint_add_completions -d
        return
        ;;
    '--margins')
        return
        ;;
    '--header')
        return
        ;;
    '--footer')
        return
        ;;
    '--font')
        return
        ;;
    '--align')
        __airprint_add_lines 'start'$'\n''left'$'\n''center'$'\n''right'$'\n''justify'
        return
        ;;
    '--text-color')
        __airprint_add_lines 'aqua'$'\n''black'$'\n''blue'$'\n''brown'$'\n''fuchsia'$'\n''gray'$'\n''green'$'\n''grey'$'\n''lime'$'\n''maroon'$'\n''navy'$'\n''olive'$'\n''orange'$'\n''purple'$'\n''red'$'\n''silver'$'\n''teal'$'\n''white'$'\n''yellow'
        return
        ;;
    '--renderer')
        __airprint_add_completions -f
        return
        ;;
    '--alternate')
        return
        ;;
    '--overlay')
        __airprint_add_completions -f
        return
        ;;
    '--underlay')
        __airprint_add_completions -f
        return
        ;;
    '--format')
        __airprint_add_lines 'auto'$'\n''pdf'$'\n''urf'$'\n''pwg'$'\n''jpeg'$'\n''ps'
        return
        ;;
    '--sheet-back')
        __airprint_add_lines 'normal'$'\n''flipped'$'\n''rotated'$'\n''manual-tumble'
        return
        ;;
    '--document-password-file')
        __airprint_add_completions -f
        return
        ;;
    '--option')
        __airprint_add_lines 'fit-to-page'$'\n''landscape'$'\n''media=A4'$'\n''media=A5'$'\n''media=Letter'$'\n''media=Legal'$'\n''media=4x6'$'\n''number-up=2'$'\n''number-up=4'$'\n''page-ranges='$'\n''print-color-mode=color'$'\n''print-color-mode=monochrome'$'\n''print-quality=3'$'\n''print-quality=4'$'\n''print-quality=5'$'\n''sides=one-sided'$'\n''sides=two-sided-long-edge'$'\n''sides=two-sided-short-edge'$'\n''job-hold-until=indefinite'$'\n''job-hold-until=night'$'\n''job-priority=50'$'\n''finishings=staple'$'\n''finishings=punch'$'\n''finishings=fold'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __airprint_add_offers "$(__airprint_custom_complete ---completion preview -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        __airprint_add_files
        return
        ;;
    esac
}

_airprint_render() {
    repeating_flags=()
    non_repeating_flags=(--borderless --no-borderless --staple --punch --fold --odd --even --reverse --booklet --number-lines --force --strict --json -q --quiet -v --verbose --version -h --help)
    repeating_options=(--alternate --overlay --underlay --option)
    non_repeating_options=(-o --output -d --to --type -n --copies -P --pages --paper --sides --color --quality --scaling --tray --media-type --cut-length --from --resolution --orientation --number-up --page-border --position --assets --margins --header --footer --font --align --text-color --renderer --format --sheet-back --document-password-file)
    __airprint_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-o'|'--output')
        __airprint_add_completions -f
        return
        ;;
    '-d'|'--to')
        __airprint_add_offers "$(__airprint_custom_complete ---completion render -- --to "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '--type')
        __airprint_add_lines 'document'$'\n''envelope'$'\n''label'$'\n''photo'$'\n''postcard'$'\n''receipt'$'\n''roll'$'\n''large-format'$'\n''disc'
        return
        ;;
    '-n'|'--copies')
        return
        ;;
    '-P'|'--pages')
        return
        ;;
    '--paper')
        __airprint_add_offers "$(__airprint_custom_complete ---completion render -- --paper "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '--sides')
        __airprint_add_lines 'one'$'\n''long'$'\n''short'$'\n''auto'
        return
        ;;
    '--color')
        __airprint_add_lines 'auto'$'\n''color'$'\n''gray'
        return
        ;;
    '--quality')
        __airprint_add_lines 'draft'$'\n''normal'$'\n''high'
        return
        ;;
    '--scaling')
        __airprint_add_lines 'auto'$'\n''auto-fit'$'\n''fit'$'\n''fill'$'\n''none'
        return
        ;;
    '--tray')
        __airprint_add_offers "$(__airprint_custom_complete ---completion render -- --tray "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '--media-type')
        __airprint_add_offers "$(__airprint_custom_complete ---completion render -- --media-type "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '--cut-length')
        __airprint_add_lines 'auto'$'\n''max'
        return
        ;;
    '--from')
        __airprint_add_lines 'md'$'\n''html'$'\n''txt'$'\n''receipt'$'\n''pdf'
        return
        ;;
    '--resolution')
        return
        ;;
    '--orientation')
        __airprint_add_lines 'auto'$'\n''portrait'$'\n''landscape'
        return
        ;;
    '--number-up')
        __airprint_add_lines '2'$'\n''4'$'\n''6'$'\n''9'$'\n''16'
        return
        ;;
    '--page-border')
        __airprint_add_lines 'none'$'\n''single'$'\n''single-thick'$'\n''double'$'\n''double-thick'
        return
        ;;
    '--position')
        __airprint_add_lines 'top'$'\n''center'
        return
        ;;
    '--assets')
        __airprint_add_completions -d
        return
        ;;
    '--margins')
        return
        ;;
    '--header')
        return
        ;;
    '--footer')
        return
        ;;
    '--font')
        return
        ;;
    '--align')
        __airprint_add_lines 'start'$'\n''left'$'\n''center'$'\n''right'$'\n''justify'
        return
        ;;
    '--text-color')
        __airprint_add_lines 'aqua'$'\n''black'$'\n''blue'$'\n''brown'$'\n''fuchsia'$'\n''gray'$'\n''green'$'\n''grey'$'\n''lime'$'\n''maroon'$'\n''navy'$'\n''olive'$'\n''orange'$'\n''purple'$'\n''red'$'\n''silver'$'\n''teal'$'\n''white'$'\n''yellow'
        return
        ;;
    '--renderer')
        __airprint_add_completions -f
        return
        ;;
    '--alternate')
        return
        ;;
    '--overlay')
        __airprint_add_completions -f
        return
        ;;
    '--underlay')
        __airprint_add_completions -f
        return
        ;;
    '--format')
        __airprint_add_lines 'auto'$'\n''pdf'$'\n''urf'$'\n''pwg'$'\n''jpeg'$'\n''ps'
        return
        ;;
    '--sheet-back')
        __airprint_add_lines 'normal'$'\n''flipped'$'\n''rotated'$'\n''manual-tumble'
        return
        ;;
    '--document-password-file')
        __airprint_add_completions -f
        return
        ;;
    '--option')
        __airprint_add_lines 'fit-to-page'$'\n''landscape'$'\n''media=A4'$'\n''media=A5'$'\n''media=Letter'$'\n''media=Legal'$'\n''media=4x6'$'\n''number-up=2'$'\n''number-up=4'$'\n''page-ranges='$'\n''print-color-mode=color'$'\n''print-color-mode=monochrome'$'\n''print-quality=3'$'\n''print-quality=4'$'\n''print-quality=5'$'\n''sides=one-sided'$'\n''sides=two-sided-long-edge'$'\n''sides=two-sided-short-edge'$'\n''job-hold-until=indefinite'$'\n''job-hold-until=night'$'\n''job-priority=50'$'\n''finishings=staple'$'\n''finishings=punch'$'\n''finishings=fold'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __airprint_add_offers "$(__airprint_custom_complete ---completion render -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        __airprint_add_files
        return
        ;;
    esac
}

_airprint_check() {
    repeating_flags=()
    non_repeating_flags=(--formats --json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--document-password-file)
    __airprint_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--document-password-file')
        __airprint_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __airprint_add_completions -f
        return
        ;;
    esac
}

_airprint_paper() {
    repeating_flags=()
    non_repeating_flags=(--borderless --no-borderless --staple --punch --fold --odd --even --reverse --booklet --number-lines --force --strict --json -q --quiet -v --verbose --version -h --help)
    repeating_options=(--alternate --overlay --underlay --option)
    non_repeating_options=(--password-file --type -n --copies -P --pages --paper --sides --color --quality --scaling --tray --media-type --cut-length --from --resolution --orientation --number-up --page-border --position --assets --margins --header --footer --font --align --text-color --renderer --format)
    __airprint_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--password-file')
        __airprint_add_completions -f
        return
        ;;
    '--type')
        __airprint_add_lines 'document'$'\n''envelope'$'\n''label'$'\n''photo'$'\n''postcard'$'\n''receipt'$'\n''roll'$'\n''large-format'$'\n''disc'
        return
        ;;
    '-n'|'--copies')
        return
        ;;
    '-P'|'--pages')
        return
        ;;
    '--paper')
        __airprint_add_offers "$(__airprint_custom_complete ---completion paper -- --paper "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '--sides')
        __airprint_add_lines 'one'$'\n''long'$'\n''short'$'\n''auto'
        return
        ;;
    '--color')
        __airprint_add_lines 'auto'$'\n''color'$'\n''gray'
        return
        ;;
    '--quality')
        __airprint_add_lines 'draft'$'\n''normal'$'\n''high'
        return
        ;;
    '--scaling')
        __airprint_add_lines 'auto'$'\n''auto-fit'$'\n''fit'$'\n''fill'$'\n''none'
        return
        ;;
    '--tray')
        __airprint_add_offers "$(__airprint_custom_complete ---completion paper -- --tray "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '--media-type')
        __airprint_add_offers "$(__airprint_custom_complete ---completion paper -- --media-type "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '--cut-length')
        __airprint_add_lines 'auto'$'\n''max'
        return
        ;;
    '--from')
        __airprint_add_lines 'md'$'\n''html'$'\n''txt'$'\n''receipt'$'\n''pdf'
        return
        ;;
    '--resolution')
        return
        ;;
    '--orientation')
        __airprint_add_lines 'auto'$'\n''portrait'$'\n''landscape'
        return
        ;;
    '--number-up')
        __airprint_add_lines '2'$'\n''4'$'\n''6'$'\n''9'$'\n''16'
        return
        ;;
    '--page-border')
        __airprint_add_lines 'none'$'\n''single'$'\n''single-thick'$'\n''double'$'\n''double-thick'
        return
        ;;
    '--position')
        __airprint_add_lines 'top'$'\n''center'
        return
        ;;
    '--assets')
        __airprint_add_completions -d
        return
        ;;
    '--margins')
        return
        ;;
    '--header')
        return
        ;;
    '--footer')
        return
        ;;
    '--font')
        return
        ;;
    '--align')
        __airprint_add_lines 'start'$'\n''left'$'\n''center'$'\n''right'$'\n''justify'
        return
        ;;
    '--text-color')
        __airprint_add_lines 'aqua'$'\n''black'$'\n''blue'$'\n''brown'$'\n''fuchsia'$'\n''gray'$'\n''green'$'\n''grey'$'\n''lime'$'\n''maroon'$'\n''navy'$'\n''olive'$'\n''orange'$'\n''purple'$'\n''red'$'\n''silver'$'\n''teal'$'\n''white'$'\n''yellow'
        return
        ;;
    '--renderer')
        __airprint_add_completions -f
        return
        ;;
    '--alternate')
        return
        ;;
    '--overlay')
        __airprint_add_completions -f
        return
        ;;
    '--underlay')
        __airprint_add_completions -f
        return
        ;;
    '--format')
        __airprint_add_lines 'auto'$'\n''pdf'$'\n''urf'$'\n''pwg'$'\n''jpeg'$'\n''ps'
        return
        ;;
    '--option')
        __airprint_add_lines 'fit-to-page'$'\n''landscape'$'\n''media=A4'$'\n''media=A5'$'\n''media=Letter'$'\n''media=Legal'$'\n''media=4x6'$'\n''number-up=2'$'\n''number-up=4'$'\n''page-ranges='$'\n''print-color-mode=color'$'\n''print-color-mode=monochrome'$'\n''print-quality=3'$'\n''print-quality=4'$'\n''print-quality=5'$'\n''sides=one-sided'$'\n''sides=two-sided-long-edge'$'\n''sides=two-sided-short-edge'$'\n''job-hold-until=indefinite'$'\n''job-hold-until=night'$'\n''job-priority=50'$'\n''finishings=staple'$'\n''finishings=punch'$'\n''finishings=fold'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __airprint_add_offers "$(__airprint_custom_complete ---completion paper -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_jobs() {
    repeating_flags=()
    non_repeating_flags=(--all --watch --json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(-n --limit)
    __airprint_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-n'|'--limit')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __airprint_add_offers "$(__airprint_custom_complete ---completion jobs -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_cancel() {
    repeating_flags=()
    non_repeating_flags=(--all --json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __airprint_offer_flags_options -1

    # Offer positional completions
    case "${positional_number}" in
    *)
        __airprint_add_offers "$(__airprint_custom_complete ---completion cancel -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_release() {
    repeating_flags=()
    non_repeating_flags=(--json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __airprint_offer_flags_options -1

    # Offer positional completions
    case "${positional_number}" in
    *)
        __airprint_add_offers "$(__airprint_custom_complete ---completion release -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_move() {
    repeating_flags=()
    non_repeating_flags=(--json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __airprint_offer_flags_options 2

    # Offer positional completions
    case "${positional_number}" in
    1)
        __airprint_add_offers "$(__airprint_custom_complete ---completion move -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    2)
        __airprint_add_offers "$(__airprint_custom_complete ---completion move -- positional@1 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_wait() {
    repeating_flags=()
    non_repeating_flags=(--json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __airprint_offer_flags_options -1

    # Offer positional completions
    case "${positional_number}" in
    *)
        __airprint_add_offers "$(__airprint_custom_complete ---completion wait -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_reprint() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(-d --to -P --pages --type --paper -n --copies --document-password-file --pin-file --password-file)
    __airprint_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-d'|'--to')
        __airprint_add_offers "$(__airprint_custom_complete ---completion reprint -- --to "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '-P'|'--pages')
        return
        ;;
    '--type')
        __airprint_add_lines 'document'$'\n''envelope'$'\n''label'$'\n''photo'$'\n''postcard'$'\n''receipt'$'\n''roll'$'\n''large-format'$'\n''disc'
        return
        ;;
    '--paper')
        __airprint_add_offers "$(__airprint_custom_complete ---completion reprint -- --paper "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '-n'|'--copies')
        return
        ;;
    '--document-password-file')
        __airprint_add_completions -f
        return
        ;;
    '--pin-file')
        __airprint_add_completions -f
        return
        ;;
    '--password-file')
        __airprint_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __airprint_add_offers "$(__airprint_custom_complete ---completion reprint -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_queue() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __airprint_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    add|list|show|remove|run|watch)
        # Offer subcommand argument completions
        "_airprint_queue_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        __airprint_add_words add list show remove run watch
        ;;
    esac
}

_airprint_queue_add() {
    repeating_flags=()
    non_repeating_flags=(--borderless --no-borderless --staple --punch --fold --odd --even --reverse --booklet --number-lines --force --strict --hold --no-wait --stop-on-error --json -q --quiet -v --verbose --version -h --help)
    repeating_options=(--alternate --overlay --underlay -o --option)
    non_repeating_options=(-d --to --type -n --copies -P --pages --paper --sides --color --quality --scaling --tray --media-type --cut-length --from --resolution --orientation --number-up --page-border --position --assets --margins --header --footer --font --align --text-color --renderer --format --document-password-file -t --title -H --hold-until --priority --timeout --on-timeout)
    __airprint_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-d'|'--to')
        __airprint_add_offers "$(__airprint_custom_complete ---completion queue add -- --to "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '--type')
        __airprint_add_lines 'document'$'\n''envelope'$'\n''label'$'\n''photo'$'\n''postcard'$'\n''receipt'$'\n''roll'$'\n''large-format'$'\n''disc'
        return
        ;;
    '-n'|'--copies')
        return
        ;;
    '-P'|'--pages')
        return
        ;;
    '--paper')
        __airprint_add_offers "$(__airprint_custom_complete ---completion queue add -- --paper "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '--sides')
        __airprint_add_lines 'one'$'\n''long'$'\n''short'$'\n''auto'
        return
        ;;
    '--color')
        __airprint_add_lines 'auto'$'\n''color'$'\n''gray'
        return
        ;;
    '--quality')
        __airprint_add_lines 'draft'$'\n''normal'$'\n''high'
        return
        ;;
    '--scaling')
        __airprint_add_lines 'auto'$'\n''auto-fit'$'\n''fit'$'\n''fill'$'\n''none'
        return
        ;;
    '--tray')
        __airprint_add_offers "$(__airprint_custom_complete ---completion queue add -- --tray "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '--media-type')
        __airprint_add_offers "$(__airprint_custom_complete ---completion queue add -- --media-type "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '--cut-length')
        __airprint_add_lines 'auto'$'\n''max'
        return
        ;;
    '--from')
        __airprint_add_lines 'md'$'\n''html'$'\n''txt'$'\n''receipt'$'\n''pdf'
        return
        ;;
    '--resolution')
        return
        ;;
    '--orientation')
        __airprint_add_lines 'auto'$'\n''portrait'$'\n''landscape'
        return
        ;;
    '--number-up')
        __airprint_add_lines '2'$'\n''4'$'\n''6'$'\n''9'$'\n''16'
        return
        ;;
    '--page-border')
        __airprint_add_lines 'none'$'\n''single'$'\n''single-thick'$'\n''double'$'\n''double-thick'
        return
        ;;
    '--position')
        __airprint_add_lines 'top'$'\n''center'
        return
        ;;
    '--assets')
        __airprint_add_completions -d
        return
        ;;
    '--margins')
        return
        ;;
    '--header')
        return
        ;;
    '--footer')
        return
        ;;
    '--font')
        return
        ;;
    '--align')
        __airprint_add_lines 'start'$'\n''left'$'\n''center'$'\n''right'$'\n''justify'
        return
        ;;
    '--text-color')
        __airprint_add_lines 'aqua'$'\n''black'$'\n''blue'$'\n''brown'$'\n''fuchsia'$'\n''gray'$'\n''green'$'\n''grey'$'\n''lime'$'\n''maroon'$'\n''navy'$'\n''olive'$'\n''orange'$'\n''purple'$'\n''red'$'\n''silver'$'\n''teal'$'\n''white'$'\n''yellow'
        return
        ;;
    '--renderer')
        __airprint_add_completions -f
        return
        ;;
    '--alternate')
        return
        ;;
    '--overlay')
        __airprint_add_completions -f
        return
        ;;
    '--underlay')
        __airprint_add_completions -f
        return
        ;;
    '--format')
        __airprint_add_lines 'auto'$'\n''pdf'$'\n''urf'$'\n''pwg'$'\n''jpeg'$'\n''ps'
        return
        ;;
    '--document-password-file')
        __airprint_add_completions -f
        return
        ;;
    '-t'|'--title')
        return
        ;;
    '-o'|'--option')
        __airprint_add_lines 'fit-to-page'$'\n''landscape'$'\n''media=A4'$'\n''media=A5'$'\n''media=Letter'$'\n''media=Legal'$'\n''media=4x6'$'\n''number-up=2'$'\n''number-up=4'$'\n''page-ranges='$'\n''print-color-mode=color'$'\n''print-color-mode=monochrome'$'\n''print-quality=3'$'\n''print-quality=4'$'\n''print-quality=5'$'\n''sides=one-sided'$'\n''sides=two-sided-long-edge'$'\n''sides=two-sided-short-edge'$'\n''job-hold-until=indefinite'$'\n''job-hold-until=night'$'\n''job-priority=50'$'\n''finishings=staple'$'\n''finishings=punch'$'\n''finishings=fold'
        return
        ;;
    '-H'|'--hold-until')
        __airprint_add_lines 'indefinite'$'\n''day-time'$'\n''evening'$'\n''night'$'\n''weekend'$'\n''second-shift'$'\n''third-shift'
        return
        ;;
    '--priority')
        return
        ;;
    '--timeout')
        return
        ;;
    '--on-timeout')
        __airprint_add_lines 'cancel'$'\n''leave'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __airprint_add_completions -f
        return
        ;;
    esac
}

_airprint_queue_list() {
    repeating_flags=()
    non_repeating_flags=(--json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __airprint_offer_flags_options 0
}

_airprint_queue_show() {
    repeating_flags=()
    non_repeating_flags=(--json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __airprint_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __airprint_add_offers "$(__airprint_custom_complete ---completion queue show -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_queue_remove() {
    repeating_flags=()
    non_repeating_flags=(--all --json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __airprint_offer_flags_options -1

    # Offer positional completions
    case "${positional_number}" in
    *)
        __airprint_add_offers "$(__airprint_custom_complete ---completion queue remove -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_queue_run() {
    repeating_flags=()
    non_repeating_flags=(--json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(-d --to --password-file)
    __airprint_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-d'|'--to')
        __airprint_add_offers "$(__airprint_custom_complete ---completion queue run -- --to "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '--password-file')
        __airprint_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __airprint_add_offers "$(__airprint_custom_complete ---completion queue run -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_queue_watch() {
    repeating_flags=()
    non_repeating_flags=(--print --json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--password-file)
    __airprint_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--password-file')
        __airprint_add_completions -f
        return
        ;;
    esac
}

_airprint_discover() {
    repeating_flags=()
    non_repeating_flags=(--color-only --duplex-only --all --watch -l --long --json -q --quiet -v --verbose --version -h --help)
    repeating_options=(--type --format --domain)
    non_repeating_options=(--name --model --location --timeout)
    __airprint_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--type')
        __airprint_add_offers "$(__airprint_custom_complete ---completion discover -- --type "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '--format')
        __airprint_add_lines 'application/pdf'$'\n''application/postscript'$'\n''image/jpeg'$'\n''image/pwg-raster'$'\n''image/urf'
        return
        ;;
    '--name')
        return
        ;;
    '--model')
        return
        ;;
    '--location')
        return
        ;;
    '--domain')
        return
        ;;
    '--timeout')
        return
        ;;
    esac
}

_airprint_pick() {
    repeating_flags=()
    non_repeating_flags=(--default --system --no-contact --color-only --duplex-only --all --json -q --quiet -v --verbose --version -h --help)
    repeating_options=(--type --set --format --domain)
    non_repeating_options=(--as --tls --from --password-file --name --model --location --timeout)
    __airprint_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--type')
        __airprint_add_offers "$(__airprint_custom_complete ---completion pick -- --type "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    '--as')
        return
        ;;
    '--set')
        return
        ;;
    '--tls')
        __airprint_add_lines '1.0'$'\n''1.1'$'\n''1.2'$'\n''1.3'
        return
        ;;
    '--from')
        __airprint_add_completions -f
        return
        ;;
    '--password-file')
        __airprint_add_completions -f
        return
        ;;
    '--format')
        __airprint_add_lines 'application/pdf'$'\n''application/postscript'$'\n''image/jpeg'$'\n''image/pwg-raster'$'\n''image/urf'
        return
        ;;
    '--name')
        return
        ;;
    '--model')
        return
        ;;
    '--location')
        return
        ;;
    '--domain')
        return
        ;;
    '--timeout')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __airprint_add_offers "$(__airprint_custom_complete ---completion pick -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_printers() {
    repeating_flags=()
    non_repeating_flags=(--check -l --long --json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __airprint_offer_flags_options 0
}

_airprint_forget() {
    repeating_flags=()
    non_repeating_flags=(--system --json -q --quiet -v --verbose --version -h --help)
    repeating_options=(--type)
    non_repeating_options=()
    __airprint_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--type')
        __airprint_add_offers "$(__airprint_custom_complete ---completion forget -- --type "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __airprint_add_offers "$(__airprint_custom_complete ---completion forget -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_default() {
    repeating_flags=()
    non_repeating_flags=(--system --json -q --quiet -v --verbose --version -h --help)
    repeating_options=(--type)
    non_repeating_options=()
    __airprint_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--type')
        __airprint_add_offers "$(__airprint_custom_complete ---completion default -- --type "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __airprint_add_offers "$(__airprint_custom_complete ---completion default -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_show() {
    repeating_flags=()
    non_repeating_flags=(--json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--password-file)
    __airprint_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--password-file')
        __airprint_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __airprint_add_offers "$(__airprint_custom_complete ---completion show -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_status() {
    repeating_flags=()
    non_repeating_flags=(--waybar --json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--password-file)
    __airprint_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--password-file')
        __airprint_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __airprint_add_offers "$(__airprint_custom_complete ---completion status -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_identify() {
    repeating_flags=()
    non_repeating_flags=(--json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--password-file)
    __airprint_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--password-file')
        __airprint_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __airprint_add_offers "$(__airprint_custom_complete ---completion identify -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_trust() {
    repeating_flags=()
    non_repeating_flags=(--yes --system --json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __airprint_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __airprint_add_offers "$(__airprint_custom_complete ---completion trust -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_login() {
    repeating_flags=()
    non_repeating_flags=(--json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--password-file --user)
    __airprint_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--password-file')
        __airprint_add_completions -f
        return
        ;;
    '--user')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __airprint_add_offers "$(__airprint_custom_complete ---completion login -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_logout() {
    repeating_flags=()
    non_repeating_flags=(--json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __airprint_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __airprint_add_offers "$(__airprint_custom_complete ---completion logout -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_config() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __airprint_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    path|edit|get|set|unset|check)
        # Offer subcommand argument completions
        "_airprint_config_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        __airprint_add_words path edit get set unset check
        ;;
    esac
}

_airprint_config_path() {
    repeating_flags=()
    non_repeating_flags=(--system --json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __airprint_offer_flags_options 0
}

_airprint_config_edit() {
    repeating_flags=()
    non_repeating_flags=(--system --json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __airprint_offer_flags_options 0
}

_airprint_config_get() {
    repeating_flags=()
    non_repeating_flags=(--system --json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __airprint_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __airprint_add_offers "$(__airprint_custom_complete ---completion config get -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_config_set() {
    repeating_flags=()
    non_repeating_flags=(--system --json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __airprint_offer_flags_options 2

    # Offer positional completions
    case "${positional_number}" in
    1)
        __airprint_add_offers "$(__airprint_custom_complete ---completion config set -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    2)
        __airprint_add_offers "$(__airprint_custom_complete ---completion config set -- positional@1 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_config_unset() {
    repeating_flags=()
    non_repeating_flags=(--system --json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __airprint_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __airprint_add_offers "$(__airprint_custom_complete ---completion config unset -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_config_check() {
    repeating_flags=()
    non_repeating_flags=(--json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __airprint_offer_flags_options 0
}

_airprint_doctor() {
    repeating_flags=()
    non_repeating_flags=(--json -q --quiet -v --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __airprint_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __airprint_add_offers "$(__airprint_custom_complete ---completion doctor -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_simulate() {
    repeating_flags=()
    non_repeating_flags=(--print-times --no-sensors --require-password --server --open --json -q --quiet -v --verbose --version -h --help)
    repeating_options=(--load --supply --fault)
    non_repeating_options=(--name --port --listen -o --output --exec --location --like --printable-area)
    __airprint_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--name')
        return
        ;;
    '--port')
        return
        ;;
    '--listen')
        __airprint_add_lines 'lo'$'\n''all'
        return
        ;;
    '-o'|'--output')
        __airprint_add_completions -d
        return
        ;;
    '--exec')
        return
        ;;
    '--load')
        return
        ;;
    '--supply')
        return
        ;;
    '--fault')
        __airprint_add_lines 'cover-open@PAGE'$'\n''door-open@PAGE'$'\n''input-tray-missing@PAGE'$'\n''jam@PAGE'$'\n''marker-supply-empty@PAGE'$'\n''media-empty@PAGE'$'\n''media-jam@PAGE'$'\n''media-needed@PAGE'$'\n''output-area-full@PAGE'$'\n''toner-empty@PAGE'$'\n''marker-supply-low'$'\n''marker-waste-almost-full'$'\n''media-low'$'\n''toner-low'$'\n''cancel@PAGE'$'\n''abort@PAGE'$'\n''busy:10s'$'\n''forget'$'\n''new-certificate'$'\n''drop@100k'$'\n''slow:50k/s'$'\n''sleep:20s'$'\n''restart'$'\n''miscount:-1'$'\n''print-job-only'$'\n''one-bit'
        return
        ;;
    '--location')
        return
        ;;
    '--like')
        __airprint_add_offers "$(__airprint_custom_complete ---completion simulate -- --like "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        __airprint_add_files
        return
        ;;
    '--printable-area')
        __airprint_add_lines 'on'$'\n''off'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __airprint_add_offers "$(__airprint_custom_complete ---completion simulate -- positional@0 "${COMP_CWORD}" "$(__airprint_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_airprint_help() {
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    __airprint_offer_flags_options -1
    case "${COMP_WORDS[COMP_CWORD - 1]}" in
    help) __airprint_add_words print preview render check paper jobs cancel release move wait reprint queue discover pick printers forget default show status identify trust login logout config doctor simulate ;;
    queue) __airprint_add_words add list show remove run watch ;;
    config) __airprint_add_words path edit get set unset check ;;
    esac
}

complete -o filenames -F _airprint airprint
