import { type OptionWord, optionsWithValue, type Place, type Word } from './tree.ts';

export function fishScript(all: readonly Place[]): string {
  const known = all.filter(({ path }) => path !== '').map(({ path }) => path);
  return `# Completion of cloudjar for fish. To use it now: cloudjar completion fish | source
function __cloudjar_at
    set -l place ""
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip -eq 1
            set skip 0
            continue
        end
        switch $word
            case ${optionsWithValue(all).join(' ')}
                set skip 1
            case '-*'
            case '*'
                switch "$place/$word"
                    case ${known.join(' ')}
                        set place "$place/$word"
                end
        end
    end
    test "$place" = "$argv[1]"
end
complete -c cloudjar -e
${all.flatMap(placeLines).join('\n')}
`;
}

function placeLines({ path, words, options }: Place): string[] {
  const start = `complete -c cloudjar -n '__cloudjar_at "${path}"'`;
  return [
    ...words.map(({ word, description }) => `${start} -f -a ${word} -d ${quoted(description)}`),
    ...options.map((option) => `${start} ${optionWords(option)} -d ${quoted(option.description)}`),
  ];
}

function optionWords({ word, short, value }: OptionWord): string {
  const name = `${short ? `-s ${short.slice(1)} ` : ''}-l ${word.slice(2)}`;
  if (value === undefined) return name;
  if (value.kind === 'choice') return `${name} -x -a '${value.choices.join(' ')}'`;
  const how = { file: '-r -F', folder: "-x -a '(__fish_complete_directories)'", text: '-x' }[value.kind];
  return `${name} ${how}`;
}

const quoted = (text: Word['description']): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
