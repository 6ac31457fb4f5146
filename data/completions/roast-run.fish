# fish completion for the commands of roast
# SPDX-License-Identifier: BSD-3-Clause

function __roast_no_program
    not __fish_seen_argument -s - ; and test (count (commandline -opc)) -ge 1
    and not contains -- -- (commandline -opc)
end

# The token up to where NAME[:FILE][,OPTION=VALUE...] begins: fish may pass "--export=" and "-e" with it.
function __roast_plugin -a role
    set -l text (commandline -ct | string replace -r '^(--[a-z]+=|-[be])' '')
    set -l name (string split -m 1 -f 1 , -- $text | string split -m 1 -f 1 :)
    if string match -q '*,*' -- $text
        set -l before (string replace -r '[^,]*$' '' -- $text)
        for option in (roast-inspect --names $role:$name 2>/dev/null)
            echo $before$option
        end
    else if test $role = exporter; and string match -q '*:*' -- $text
        set -l file (string replace -r '^[^:]*:' '' -- $text)
        for path in (__fish_complete_path $file)
            echo $name:$path
        end
    else
        roast-inspect --names $role 2>/dev/null
        test $role = exporter; and printf '%s\n' table,detail table,sections=
    end
end

complete -c roast-run -n __roast_no_program -s b -l backend -x -a "(__roast_plugin backend)" -d "backend that measures"
complete -c roast-run -n __roast_no_program -s i -l interval -x -d "seconds between samples"
complete -c roast-run -n __roast_no_program -l deadline -x -d "seconds to start the program, and for the report"
complete -c roast-run -n __roast_no_program -s e -l export -x -a "(__roast_plugin exporter)" -d "format and place of the report"
complete -c roast-run -n __roast_no_program -s a -l attach -x -a "(__fish_complete_pids)" -d "measure a running process"
complete -c roast-run -n __roast_no_program -s t -l tag -x -d "remark: KEY=VALUE"
complete -c roast-run -n __roast_no_program -l save -d "keep the run without a limit, in a file or among the others"
complete -c roast-run -n __roast_no_program -l no-save -d "remove the file of the run at the end"
complete -c roast-run -n __roast_no_program -l top -d "show roast-top while the program runs"
complete -c roast-run -n __roast_no_program -l no-instrument -d "put no code into the program"
complete -c roast-run -n __roast_no_program -l color -x -a "auto always never" -d "colours in tables"
complete -c roast-run -n __roast_no_program -s q -l quiet -d "no table unless requested"
complete -c roast-run -n __roast_no_program -s h -l help -d "show help"
complete -c roast-run -n __roast_no_program -l version -d "show the version"
complete -c roast-run -x -a "(__fish_complete_subcommand)"

complete -c roast-attach -f
complete -c roast-attach -l interval -x -d "seconds between samples"
complete -c roast-attach -l timeout -x -d "seconds to wait for the scheduler"
complete -c roast-attach -l no-tasks -d "keep no rows of tasks"
complete -c roast-attach -l print -d "print the command that attaches"
complete -c roast-attach -l remove -d "remove what a killed measurement left"
complete -c roast-attach -s h -l help -d "show help"
complete -c roast-attach -l version -d "show the version"

complete -c roast-inspect -f -a "(roast-inspect --names plugin 2>/dev/null)"
complete -c roast-inspect -l metrics -d "list metrics"
complete -c roast-inspect -l charts -d "list charts"
complete -c roast-inspect -l tables -d "list tables, columns and vocabularies"
complete -c roast-inspect -l broken -d "list plugins that cannot be used, with reasons"
complete -c roast-inspect -l doctor -d "try what this machine can measure"
complete -c roast-inspect -l check -r -F -d "check a plugin"
complete -c roast-inspect -l load -r -F -d "open a plugin in a child process"
complete -c roast-inspect -l json -d "print JSON"
complete -c roast-inspect -l help -d "show help"
complete -c roast-inspect -l version -d "show the version"

complete -c roast-report -a "last (roast-report list --format=csv 2>/dev/null | cut -d, -f1 | tail -n +2)" -d "run"
complete -c roast-report -n __fish_use_subcommand -a "list show remove query whatif export import" -d "command"
complete -c roast-report -s e -l export -x -a "(__roast_plugin exporter)" -d "format and place of the report"
complete -c roast-report -l fallback -x -a "(__roast_plugin exporter)" -d "format if the plugins of all others are left out"
complete -c roast-report -l follow -d "write only while the run goes on"
complete -c roast-report -l remark -x -d "note to add to the report"
complete -c roast-report -l wait-status -x -d "how the program of an interrupted run ended"
complete -c roast-report -l without -x -a "(roast-inspect --names plugin 2>/dev/null)" -d "leave out the aggregators of a plugin"
complete -c roast-report -s f -l format -x -a "table csv json stream prmon-text prmon-json roastcoffea" -d "format of rows, or of export and import"
complete -c roast-report -l stream -d "export JSON lines"
complete -c roast-report -l save -r -F -d "file that import or export writes"
complete -c roast-report -l sort -x -d "key by which list sorts"
complete -c roast-report -l color -x -a "auto always never" -d "colours in tables"
complete -c roast-report -s h -l help -d "show help"
complete -c roast-report -l version -d "show the version"

complete -c roast-compare -a "last (roast-report list --format=csv 2>/dev/null | cut -d, -f1 | tail -n +2)" -d "run"
complete -c roast-compare -l against -d "the reference follows"
complete -c roast-compare -s n -l runs -x -d "measure each command so many times"
complete -c roast-compare -l scaling -d "show how run time depends on the number of slots"
complete -c roast-compare -l keep -r -F -d "directory for the runs that it measures"
complete -c roast-compare -s e -l export -x -a "(__roast_plugin exporter)" -d "format and place of the comparison"
complete -c roast-compare -l color -x -a "auto always never" -d "colours in tables"
complete -c roast-top -x -a "last (roast-report list --format=csv 2>/dev/null | cut -d, -f1 | tail -n +2)" -d "run"
complete -c roast-top -s 1 -l once -d "print one screen"
complete -c roast-top -s w -l view -x -a "now workers tasks longest hosts processes events" -d "initial view"
complete -c roast-top -s a -l at -x -d "seconds after the start of the run"
complete -c roast-top -s i -l interval -x -d "seconds between two looks"
complete -c roast-top -l exit-when -x -a "done failed idle" -d "when to end"
complete -c roast-top -l color -x -a "auto always never" -d "colours"
complete -c roast-top -s h -l help -d "show help"
complete -c roast-top -l version -d "show the version"
complete -c roast-compare -s h -l help -d "show help"
complete -c roast-compare -l version -d "show the version"

complete -c roast-new-plugin -f
complete -c roast-new-plugin -l kind -x -a "backend aggregator exporter" -d "role of the plugin"
complete -c roast-new-plugin -l lang -x -a "c vala python" -d "programming language"
complete -c roast-new-plugin -l directory -r -F -d "directory to create"
complete -c roast-new-plugin -l help -d "show help"
complete -c roast-new-plugin -l version -d "show the version"
