# fish completion for roast-run and roast-inspect
# SPDX-License-Identifier: BSD-3-Clause

function __roast_no_program
    not __fish_seen_argument -s - ; and test (count (commandline -opc)) -ge 1
    and not contains -- -- (commandline -opc)
end

complete -c roast-run -n __roast_no_program -s b -l backend -x -a "(roast-inspect --names backend 2>/dev/null)" -d "what to measure with"
complete -c roast-run -n __roast_no_program -s i -l interval -x -d "seconds between two samples"
complete -c roast-run -n __roast_no_program -s e -l export -x -a "(roast-inspect --names exporter 2>/dev/null)" -d "how and where to report"
complete -c roast-run -n __roast_no_program -s a -l attach -x -a "(__fish_complete_pids)" -d "measure what already runs"
complete -c roast-run -n __roast_no_program -s t -l tag -x -d "a remark: KEY=VALUE"
complete -c roast-run -n __roast_no_program -l color -x -a "auto always never" -d "colours in tables"
complete -c roast-run -n __roast_no_program -s q -l quiet -d "no table unless asked for"
complete -c roast-run -n __roast_no_program -s h -l help -d "show help"
complete -c roast-run -n __roast_no_program -l version -d "show the version"
complete -c roast-run -x -a "(__fish_complete_subcommand)"

complete -c roast-inspect -f -a "(roast-inspect --names plugin 2>/dev/null)"
complete -c roast-inspect -l metrics -d "the catalogue of metrics"
complete -c roast-inspect -l broken -d "plugins that cannot be used, and why"
complete -c roast-inspect -l check -r -F -d "what is wrong with a plugin"
complete -c roast-inspect -l load -r -F -d "open a plugin in a child process"
complete -c roast-inspect -l json -d "as JSON"
complete -c roast-inspect -l help -d "show help"
complete -c roast-inspect -l version -d "show the version"

complete -c roast-new-plugin -f
complete -c roast-new-plugin -l kind -x -a "backend aggregator exporter" -d "what it does"
complete -c roast-new-plugin -l lang -x -a "c vala python" -d "what it is written in"
complete -c roast-new-plugin -l directory -r -F -d "where to write it"
complete -c roast-new-plugin -l help -d "show help"
complete -c roast-new-plugin -l version -d "show the version"
