import { type OptionWord, optionsWithValue, type Place } from './tree.ts';

/** For bash 3.2 and later (macOS still has 3.2), without the package bash-completion. */
export function bashScript(all: readonly Place[]): string {
  const values = all.flatMap(({ path, options }) => options.flatMap((option) => valueCase(path, option)));
  const known = all.filter(({ path }) => path !== '').map(({ path }) => path);
  return `# Completion of cloudjar for bash. To use it now: source <(cloudjar completion bash)
_cloudjar() {
  local cur prev word next place options words i
  COMPREPLY=()
  cur="\${COMP_WORDS[COMP_CWORD]}"
  prev="\${COMP_WORDS[COMP_CWORD-1]}"
  # Bash splits --option=value into three words.
  if [ "$cur" = "=" ]; then
    cur=""
  elif [ "$prev" = "=" ]; then
    prev="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  place=""
  i=1
  while [ "$i" -lt "$COMP_CWORD" ]; do
    word="\${COMP_WORDS[i]}"
    next="\${COMP_WORDS[i+1]}"
    case "$word" in
      ${optionsWithValue(all).join('|')})
        i=$((i+1))
        [ "$next" = "=" ] && i=$((i+1))
        ;;
      -*|=) ;;
      *)
        case "$place/$word" in
          ${known.join('|')}) place="$place/$word" ;;
        esac
        ;;
    esac
    i=$((i+1))
  done
  case "$place $prev" in
${values.join('\n')}
  esac
  case "$place" in
${all.map(placeCase).join('\n')}
  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
  esac
}
complete -o default -F _cloudjar cloudjar
`;
}

function valueCase(path: string, { word, short, value }: OptionWord): string[] {
  if (value === undefined) return [];
  const names = [word, ...(short ? [short] : [])].map((name) => `"${path} ${name}"`).join('|');
  if (value.kind === 'choice')
    return [`    ${names}) COMPREPLY=($(compgen -W "${value.choices.join(' ')}" -- "$cur")); return ;;`];
  // Bash completes file names by itself if nothing else is offered.
  if (value.kind === 'text') return [`    ${names}) compopt +o default 2>/dev/null; return ;;`];
  return [`    ${names}) return ;;`];
}

function placeCase({ path, words, options }: Place): string {
  const names = options.map(({ word }) => word).join(' ');
  return `    "${path}") words="${words.map(({ word }) => word).join(' ')}"; options="${names}" ;;`;
}
