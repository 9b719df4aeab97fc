import { type OptionWord, optionsWithValue, type Place, type Word } from './tree.ts';

export function zshScript(all: readonly Place[]): string {
  const known = all.filter(({ path }) => path !== '').map(({ path }) => path);
  const values = all.flatMap(({ path, options }) => options.flatMap((option) => valueCase(path, option)));
  return `#compdef cloudjar
# Completion of cloudjar for zsh. To use it now: source <(cloudjar completion zsh)
_cloudjar() {
  local cur prev word place i
  local -a entries options
  cur="\${words[CURRENT]}"
  prev="\${words[CURRENT-1]}"
  place=""
  i=2
  while (( i < CURRENT )); do
    word="\${words[i]}"
    case "$word" in
      (${optionsWithValue(all).join('|')}) (( i++ )) ;;
      (-*) ;;
      (*)
        case "$place/$word" in
          (${known.join('|')}) place="$place/$word" ;;
        esac
        ;;
    esac
    (( i++ ))
  done
  if [[ "$cur" == --*=* ]]; then
    prev="\${cur%%=*}"
    compset -P '*='
  fi
  case "$place $prev" in
${values.join('\n')}
  esac
  case "$place" in
${all.map(placeCase).join('\n')}
  esac
  if [[ "$cur" == -* ]]; then
    _describe option options
  elif (( \${#entries} > 0 )); then
    _describe command entries
  else
    _files
  fi
}
if [ "$funcstack[1]" = "_cloudjar" ]; then
  _cloudjar "$@"
else
  compdef _cloudjar cloudjar
fi
`;
}

function valueCase(path: string, { word, short, value }: OptionWord): string[] {
  if (value === undefined) return [];
  const names = [word, ...(short ? [short] : [])].map((name) => `"${path} ${name}"`).join('|');
  if (value.kind === 'choice') return [`    (${names}) compadd -- ${value.choices.join(' ')}; return ;;`];
  const action = { file: '_files', folder: '_files -/', text: '_message value' }[value.kind];
  return [`    (${names}) ${action}; return ;;`];
}

function placeCase({ path, words, options }: Place): string {
  return `    ("${path}")
      entries=(${words.map(described).join(' ')})
      options=(${options.map(described).join(' ')})
      ;;`;
}

/** `'advance:move time on'`; a colon separates the word from its description. */
const described = ({ word, description }: Word): string =>
  `'${word.replaceAll(':', '\\:')}:${description.replaceAll("'", `'\\''`)}'`;
