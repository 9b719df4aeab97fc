import { type Cell, type CountCells, type Notebook, ownLanguage } from '../model.ts';

/** Notebooks as R Markdown: text, and code in fences that name the language. The text between two fences is one cell. */

/** A word ends where no letter follows: otherwise the regular expression would retry a long line without a brace at each of its letters. */
const FENCE = /^```\{\s*([a-zA-Z]+)(?![a-zA-Z])[^}]*\}\s*$/;
const FENCE_END = /^```\s*$/;

export function readRMarkdown(text: string, counted: CountCells = () => {}): Notebook {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const cells: Cell[] = [];
  let start = frontMatterEnd(lines);
  const addText = (end: number): void => {
    let first = start;
    let last = end;
    while (first < last && lines[first] === '') first++;
    while (last > first && lines[last - 1] === '') last--;
    if (first < last) cells.push({ language: 'md', source: lines.slice(first, last).join('\n') });
  };
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] as string;
    const word = line.startsWith('```') ? FENCE.exec(line)?.[1]?.toLowerCase() : undefined;
    if (word === undefined) continue;
    addText(at);
    let last = at + 1;
    while (last < lines.length && !FENCE_END.test(lines[last] as string)) last++;
    cells.push({ language: word === 'bash' ? 'sh' : word, source: lines.slice(at + 1, last).join('\n') });
    counted(cells.length);
    at = last;
    start = last + 1;
  }
  addText(lines.length);
  return { language: 'R', cells };
}

/** A document may start with a block of properties between two lines of dashes. */
function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0] !== '---') return 0;
  const end = lines.indexOf('---', 1);
  return end < 0 ? 0 : end + 1;
}

export function writeRMarkdown(notebook: Notebook, name: string): string {
  const parts = [`---\ntitle: ${JSON.stringify(name)}\noutput: html_document\n---`];
  const own = ownLanguage(notebook);
  for (const { language, source } of notebook.cells) {
    const word = language === 'sh' ? 'bash' : language === 'raw' ? own : language;
    parts.push(language === 'md' ? source : `\`\`\`{${word}}\n${source}\n\`\`\``);
  }
  return `${parts.join('\n\n')}\n`;
}
