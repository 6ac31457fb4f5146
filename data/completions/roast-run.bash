# bash completion for roast-run                                    -*- shell-script -*-
# SPDX-License-Identifier: BSD-3-Clause

_roast_run_names()
{
    roast-inspect --names "$1" 2>/dev/null
}

_roast_run()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} i

    # The program's own words are completed as if it stood alone.
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
            --)
                if declare -F _command_offset >/dev/null; then
                    _command_offset $((i + 1))
                else
                    COMPREPLY=($(compgen -c -- "$cur"))
                fi
                return
                ;;
        esac
    done

    # bash splits at "=": "--backend = lo" is three words.
    if [[ $cur == "=" ]]; then
        cur=
    elif [[ $prev == "=" && COMP_CWORD -ge 2 ]]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi

    case $prev in
        -b | --backend) COMPREPLY=($(compgen -W "$(_roast_run_names backend)" -- "$cur")) ;;
        -e | --export) COMPREPLY=($(compgen -W "$(_roast_run_names exporter) table,detail table,sections=" -- "$cur")) ;;
        -a | --attach) COMPREPLY=($(compgen -W "$(ps -eo pid= 2>/dev/null)" -- "$cur")) ;;
        --color) COMPREPLY=($(compgen -W "auto always never" -- "$cur")) ;;
        --save) COMPREPLY=($(compgen -f -- "$cur")) ;;
        -i | --interval | --deadline | -t | --tag) COMPREPLY=() ;;
        *)
            if [[ $cur == -* ]]; then
                COMPREPLY=($(compgen -W "--backend= --interval= --deadline= --export= --attach= --tag= --save --no-save --no-instrument --color= --quiet --help --version --" -- "$cur"))
                [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace
            else
                COMPREPLY=($(compgen -c -- "$cur"))
            fi
            ;;
    esac
}

complete -F _roast_run roast-run

_roast_inspect()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}

    case $prev in
        --check | --load) COMPREPLY=($(compgen -f -X '!*.roast-plugin' -- "$cur") $(compgen -d -- "$cur")) ;;
        --names) COMPREPLY=($(compgen -W "backend aggregator exporter plugin" -- "$cur")) ;;
        *)
            if [[ $cur == -* ]]; then
                COMPREPLY=($(compgen -W "--metrics --charts --tables --broken --check --load --names --json --help --version" -- "$cur"))
            else
                COMPREPLY=($(compgen -W "$(_roast_run_names plugin)" -- "$cur"))
            fi
            ;;
    esac
}

complete -F _roast_inspect roast-inspect

_roast_report()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} runs

    if [[ $cur == "=" ]]; then
        cur=
    elif [[ $prev == "=" && COMP_CWORD -ge 2 ]]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $prev in
        -e | --export) COMPREPLY=($(compgen -W "$(_roast_run_names exporter) table,detail table,sections=" -- "$cur")) ;;
        -f | --format) COMPREPLY=($(compgen -W "table csv json stream prmon-text prmon-json roastcoffea" -- "$cur")) ;;
        --without) COMPREPLY=($(compgen -W "$(_roast_run_names plugin)" -- "$cur")) ;;
        --color) COMPREPLY=($(compgen -W "auto always never" -- "$cur")) ;;
        --save | import) COMPREPLY=($(compgen -f -- "$cur")) ;;
        *)
            if [[ $cur == -* ]]; then
                COMPREPLY=($(compgen -W "--export= --without= --fallback= --remark= --format= --stream --save= --sort= --color= --help --version" -- "$cur"))
                [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace
            else
                runs=$(roast-report list --format=csv 2>/dev/null | cut -d, -f1 | tail -n +2)
                ((COMP_CWORD == 1)) && runs="$runs list show remove query export import"
                COMPREPLY=($(compgen -W "last $runs" -- "$cur") $(compgen -f -X '!*.roast' -- "$cur") $(compgen -d -- "$cur"))
            fi
            ;;
    esac
}

complete -F _roast_report roast-report

_roast_new_plugin()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}

    if [[ $cur == "=" ]]; then
        cur=
    elif [[ $prev == "=" && COMP_CWORD -ge 2 ]]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $prev in
        --kind) COMPREPLY=($(compgen -W "backend aggregator exporter" -- "$cur")) ;;
        --lang) COMPREPLY=($(compgen -W "c vala python" -- "$cur")) ;;
        --directory) COMPREPLY=($(compgen -d -- "$cur")) ;;
        *)
            COMPREPLY=($(compgen -W "--kind= --lang= --directory= --help --version" -- "$cur"))
            [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace
            ;;
    esac
}

complete -F _roast_new_plugin roast-new-plugin
