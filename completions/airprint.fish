function __airprint_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __airprint_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __airprint_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __airprint_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __airprint_parse_tokens -S
    set -l unparsed_tokens (__airprint_tokens -pc)
    switch $unparsed_tokens[1]
    case 'airprint'
        __airprint_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'print'
            __airprint_parse_subcommand -r 1 'd/to=' 'type=' 'n/copies=' 'P/pages=' 'paper=' 'sides=' 'color=' 'quality=' 'scaling=' 'tray=' 'media-type=' 'borderless' 'no-borderless' 'cut-length=' 'resolution=' 'orientation=' 'number-up=' 'position=' 'assets=' 'margins=' 'header=' 'footer=' 'font=' 'align=' 'text-color=' 'renderer=' 'alternate=+' 'overlay=+' 'underlay=+' 'format=' 'force' 'strict' 'dry-run' 'document-password-file=' 'password-file=' 'pin-file=' 't/title=' 'o/option=+' 'no-wait' 'timeout=' 'on-timeout=' 'stop-on-error' 'detach' 'later' 'notify' 'lp' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'preview'
            __airprint_parse_subcommand 1 'o/output=' 'd/to=' 'type=' 'n/copies=' 'P/pages=' 'paper=' 'sides=' 'color=' 'quality=' 'scaling=' 'tray=' 'media-type=' 'borderless' 'no-borderless' 'cut-length=' 'resolution=' 'orientation=' 'number-up=' 'position=' 'assets=' 'margins=' 'header=' 'footer=' 'font=' 'align=' 'text-color=' 'renderer=' 'alternate=+' 'overlay=+' 'underlay=+' 'format=' 'force' 'strict' 'sheet-back=' 'document-password-file=' 'option=+' 'json' 'q/quiet' 'v/verbose' 'open' 'version' 'h/help'
        case 'render'
            __airprint_parse_subcommand 1 'o/output=' 'd/to=' 'type=' 'n/copies=' 'P/pages=' 'paper=' 'sides=' 'color=' 'quality=' 'scaling=' 'tray=' 'media-type=' 'borderless' 'no-borderless' 'cut-length=' 'resolution=' 'orientation=' 'number-up=' 'position=' 'assets=' 'margins=' 'header=' 'footer=' 'font=' 'align=' 'text-color=' 'renderer=' 'alternate=+' 'overlay=+' 'underlay=+' 'format=' 'force' 'strict' 'sheet-back=' 'document-password-file=' 'option=+' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'check'
            __airprint_parse_subcommand -r 1 'formats' 'document-password-file=' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'paper'
            __airprint_parse_subcommand 1 'password-file=' 'type=' 'n/copies=' 'P/pages=' 'paper=' 'sides=' 'color=' 'quality=' 'scaling=' 'tray=' 'media-type=' 'borderless' 'no-borderless' 'cut-length=' 'resolution=' 'orientation=' 'number-up=' 'position=' 'assets=' 'margins=' 'header=' 'footer=' 'font=' 'align=' 'text-color=' 'renderer=' 'alternate=+' 'overlay=+' 'underlay=+' 'format=' 'force' 'strict' 'option=+' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'jobs'
            __airprint_parse_subcommand 1 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'cancel'
            __airprint_parse_subcommand -r 1 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'wait'
            __airprint_parse_subcommand -r 1 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'reprint'
            __airprint_parse_subcommand 1 'd/to=' 'P/pages=' 'n/copies=' 'document-password-file=' 'pin-file=' 'password-file=' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'queue'
            __airprint_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'add'
                __airprint_parse_subcommand -r 1 'd/to=' 'type=' 'n/copies=' 'P/pages=' 'paper=' 'sides=' 'color=' 'quality=' 'scaling=' 'tray=' 'media-type=' 'borderless' 'no-borderless' 'cut-length=' 'resolution=' 'orientation=' 'number-up=' 'position=' 'assets=' 'margins=' 'header=' 'footer=' 'font=' 'align=' 'text-color=' 'renderer=' 'alternate=+' 'overlay=+' 'underlay=+' 'format=' 'force' 'strict' 'document-password-file=' 't/title=' 'o/option=+' 'no-wait' 'timeout=' 'on-timeout=' 'stop-on-error' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
            case 'list'
                __airprint_parse_subcommand 0 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
            case 'show'
                __airprint_parse_subcommand 1 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
            case 'remove'
                __airprint_parse_subcommand -r 1 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
            case 'run'
                __airprint_parse_subcommand -r 1 'd/to=' 'password-file=' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
            case 'watch'
                __airprint_parse_subcommand 0 'print' 'password-file=' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
            end
        case 'discover'
            __airprint_parse_subcommand 0 'type=+' 'color-only' 'duplex-only' 'format=+' 'name=' 'model=' 'location=' 'all' 'domain=' 'timeout=' 'watch' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'pick'
            __airprint_parse_subcommand 1 'type=+' 'as=' 'default' 'set=+' 'system' 'no-contact' 'password-file=' 'color-only' 'duplex-only' 'format=+' 'name=' 'model=' 'location=' 'all' 'domain=' 'timeout=' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'printers'
            __airprint_parse_subcommand 0 'check' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'forget'
            __airprint_parse_subcommand 1 'system' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'default'
            __airprint_parse_subcommand 1 'type=+' 'system' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'show'
            __airprint_parse_subcommand 1 'password-file=' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'status'
            __airprint_parse_subcommand 1 'password-file=' 'waybar' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'identify'
            __airprint_parse_subcommand 1 'password-file=' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'trust'
            __airprint_parse_subcommand 1 'password-file=' 'yes' 'system' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'login'
            __airprint_parse_subcommand 1 'password-file=' 'user=' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'logout'
            __airprint_parse_subcommand 1 'password-file=' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'doctor'
            __airprint_parse_subcommand 1 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'simulate'
            __airprint_parse_subcommand -r 1 'name=' 'port=' 'listen=' 'output=' 'exec=' 'load=+' 'supply=+' 'fault=+' 'location=' 'like=' 'print-times' 'no-sensors' 'printable-area=' 'require-password' 'open' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'help'
            __airprint_parse_subcommand -r 1 'version'
        end
    end
