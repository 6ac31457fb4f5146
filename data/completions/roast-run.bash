# bash completion for roast-run                                    -*- shell-script -*-
# SPDX-License-Identifier: BSD-3-Clause

_roast_names()
{
    roast-inspect --names "$1" 2>/dev/null
}

# bash splits words at "=" and ":", so that "-e json:ru" has four. Sets words and cword as the shell will run them, up to the
# cursor: what follows without a blank belongs to the word before.
_roast_words()
{
    local line=${COMP_LINE:0:COMP_POINT} i piece

    words=() cword=-1
    for ((i = 0; i <= COMP_CWORD; i++)); do
        piece=${COMP_WORDS[i]}
        if [[ $i -eq 0 || $line == [[:blank:]]* ]]; then
            words[++cword]=
            line=${line#"${line%%[![:blank:]]*}"}
        fi
        ((i == COMP_CWORD)) && piece=$line
        words[cword]+=$piece
        line=${line#"$piece"}
    done
}

# Replies are whole words; readline replaces only what is behind the last "=" or ":" at which it splits.
_roast_trim()
{
    local cut='' i

    for ((i = 0; i < ${#1}; i++)); do
        [[ ${1:i:1} == [=:] && $COMP_WORDBREAKS == *"${1:i:1}"* ]] && cut=${1:0:i+1}
    done
    COMPREPLY=("${COMPREPLY[@]#"$cut"}")
}

# _roast_reply PREFIX WORDS CURRENT: those of WORDS that complete CURRENT, each behind PREFIX.
_roast_reply()
{
    mapfile -t COMPREPLY < <(compgen -P "$1" -W "$2" -- "$3")
    [[ ${#COMPREPLY[@]} -gt 0 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
}

_roast_files()
{
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -P "$1" -- "$2")
}

# NAME[:FILE][,OPTION=VALUE...] of a role: what comes next. PREFIX precedes NAME in the word, as "--export=".
_roast_plugin()
{
    local role=$1 prefix=$2 text=$3 name

    name=${text%%[:,]*}
    if [[ $text == *,* ]]; then
        _roast_reply "$prefix${text%,*}," "$(_roast_names "$role:$name")" "${text##*,}"
    elif [[ $text == *:* && $role == exporter ]]; then
        _roast_files "$prefix$name:" "${text#*:}"
    else
        _roast_reply "$prefix" "$(_roast_names "$role") $4" "$text"
    fi
}

# The option whose value is completed, in option, with value, and the part of its word that precedes the value, in prefix.
_roast_option()
{
    local current=${words[cword]}

    option=${words[cword - 1]} value=$current prefix=
    case $current in
        --*=*) option=${current%%=*} prefix=$option= value=${current#*=} ;;
        -[abefit]?*) option=${current:0:2} prefix=$option value=${current:2} ;;
    esac
}

_roast_run()
{
    local words cword option value prefix i

    # The program's own words are completed as if it stood alone.
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ ${COMP_WORDS[i]} == -- ]]; then
            if declare -F _command_offset >/dev/null; then
                _command_offset $((i + 1))
            else
                mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[COMP_CWORD]}")
            fi
            return
        fi
    done
    _roast_words
    _roast_option

    case $option in
        -b | --backend) _roast_plugin backend "$prefix" "$value" ;;
        -e | --export) _roast_plugin exporter "$prefix" "$value" "table,detail table,sections=" ;;
        -a | --attach) _roast_reply "$prefix" "$(ps -eo pid= 2>/dev/null)" "$value" ;;
        --color) _roast_reply "$prefix" "auto always never" "$value" ;;
        --save)
            if [[ -n $prefix ]]; then
                _roast_files "$prefix" "$value"
            else
                mapfile -t COMPREPLY < <(compgen -c -- "$value")
            fi
            ;;
        -i | --interval | --deadline | -t | --tag) COMPREPLY=() ;;
        *)
            if [[ $value == -* ]]; then
                _roast_reply "" "--backend= --interval= --deadline= --export= --attach= --tag= --save --no-save --no-instrument --top --color= --quiet --help --version --" "$value"
            else
                mapfile -t COMPREPLY < <(compgen -c -- "$value")
            fi
            ;;
    esac
    _roast_trim "${words[cword]}"
}

complete -F _roast_run roast-run

_roast_inspect()
{
    local words cword option value prefix

    _roast_words
    _roast_option
    case $option in
        --check | --load)
            mapfile -t COMPREPLY < <(compgen -f -X '!*.roast-plugin' -P "$prefix" -- "$value"; compgen -d -P "$prefix" -- "$value") ;;
        --names) _roast_reply "$prefix" "backend aggregator exporter plugin" "$value" ;;
        *)
            if [[ $value == -* ]]; then
                _roast_reply "" "--metrics --charts --tables --broken --doctor --check --load --names --json --help --version" "$value"
            else
                _roast_reply "" "$(_roast_names plugin)" "$value"
            fi
            ;;
    esac
    _roast_trim "${words[cword]}"
}

