import { optionsWithValue, type Place } from './tree.ts';

/** For Windows PowerShell 5.1 and PowerShell 7. */
export function powershellScript(all: readonly Place[]): string {
  const values = all.flatMap(({ path, options }) =>
    options.flatMap(({ word, value }) =>
      value?.kind === 'choice' ? [`    ${quoted(`${path} ${word}`)} = @(${list(value.choices)})`] : [],
    ),
  );
  const rows = (of: (place: Place) => readonly string[]): string =>
    all.map((place) => `    ${quoted(place.path)} = @(${list(of(place))})`).join('\n');
  return `# Completion of cloudjar for PowerShell. To use it now: cloudjar completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName cloudjar -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $withValue = @(${list(optionsWithValue(all))})
  $words = @{
${rows(({ words }) => words.map(({ word }) => word))}
  }
  $options = @{
${rows((place) => place.options.map(({ word }) => word))}
  }
  $values = @{
${values.join('\n')}
  }
  $place = ''
  $previous = ''
  foreach ($element in @($commandAst.CommandElements | Select-Object -Skip 1)) {
    if ($element.Extent.EndOffset -ge $cursorPosition) { break }
    $text = $element.ToString()
    if ($withValue -notcontains $previous -and $text -notlike '-*' -and $words.ContainsKey("$place/$text")) {
      $place = "$place/$text"
    }
    $previous = $text
  }
  $found = if ($values.ContainsKey("$place $previous")) { $values["$place $previous"] }
    elseif ($withValue -contains $previous) { @() }
    elseif ($wordToComplete -like '-*') { $options[$place] }
    else { $words[$place] }
  $found | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const list = (words: readonly string[]): string => words.map(quoted).join(', ');