end

function __airprint_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __airprint_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __airprint_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __airprint_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__airprint_tokens -p)
    if test -z "$(__airprint_tokens -t)"
        set -l index (count (__airprint_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'airprint' -f
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'print' -d 'Print files, one job each, and wait until the paper is out.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'preview' -d 'Write a picture of the pages as they would come out.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'render' -d 'Write the bytes that a printer would get: URF, PWG Raster, PDF or JPEG.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'check' -d 'Tell whether files can be printed, and what they are; asks no printer.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'paper' -d 'Tell the paper that a job would get, for programs that lay out their own pages.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'jobs' -d 'List your jobs: state, pages done, why they wait.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'cancel' -d 'Cancel jobs at their printers.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'wait' -d 'Wait until jobs are over, and exit as print would have.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'reprint' -d 'Print a job once more, as a new job.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'queue' -d 'Print later: keep documents until their printer is there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'discover' -d 'List the printers on the network, as they answer.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'pick' -d 'Choose a printer and save it.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'printers' -d 'List the printers that were picked.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'forget' -d 'Remove a saved printer.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'default' -d 'Choose the saved printer that is used when none is named.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'show' -d 'Contact a printer and tell what it is, how it is and what is loaded.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'status' -d 'Tell how a printer is in one line, at once, for a bar or a prompt.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'identify' -d 'Make a printer flash or beep.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'trust' -d 'Accept a printer\'s new certificate.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'login' -d 'Keep a user name and a password for a printer.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'logout' -d 'Forget a printer\'s user name and password.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'doctor' -d 'Tell what works here, and what mends the rest.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'simulate' -d 'Simulate printers: real ones on the network, whose paper comes out as pictures.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint print" -ge 1' -F
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" d to' -s 'd' -l 'to' -d 'The printer: a saved name, a URI, a UUID, a name on the network, or part of a name; else the one saved for the type, else the default.' -rfka '(__airprint_custom_completion ---completion print -- --to (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" type' -l 'type' -d 'What the sheet is for: document, envelope, label, photo, postcard, receipt, roll, large-format or disc.' -rfka 'document envelope label photo postcard receipt roll large-format disc'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" copies n' -s 'n' -l 'copies' -d 'How many copies.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" P pages' -s 'P' -l 'pages' -d 'Which pages: 1-3,7,9- by position, or labels: iv,A-1.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" paper' -l 'paper' -d 'A4, letter, 4x6, 80mm, 62x100mm or a PWG name; of several the first that is loaded; best: the nearest that is loaded.' -rfka '(__airprint_custom_completion ---completion print -- --paper (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" sides' -l 'sides' -d 'One side, or both turned over the long or the short edge: one, long, short or auto.' -rfka 'one long short auto'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" color' -l 'color' -d 'Ink: auto, color or gray.' -rfka 'auto color gray'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" quality' -l 'quality' -d 'Quality: draft, normal or high.' -rfka 'draft normal high'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" scaling' -l 'scaling' -d 'How a page meets the sheet: auto, auto-fit, fit, fill or none.' -rfka 'auto auto-fit fit fill none'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" tray' -l 'tray' -d 'The tray, by the printer\'s media-source keyword.' -rfka '(__airprint_custom_completion ---completion print -- --tray (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" media-type' -l 'media-type' -d 'The medium, by the printer\'s media-type keyword.' -rfka '(__airprint_custom_completion ---completion print -- --media-type (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" borderless' -l 'borderless' -d 'Print to the paper\'s edge, or keep a margin.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" no-borderless' -l 'no-borderless' -d 'Print to the paper\'s edge, or keep a margin.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" cut-length' -l 'cut-length' -d 'Where a roll is cut: auto, max or a length (120mm).' -rfka 'auto max'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" resolution' -l 'resolution' -d 'Dots per inch: 300, 600dpi or 600x1200dpi.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" orientation' -l 'orientation' -d 'Which way round: auto, portrait or landscape.' -rfka 'auto portrait landscape'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" number-up' -l 'number-up' -d 'Pages on each side: 2, 4, 6, 9 or 16.' -rfka '2 4 6 9 16'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" position' -l 'position' -d 'Where a page lies that is smaller than its sheet: top or center.' -rfka 'top center'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" assets' -l 'assets' -d 'Where the pictures and style sheets of an HTML page are; else its own folder.' -rfa '(__airprint_complete_directories)'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" margins' -l 'margins' -d 'What stays free around every page, from the paper\'s edge: 36pt or 10mm; with commas top and bottom, left and right (1in,20mm), or top, right, bottom, left.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" header' -l 'header' -d 'A line above every page: left|centre|right, with {page} {pages} {title} {file} {date}.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" footer' -l 'footer' -d 'A line below every page, like the header.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" font' -l 'font' -d 'The font of plain text and its size in points: "Noto Sans 11".' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" align' -l 'align' -d 'Where lines of plain text stand: start, left, center, right or justify.' -rfka 'start left center right justify'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" text-color' -l 'text-color' -d 'The ink of plain text: a name or #rrggbb.' -rfka 'aqua black blue brown fuchsia gray green grey lime maroon navy olive orange purple red silver teal white yellow'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" renderer' -l 'renderer' -d 'A program that is told the paper and makes the pages; the file is its data.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print"' -l 'alternate' -d 'Another file where this paper is what was agreed on; may be repeated.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print"' -l 'overlay' -d 'Draw a picture, a PDF, a text file or text:WORDS over the pages; after its name @page=1,3-|first|last|odd|even,rect=x,y,w,h, opacity=0.3 and rotate=45 with commas between them; or a stamp of the settings by its name.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print"' -l 'underlay' -d 'Draw it under what is on the pages.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" format' -l 'format' -d 'What is sent: auto, pdf, urf, pwg or jpeg.' -rfka 'auto pdf urf pwg jpeg'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" force' -l 'force' -d 'Take paper that is not loaded, or a type that the printer does not serve.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" strict' -l 'strict' -d 'Fail rather than replace what the printer can\'t do.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" dry-run' -l 'dry-run' -d 'Show what would be done and why; send nothing.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" document-password-file' -l 'document-password-file' -d 'The file whose first line opens documents that are protected by a password.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" password-file' -l 'password-file' -d 'The file whose first line is USER:PASSWORD for the printer; else what airprint login keeps.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" pin-file' -l 'pin-file' -d 'The file whose first line is a PIN: the printer prints when somebody types it there.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" t title' -s 't' -l 'title' -d 'The job\'s name; usually the file\'s.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print"' -s 'o' -l 'option' -d 'Any IPP job attribute that the printer knows, or what lp takes: fit-to-page, media=A4,Tray2.' -rfka 'fit-to-page landscape media= number-up= page-ranges= print-color-mode=monochrome print-quality= sides=one-sided sides=two-sided-long-edge sides=two-sided-short-edge job-hold-until= job-priority= finishings='
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" no-wait' -l 'no-wait' -d 'End when the printer has the whole document.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" timeout' -l 'timeout' -d 'Give up when nothing has gone forward for this long; 300 without a terminal, else never.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" on-timeout' -l 'on-timeout' -d 'What becomes of the job when the time is over and no sheet is out: cancel or leave.' -rfka 'cancel leave'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" stop-on-error' -l 'stop-on-error' -d 'Print no more files when one has failed.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" detach' -l 'detach' -d 'End when the document is safe in the journal, with its ID on standard output; a process in a session of its own prints it.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" later' -l 'later' -d 'Queue the document to be printed later, as airprint queue add does.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" notify' -l 'notify' -d 'Say on the desktop how each job ended.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" lp' -l 'lp' -d 'Write "request id is PRINTER-NUMBER (1 file(s))" when a file is sent, as lp does.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint print" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint preview" -eq 1' -F
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" o output' -s 'o' -l 'output' -d 'Where to write; - is standard output.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" d to' -s 'd' -l 'to' -d 'Draw as for this printer, which is asked what it can do and what is loaded.' -rfka '(__airprint_custom_completion ---completion preview -- --to (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" type' -l 'type' -d 'What the sheet is for: document, envelope, label, photo, postcard, receipt, roll, large-format or disc.' -rfka 'document envelope label photo postcard receipt roll large-format disc'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" copies n' -s 'n' -l 'copies' -d 'How many copies.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" P pages' -s 'P' -l 'pages' -d 'Which pages: 1-3,7,9- by position, or labels: iv,A-1.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" paper' -l 'paper' -d 'A4, letter, 4x6, 80mm, 62x100mm or a PWG name; of several the first that is loaded; best: the nearest that is loaded.' -rfka '(__airprint_custom_completion ---completion preview -- --paper (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" sides' -l 'sides' -d 'One side, or both turned over the long or the short edge: one, long, short or auto.' -rfka 'one long short auto'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" color' -l 'color' -d 'Ink: auto, color or gray.' -rfka 'auto color gray'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" quality' -l 'quality' -d 'Quality: draft, normal or high.' -rfka 'draft normal high'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" scaling' -l 'scaling' -d 'How a page meets the sheet: auto, auto-fit, fit, fill or none.' -rfka 'auto auto-fit fit fill none'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" tray' -l 'tray' -d 'The tray, by the printer\'s media-source keyword.' -rfka '(__airprint_custom_completion ---completion preview -- --tray (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" media-type' -l 'media-type' -d 'The medium, by the printer\'s media-type keyword.' -rfka '(__airprint_custom_completion ---completion preview -- --media-type (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" borderless' -l 'borderless' -d 'Print to the paper\'s edge, or keep a margin.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" no-borderless' -l 'no-borderless' -d 'Print to the paper\'s edge, or keep a margin.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" cut-length' -l 'cut-length' -d 'Where a roll is cut: auto, max or a length (120mm).' -rfka 'auto max'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" resolution' -l 'resolution' -d 'Dots per inch: 300, 600dpi or 600x1200dpi.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" orientation' -l 'orientation' -d 'Which way round: auto, portrait or landscape.' -rfka 'auto portrait landscape'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" number-up' -l 'number-up' -d 'Pages on each side: 2, 4, 6, 9 or 16.' -rfka '2 4 6 9 16'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" position' -l 'position' -d 'Where a page lies that is smaller than its sheet: top or center.' -rfka 'top center'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" assets' -l 'assets' -d 'Where the pictures and style sheets of an HTML page are; else its own folder.' -rfa '(__airprint_complete_directories)'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" margins' -l 'margins' -d 'What stays free around every page, from the paper\'s edge: 36pt or 10mm; with commas top and bottom, left and right (1in,20mm), or top, right, bottom, left.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" header' -l 'header' -d 'A line above every page: left|centre|right, with {page} {pages} {title} {file} {date}.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" footer' -l 'footer' -d 'A line below every page, like the header.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" font' -l 'font' -d 'The font of plain text and its size in points: "Noto Sans 11".' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" align' -l 'align' -d 'Where lines of plain text stand: start, left, center, right or justify.' -rfka 'start left center right justify'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" text-color' -l 'text-color' -d 'The ink of plain text: a name or #rrggbb.' -rfka 'aqua black blue brown fuchsia gray green grey lime maroon navy olive orange purple red silver teal white yellow'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" renderer' -l 'renderer' -d 'A program that is told the paper and makes the pages; the file is its data.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview"' -l 'alternate' -d 'Another file where this paper is what was agreed on; may be repeated.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview"' -l 'overlay' -d 'Draw a picture, a PDF, a text file or text:WORDS over the pages; after its name @page=1,3-|first|last|odd|even,rect=x,y,w,h, opacity=0.3 and rotate=45 with commas between them; or a stamp of the settings by its name.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview"' -l 'underlay' -d 'Draw it under what is on the pages.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" format' -l 'format' -d 'What is sent: auto, pdf, urf, pwg or jpeg.' -rfka 'auto pdf urf pwg jpeg'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" force' -l 'force' -d 'Take paper that is not loaded, or a type that the printer does not serve.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" strict' -l 'strict' -d 'Fail rather than replace what the printer can\'t do.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" sheet-back' -l 'sheet-back' -d 'How back sides are turned where no printer says: normal, flipped, rotated or manual-tumble.' -rfka 'normal flipped rotated manual-tumble'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" document-password-file' -l 'document-password-file' -d 'The file whose first line opens documents that are protected by a password.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview"' -l 'option' -d 'Any IPP job attribute that the printer knows, or what lp takes: fit-to-page, media=A4,Tray2.' -rfka 'fit-to-page landscape media= number-up= page-ranges= print-color-mode=monochrome print-quality= sides=one-sided sides=two-sided-long-edge sides=two-sided-short-edge job-hold-until= job-priority= finishings='
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" open' -l 'open' -d 'Open the result on the desktop.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint preview" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint render" -eq 1' -F
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" o output' -s 'o' -l 'output' -d 'Where to write; - is standard output.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" d to' -s 'd' -l 'to' -d 'Draw as for this printer, which is asked what it can do and what is loaded.' -rfka '(__airprint_custom_completion ---completion render -- --to (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" type' -l 'type' -d 'What the sheet is for: document, envelope, label, photo, postcard, receipt, roll, large-format or disc.' -rfka 'document envelope label photo postcard receipt roll large-format disc'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" copies n' -s 'n' -l 'copies' -d 'How many copies.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" P pages' -s 'P' -l 'pages' -d 'Which pages: 1-3,7,9- by position, or labels: iv,A-1.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" paper' -l 'paper' -d 'A4, letter, 4x6, 80mm, 62x100mm or a PWG name; of several the first that is loaded; best: the nearest that is loaded.' -rfka '(__airprint_custom_completion ---completion render -- --paper (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" sides' -l 'sides' -d 'One side, or both turned over the long or the short edge: one, long, short or auto.' -rfka 'one long short auto'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" color' -l 'color' -d 'Ink: auto, color or gray.' -rfka 'auto color gray'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" quality' -l 'quality' -d 'Quality: draft, normal or high.' -rfka 'draft normal high'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" scaling' -l 'scaling' -d 'How a page meets the sheet: auto, auto-fit, fit, fill or none.' -rfka 'auto auto-fit fit fill none'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" tray' -l 'tray' -d 'The tray, by the printer\'s media-source keyword.' -rfka '(__airprint_custom_completion ---completion render -- --tray (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" media-type' -l 'media-type' -d 'The medium, by the printer\'s media-type keyword.' -rfka '(__airprint_custom_completion ---completion render -- --media-type (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" borderless' -l 'borderless' -d 'Print to the paper\'s edge, or keep a margin.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" no-borderless' -l 'no-borderless' -d 'Print to the paper\'s edge, or keep a margin.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" cut-length' -l 'cut-length' -d 'Where a roll is cut: auto, max or a length (120mm).' -rfka 'auto max'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" resolution' -l 'resolution' -d 'Dots per inch: 300, 600dpi or 600x1200dpi.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" orientation' -l 'orientation' -d 'Which way round: auto, portrait or landscape.' -rfka 'auto portrait landscape'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" number-up' -l 'number-up' -d 'Pages on each side: 2, 4, 6, 9 or 16.' -rfka '2 4 6 9 16'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" position' -l 'position' -d 'Where a page lies that is smaller than its sheet: top or center.' -rfka 'top center'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" assets' -l 'assets' -d 'Where the pictures and style sheets of an HTML page are; else its own folder.' -rfa '(__airprint_complete_directories)'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" margins' -l 'margins' -d 'What stays free around every page, from the paper\'s edge: 36pt or 10mm; with commas top and bottom, left and right (1in,20mm), or top, right, bottom, left.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" header' -l 'header' -d 'A line above every page: left|centre|right, with {page} {pages} {title} {file} {date}.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" footer' -l 'footer' -d 'A line below every page, like the header.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" font' -l 'font' -d 'The font of plain text and its size in points: "Noto Sans 11".' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" align' -l 'align' -d 'Where lines of plain text stand: start, left, center, right or justify.' -rfka 'start left center right justify'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" text-color' -l 'text-color' -d 'The ink of plain text: a name or #rrggbb.' -rfka 'aqua black blue brown fuchsia gray green grey lime maroon navy olive orange purple red silver teal white yellow'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" renderer' -l 'renderer' -d 'A program that is told the paper and makes the pages; the file is its data.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render"' -l 'alternate' -d 'Another file where this paper is what was agreed on; may be repeated.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render"' -l 'overlay' -d 'Draw a picture, a PDF, a text file or text:WORDS over the pages; after its name @page=1,3-|first|last|odd|even,rect=x,y,w,h, opacity=0.3 and rotate=45 with commas between them; or a stamp of the settings by its name.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render"' -l 'underlay' -d 'Draw it under what is on the pages.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" format' -l 'format' -d 'What is sent: auto, pdf, urf, pwg or jpeg.' -rfka 'auto pdf urf pwg jpeg'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" force' -l 'force' -d 'Take paper that is not loaded, or a type that the printer does not serve.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" strict' -l 'strict' -d 'Fail rather than replace what the printer can\'t do.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" sheet-back' -l 'sheet-back' -d 'How back sides are turned where no printer says: normal, flipped, rotated or manual-tumble.' -rfka 'normal flipped rotated manual-tumble'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" document-password-file' -l 'document-password-file' -d 'The file whose first line opens documents that are protected by a password.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render"' -l 'option' -d 'Any IPP job attribute that the printer knows, or what lp takes: fit-to-page, media=A4,Tray2.' -rfka 'fit-to-page landscape media= number-up= page-ranges= print-color-mode=monochrome print-quality= sides=one-sided sides=two-sided-long-edge sides=two-sided-short-edge job-hold-until= job-priority= finishings='
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint render" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint check" -ge 1' -F
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint check" formats' -l 'formats' -d 'List every media type that can be printed, and what reads it.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint check" document-password-file' -l 'document-password-file' -d 'The file whose first line opens documents that are protected by a password.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint check" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint check" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint check" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint check" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint check" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint paper" -eq 1' -fka '(__airprint_custom_completion ---completion paper -- positional@0 (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" password-file' -l 'password-file' -d 'The file whose first line is USER:PASSWORD for the printer; else what airprint login keeps.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" type' -l 'type' -d 'What the sheet is for: document, envelope, label, photo, postcard, receipt, roll, large-format or disc.' -rfka 'document envelope label photo postcard receipt roll large-format disc'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" copies n' -s 'n' -l 'copies' -d 'How many copies.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" P pages' -s 'P' -l 'pages' -d 'Which pages: 1-3,7,9- by position, or labels: iv,A-1.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" paper' -l 'paper' -d 'A4, letter, 4x6, 80mm, 62x100mm or a PWG name; of several the first that is loaded; best: the nearest that is loaded.' -rfka '(__airprint_custom_completion ---completion paper -- --paper (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" sides' -l 'sides' -d 'One side, or both turned over the long or the short edge: one, long, short or auto.' -rfka 'one long short auto'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" color' -l 'color' -d 'Ink: auto, color or gray.' -rfka 'auto color gray'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" quality' -l 'quality' -d 'Quality: draft, normal or high.' -rfka 'draft normal high'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" scaling' -l 'scaling' -d 'How a page meets the sheet: auto, auto-fit, fit, fill or none.' -rfka 'auto auto-fit fit fill none'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" tray' -l 'tray' -d 'The tray, by the printer\'s media-source keyword.' -rfka '(__airprint_custom_completion ---completion paper -- --tray (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" media-type' -l 'media-type' -d 'The medium, by the printer\'s media-type keyword.' -rfka '(__airprint_custom_completion ---completion paper -- --media-type (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" borderless' -l 'borderless' -d 'Print to the paper\'s edge, or keep a margin.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" no-borderless' -l 'no-borderless' -d 'Print to the paper\'s edge, or keep a margin.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" cut-length' -l 'cut-length' -d 'Where a roll is cut: auto, max or a length (120mm).' -rfka 'auto max'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" resolution' -l 'resolution' -d 'Dots per inch: 300, 600dpi or 600x1200dpi.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" orientation' -l 'orientation' -d 'Which way round: auto, portrait or landscape.' -rfka 'auto portrait landscape'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" number-up' -l 'number-up' -d 'Pages on each side: 2, 4, 6, 9 or 16.' -rfka '2 4 6 9 16'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" position' -l 'position' -d 'Where a page lies that is smaller than its sheet: top or center.' -rfka 'top center'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" assets' -l 'assets' -d 'Where the pictures and style sheets of an HTML page are; else its own folder.' -rfa '(__airprint_complete_directories)'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" margins' -l 'margins' -d 'What stays free around every page, from the paper\'s edge: 36pt or 10mm; with commas top and bottom, left and right (1in,20mm), or top, right, bottom, left.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" header' -l 'header' -d 'A line above every page: left|centre|right, with {page} {pages} {title} {file} {date}.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" footer' -l 'footer' -d 'A line below every page, like the header.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" font' -l 'font' -d 'The font of plain text and its size in points: "Noto Sans 11".' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" align' -l 'align' -d 'Where lines of plain text stand: start, left, center, right or justify.' -rfka 'start left center right justify'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" text-color' -l 'text-color' -d 'The ink of plain text: a name or #rrggbb.' -rfka 'aqua black blue brown fuchsia gray green grey lime maroon navy olive orange purple red silver teal white yellow'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" renderer' -l 'renderer' -d 'A program that is told the paper and makes the pages; the file is its data.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper"' -l 'alternate' -d 'Another file where this paper is what was agreed on; may be repeated.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper"' -l 'overlay' -d 'Draw a picture, a PDF, a text file or text:WORDS over the pages; after its name @page=1,3-|first|last|odd|even,rect=x,y,w,h, opacity=0.3 and rotate=45 with commas between them; or a stamp of the settings by its name.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper"' -l 'underlay' -d 'Draw it under what is on the pages.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" format' -l 'format' -d 'What is sent: auto, pdf, urf, pwg or jpeg.' -rfka 'auto pdf urf pwg jpeg'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" force' -l 'force' -d 'Take paper that is not loaded, or a type that the printer does not serve.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" strict' -l 'strict' -d 'Fail rather than replace what the printer can\'t do.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper"' -l 'option' -d 'Any IPP job attribute that the printer knows, or what lp takes: fit-to-page, media=A4,Tray2.' -rfka 'fit-to-page landscape media= number-up= page-ranges= print-color-mode=monochrome print-quality= sides=one-sided sides=two-sided-long-edge sides=two-sided-short-edge job-hold-until= job-priority= finishings='
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint paper" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint jobs" -eq 1' -fka '(__airprint_custom_completion ---completion jobs -- positional@0 (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint jobs" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint jobs" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint jobs" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint jobs" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint jobs" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint cancel" -ge 1' -fka '(__airprint_custom_completion ---completion cancel -- positional@0 (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint cancel" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint cancel" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint cancel" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint cancel" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint cancel" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint wait" -ge 1' -fka '(__airprint_custom_completion ---completion wait -- positional@0 (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint wait" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint wait" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint wait" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint wait" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint wait" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint reprint" -eq 1' -fka '(__airprint_custom_completion ---completion reprint -- positional@0 (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint reprint" d to' -s 'd' -l 'to' -d 'The printer: a saved name, a URI, a UUID, a name on the network, or part of a name; else the one saved for the type, else the default.' -rfka '(__airprint_custom_completion ---completion reprint -- --to (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint reprint" P pages' -s 'P' -l 'pages' -d 'Which pages: 1-3,7,9- by position, or labels: iv,A-1.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint reprint" copies n' -s 'n' -l 'copies' -d 'How many copies.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint reprint" document-password-file' -l 'document-password-file' -d 'The file whose first line opens documents that are protected by a password.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint reprint" pin-file' -l 'pin-file' -d 'The file whose first line is a PIN: the printer prints when somebody types it there.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint reprint" password-file' -l 'password-file' -d 'The file whose first line is USER:PASSWORD for the printer; else what airprint login keeps.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint reprint" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint reprint" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint reprint" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint reprint" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint reprint" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint queue" -eq 1' -fa 'add' -d 'Queue documents, one job each; no printer is asked.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint queue" -eq 1' -fa 'list' -d 'List what waits, oldest first, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint queue" -eq 1' -fa 'show' -d 'Tell what a job that waits asks for.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint queue" -eq 1' -fa 'remove' -d 'Take jobs out of the queue, with their copies.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint queue" -eq 1' -fa 'run' -d 'Print what waits, each printer\'s jobs oldest first, and leave what can\'t be printed.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint queue" -eq 1' -fa 'watch' -d 'Wait for the printers of what waits, then call somebody, or print.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint queue add" -ge 1' -F
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" d to' -s 'd' -l 'to' -d 'The printer: a saved name, a URI, a UUID, a name on the network, or part of a name; else the one saved for the type, else the default.' -rfka '(__airprint_custom_completion ---completion queue add -- --to (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" type' -l 'type' -d 'What the sheet is for: document, envelope, label, photo, postcard, receipt, roll, large-format or disc.' -rfka 'document envelope label photo postcard receipt roll large-format disc'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" copies n' -s 'n' -l 'copies' -d 'How many copies.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" P pages' -s 'P' -l 'pages' -d 'Which pages: 1-3,7,9- by position, or labels: iv,A-1.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" paper' -l 'paper' -d 'A4, letter, 4x6, 80mm, 62x100mm or a PWG name; of several the first that is loaded; best: the nearest that is loaded.' -rfka '(__airprint_custom_completion ---completion queue add -- --paper (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" sides' -l 'sides' -d 'One side, or both turned over the long or the short edge: one, long, short or auto.' -rfka 'one long short auto'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" color' -l 'color' -d 'Ink: auto, color or gray.' -rfka 'auto color gray'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" quality' -l 'quality' -d 'Quality: draft, normal or high.' -rfka 'draft normal high'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" scaling' -l 'scaling' -d 'How a page meets the sheet: auto, auto-fit, fit, fill or none.' -rfka 'auto auto-fit fit fill none'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" tray' -l 'tray' -d 'The tray, by the printer\'s media-source keyword.' -rfka '(__airprint_custom_completion ---completion queue add -- --tray (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" media-type' -l 'media-type' -d 'The medium, by the printer\'s media-type keyword.' -rfka '(__airprint_custom_completion ---completion queue add -- --media-type (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" borderless' -l 'borderless' -d 'Print to the paper\'s edge, or keep a margin.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" no-borderless' -l 'no-borderless' -d 'Print to the paper\'s edge, or keep a margin.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" cut-length' -l 'cut-length' -d 'Where a roll is cut: auto, max or a length (120mm).' -rfka 'auto max'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" resolution' -l 'resolution' -d 'Dots per inch: 300, 600dpi or 600x1200dpi.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" orientation' -l 'orientation' -d 'Which way round: auto, portrait or landscape.' -rfka 'auto portrait landscape'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" number-up' -l 'number-up' -d 'Pages on each side: 2, 4, 6, 9 or 16.' -rfka '2 4 6 9 16'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" position' -l 'position' -d 'Where a page lies that is smaller than its sheet: top or center.' -rfka 'top center'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" assets' -l 'assets' -d 'Where the pictures and style sheets of an HTML page are; else its own folder.' -rfa '(__airprint_complete_directories)'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" margins' -l 'margins' -d 'What stays free around every page, from the paper\'s edge: 36pt or 10mm; with commas top and bottom, left and right (1in,20mm), or top, right, bottom, left.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" header' -l 'header' -d 'A line above every page: left|centre|right, with {page} {pages} {title} {file} {date}.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" footer' -l 'footer' -d 'A line below every page, like the header.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" font' -l 'font' -d 'The font of plain text and its size in points: "Noto Sans 11".' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" align' -l 'align' -d 'Where lines of plain text stand: start, left, center, right or justify.' -rfka 'start left center right justify'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" text-color' -l 'text-color' -d 'The ink of plain text: a name or #rrggbb.' -rfka 'aqua black blue brown fuchsia gray green grey lime maroon navy olive orange purple red silver teal white yellow'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" renderer' -l 'renderer' -d 'A program that is told the paper and makes the pages; the file is its data.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add"' -l 'alternate' -d 'Another file where this paper is what was agreed on; may be repeated.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add"' -l 'overlay' -d 'Draw a picture, a PDF, a text file or text:WORDS over the pages; after its name @page=1,3-|first|last|odd|even,rect=x,y,w,h, opacity=0.3 and rotate=45 with commas between them; or a stamp of the settings by its name.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add"' -l 'underlay' -d 'Draw it under what is on the pages.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" format' -l 'format' -d 'What is sent: auto, pdf, urf, pwg or jpeg.' -rfka 'auto pdf urf pwg jpeg'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" force' -l 'force' -d 'Take paper that is not loaded, or a type that the printer does not serve.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" strict' -l 'strict' -d 'Fail rather than replace what the printer can\'t do.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" document-password-file' -l 'document-password-file' -d 'The file whose first line opens documents that are protected by a password.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" t title' -s 't' -l 'title' -d 'The job\'s name; usually the file\'s.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add"' -s 'o' -l 'option' -d 'Any IPP job attribute that the printer knows, or what lp takes: fit-to-page, media=A4,Tray2.' -rfka 'fit-to-page landscape media= number-up= page-ranges= print-color-mode=monochrome print-quality= sides=one-sided sides=two-sided-long-edge sides=two-sided-short-edge job-hold-until= job-priority= finishings='
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" no-wait' -l 'no-wait' -d 'End when the printer has the whole document.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" timeout' -l 'timeout' -d 'Give up when nothing has gone forward for this long; 300 without a terminal, else never.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" on-timeout' -l 'on-timeout' -d 'What becomes of the job when the time is over and no sheet is out: cancel or leave.' -rfka 'cancel leave'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" stop-on-error' -l 'stop-on-error' -d 'Print no more files when one has failed.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue add" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue list" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue list" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue list" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue list" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint queue show" -eq 1' -fka '(__airprint_custom_completion ---completion queue show -- positional@0 (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue show" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue show" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue show" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue show" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint queue remove" -ge 1' -fka '(__airprint_custom_completion ---completion queue remove -- positional@0 (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue remove" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue remove" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue remove" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue remove" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue remove" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint queue run" -ge 1' -fka '(__airprint_custom_completion ---completion queue run -- positional@0 (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue run" d to' -s 'd' -l 'to' -d 'The printer: a saved name, a URI, a UUID, a name on the network, or part of a name; else the one saved for the type, else the default.' -rfka '(__airprint_custom_completion ---completion queue run -- --to (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue run" password-file' -l 'password-file' -d 'The file whose first line is USER:PASSWORD for the printer; else what airprint login keeps.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue run" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue run" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue run" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue run" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue run" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue watch" print' -l 'print' -d 'Print what waits as soon as its printer is there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue watch" password-file' -l 'password-file' -d 'The file whose first line is USER:PASSWORD for the printer; else what airprint login keeps.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue watch" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue watch" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue watch" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue watch" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint queue watch" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint discover"' -l 'type' -d 'Only printers for all of these types: document, envelope, label, photo, postcard, receipt, roll, large-format, disc.' -rfka 'document envelope label photo postcard receipt roll large-format disc'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint discover" color-only' -l 'color-only' -d 'Only printers that print colour.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint discover" duplex-only' -l 'duplex-only' -d 'Only printers that print on both sides.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint discover"' -l 'format' -d 'Only printers that read this media type, such as application/pdf.' -rfka 'application/pdf image/jpeg image/pwg-raster image/urf'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint discover" name' -l 'name' -d 'Only names like this (*, ?, […]).' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint discover" model' -l 'model' -d 'Only models like this.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint discover" location' -l 'location' -d 'Only locations like this.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint discover" all' -l 'all' -d 'Also printers that read nothing that airprint can send.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint discover" domain' -l 'domain' -d 'The DNS-SD domain to search; usually local.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint discover" timeout' -l 'timeout' -d 'Search no longer than this; usually 5.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint discover" watch' -l 'watch' -d 'Go on, and tell which printers come and go.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint discover" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint discover" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint discover" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint discover" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint discover" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint pick" -eq 1' -fka '(__airprint_custom_completion ---completion pick -- positional@0 (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint pick"' -l 'type' -d 'Use it for these types: document, envelope, label, photo, postcard, receipt, roll, large-format, disc. The list shows printers for all of them.' -rfka 'document envelope label photo postcard receipt roll large-format disc'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint pick" as' -l 'as' -d 'Save it under this name.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint pick" default' -l 'default' -d 'Make it the default printer.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint pick"' -l 'set' -d 'Keep a print option with the printer: paper=80mm, quality=draft.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint pick" system' -l 'system' -d 'Save it in /etc/airprint, for all users.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint pick" no-contact' -l 'no-contact' -d 'Save a URI without asking the printer.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint pick" password-file' -l 'password-file' -d 'The file whose first line is USER:PASSWORD for the printer; else what airprint login keeps.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint pick" color-only' -l 'color-only' -d 'Only printers that print colour.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint pick" duplex-only' -l 'duplex-only' -d 'Only printers that print on both sides.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint pick"' -l 'format' -d 'Only printers that read this media type, such as application/pdf.' -rfka 'application/pdf image/jpeg image/pwg-raster image/urf'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint pick" name' -l 'name' -d 'Only names like this (*, ?, […]).' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint pick" model' -l 'model' -d 'Only models like this.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint pick" location' -l 'location' -d 'Only locations like this.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint pick" all' -l 'all' -d 'Also printers that read nothing that airprint can send.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint pick" domain' -l 'domain' -d 'The DNS-SD domain to search; usually local.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint pick" timeout' -l 'timeout' -d 'Search no longer than this; usually 5.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint pick" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint pick" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint pick" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint pick" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint pick" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint printers" check' -l 'check' -d 'Contact each printer and tell how it is.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint printers" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint printers" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint printers" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint printers" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint printers" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint forget" -eq 1' -fka '(__airprint_custom_completion ---completion forget -- positional@0 (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint forget" system' -l 'system' -d 'Remove it from /etc/airprint, for all users.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint forget" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint forget" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint forget" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint forget" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint forget" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint default" -eq 1' -fka '(__airprint_custom_completion ---completion default -- positional@0 (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint default"' -l 'type' -d 'Use it for these types only: document, envelope, label, photo, postcard, receipt, roll, large-format, disc.' -rfka 'document envelope label photo postcard receipt roll large-format disc'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint default" system' -l 'system' -d 'Choose in /etc/airprint, for all users.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint default" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint default" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint default" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint default" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint default" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint show" -eq 1' -fka '(__airprint_custom_completion ---completion show -- positional@0 (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint show" password-file' -l 'password-file' -d 'The file whose first line is USER:PASSWORD for the printer; else what airprint login keeps.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint show" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint show" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint show" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint show" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint status" -eq 1' -fka '(__airprint_custom_completion ---completion status -- positional@0 (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint status" password-file' -l 'password-file' -d 'The file whose first line is USER:PASSWORD for the printer; else what airprint login keeps.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint status" waybar' -l 'waybar' -d 'Write the JSON that Waybar\'s custom module reads.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint status" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint status" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint status" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint status" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint status" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint identify" -eq 1' -fka '(__airprint_custom_completion ---completion identify -- positional@0 (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint identify" password-file' -l 'password-file' -d 'The file whose first line is USER:PASSWORD for the printer; else what airprint login keeps.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint identify" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint identify" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint identify" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint identify" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint identify" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint trust" -eq 1' -fka '(__airprint_custom_completion ---completion trust -- positional@0 (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint trust" password-file' -l 'password-file' -d 'The file whose first line is USER:PASSWORD for the printer; else what airprint login keeps.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint trust" yes' -l 'yes' -d 'Accept it without a question: for scripts that know the new one is right.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint trust" system' -l 'system' -d 'For all users, in /etc/airprint.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint trust" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint trust" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint trust" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint trust" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint trust" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint login" -eq 1' -fka '(__airprint_custom_completion ---completion login -- positional@0 (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint login" password-file' -l 'password-file' -d 'The file whose first line is USER:PASSWORD for the printer; else what airprint login keeps.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint login" user' -l 'user' -d 'The user name at the printer; it is asked for else.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint login" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint login" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint login" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint login" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint login" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint logout" -eq 1' -fka '(__airprint_custom_completion ---completion logout -- positional@0 (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint logout" password-file' -l 'password-file' -d 'The file whose first line is USER:PASSWORD for the printer; else what airprint login keeps.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint logout" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint logout" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint logout" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint logout" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint logout" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint doctor" -eq 1' -fka '(__airprint_custom_completion ---completion doctor -- positional@0 (count (__airprint_tokens -pc)) (__airprint_tokens -tC))'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint doctor" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint doctor" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint doctor" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint doctor" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint doctor" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_positional "airprint simulate" -ge 1' -fka 'laser inkjet photo receipt label envelope large-format save-original all load supply fault clear list'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint simulate" name' -l 'name' -d 'What the printer is called on the network.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint simulate" port' -l 'port' -d 'The first printer\'s port, the next one\'s is one more; 0: any that is free. Without it, the first free from 8631 on.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint simulate" listen' -l 'listen' -d 'Who may print: lo, this machine alone, or all, everybody on the network.' -rfka 'lo all'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint simulate" output' -l 'output' -d 'Where the jobs\' folders are kept. Without it in a temporary folder, which is named at the start and removed at the end.' -rfa '(__airprint_complete_directories)'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint simulate" exec' -l 'exec' -d 'Run a command line in a shell while the printers are there, with AIRPRINT_PRINTER set to the first one\'s URI, and end with its exit code.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint simulate"' -l 'load' -d 'Put paper into a tray; none takes it out.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint simulate"' -l 'supply' -d 'Set a supply\'s level in percent.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint simulate"' -l 'fault' -d 'Make something go wrong: media-empty@3, cover-open, jam@2, toner-low, cancel@2, abort, busy:10s, forget, new-certificate, drop@100k, slow:50k/s, sleep:20s.' -rfka 'cover-open@PAGE door-open@PAGE input-tray-missing@PAGE jam@PAGE marker-supply-empty@PAGE media-empty@PAGE media-jam@PAGE media-needed@PAGE output-area-full@PAGE toner-empty@PAGE marker-supply-low marker-waste-almost-full media-low toner-low cancel@PAGE abort@PAGE busy:10s forget new-certificate drop@100k slow:50k/s sleep:20s'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint simulate" location' -l 'location' -d 'Where the printer says that it stands.' -rfka ''
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint simulate" like' -l 'like' -d 'Be like a printer on the network, or like one whose answer a file holds.' -rF
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint simulate" print-times' -l 'print-times' -d 'Print at a real printer\'s pace.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint simulate" no-sensors' -l 'no-sensors' -d 'Say which papers are possible, and not what is loaded.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint simulate" printable-area' -l 'printable-area' -d 'Show the margin that the printer can\'t reach, with what fell into it; off: that is gone.' -rfka 'on off'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint simulate" require-password' -l 'require-password' -d 'Ask for a password, which is said at the start.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint simulate" open' -l 'open' -d 'Open each job\'s pages when they are out.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint simulate" json' -l 'json' -d 'Write JSON to standard output, and nothing else there.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint simulate" q quiet' -s 'q' -l 'quiet' -d 'Say nothing but errors.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint simulate" v verbose' -s 'v' -l 'verbose' -d 'Say what is sent and answered, and why.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint simulate" version' -l 'version' -d 'Show the version.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint simulate" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'airprint' -n '__airprint_should_offer_completions_for_flags_or_options "airprint help" version' -l 'version' -d 'Show the version.'