complete -F _roast_inspect roast-inspect

_roast_report()
{
    local words cword option value prefix runs

    _roast_words
    _roast_option
    case $option in
        -e | --export | --fallback) _roast_plugin exporter "$prefix" "$value" "table,detail table,sections=" ;;
        -f | --format) _roast_reply "$prefix" "table csv json stream prmon-text prmon-json roastcoffea" "$value" ;;
        --without) _roast_reply "$prefix" "$(_roast_names plugin)" "$value" ;;
        --color) _roast_reply "$prefix" "auto always never" "$value" ;;
        --save | import) _roast_files "$prefix" "$value" ;;
        *)
            if [[ $value == -* ]]; then
                _roast_reply "" "--export= --metric= --without= --fallback= --follow --remark= --wait-status= --format= --stream --save= --sort= --color= --help --version" "$value"
            else
                runs=$(roast-report list --format=csv 2>/dev/null | cut -d, -f1 | tail -n +2)
                ((cword == 1)) && runs="$runs list show remove query whatif export import"
                mapfile -t COMPREPLY < <(compgen -W "last $runs" -- "$value"; compgen -f -X '!*.roast' -- "$value"; compgen -d -- "$value")
            fi
            ;;
    esac
    _roast_trim "${words[cword]}"
}

complete -F _roast_report roast-report

_roast_compare()
{
    local words cword option value prefix runs

    _roast_words
    _roast_option
    case $option in
        -e | --export) _roast_plugin exporter "$prefix" "$value" "table,detail table,sections=" ;;
        --color) _roast_reply "$prefix" "auto always never" "$value" ;;
        --keep) mapfile -t COMPREPLY < <(compgen -d -P "$prefix" -- "$value") ;;
        *)
            if [[ $value == -* ]]; then
                _roast_reply "" "--against --scaling --runs= --keep= --export= --color= --help --version" "$value"
            else
                runs=$(roast-report list --format=csv 2>/dev/null | cut -d, -f1 | tail -n +2)
                mapfile -t COMPREPLY < <(compgen -W "last $runs" -- "$value"; compgen -f -X '!*.roast' -- "$value"; compgen -d -- "$value")
            fi
            ;;
    esac
    _roast_trim "${words[cword]}"
}

complete -F _roast_compare roast-compare

_roast_top()
{
    local words cword option value prefix runs

    _roast_words
    _roast_option
    case $option in
        -w | --view) _roast_reply "$prefix" "now workers tasks longest hosts processes events" "$value" ;;
        --exit-when) _roast_reply "$prefix" "done failed idle" "$value" ;;
        --color) _roast_reply "$prefix" "auto always never" "$value" ;;
        *)
            if [[ $value == -* ]]; then
                _roast_reply "" "--once --view= --at= --interval= --exit-when= --color= --help --version" "$value"
            else
                runs=$(roast-report list --format=csv 2>/dev/null | cut -d, -f1 | tail -n +2)
                mapfile -t COMPREPLY < <(compgen -W "last $runs" -- "$value"; compgen -f -X '!*.roast' -- "$value")
            fi
            ;;
    esac
    _roast_trim "${words[cword]}"
}

complete -F _roast_top roast-top

_roast_attach()
{
    local words cword option value prefix i

    # What follows "--" are options of roast-run.
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ ${COMP_WORDS[i]} == -- ]]; then
            COMP_LINE=${COMP_LINE:0:COMP_POINT}
            COMP_LINE="roast-run${COMP_LINE#* --}" COMP_POINT=${#COMP_LINE}
            COMP_WORDS=(roast-run "${COMP_WORDS[@]:i+1}")
            COMP_CWORD=$((COMP_CWORD - i))
            _roast_run
            return
        fi
    done
    _roast_words
    _roast_option
    case $option in
        --interval | --timeout) COMPREPLY=() ;;
        *) _roast_reply "" "--interval= --timeout= --tasks --no-tasks --print --remove --help --version --" "$value" ;;
    esac
    _roast_trim "${words[cword]}"
}

complete -F _roast_attach roast-attach

_roast_new_plugin()
{
    local words cword option value prefix

    _roast_words
    _roast_option
    case $option in
        --kind) _roast_reply "$prefix" "backend aggregator exporter" "$value" ;;
        --lang) _roast_reply "$prefix" "c vala python" "$value" ;;
        --directory) mapfile -t COMPREPLY < <(compgen -d -P "$prefix" -- "$value") ;;
        *) _roast_reply "" "--kind= --lang= --directory= --help --version" "$value" ;;
    esac
    _roast_trim "${words[cword]}"
}

complete -F _roast_new_plugin roast-new-plugin
