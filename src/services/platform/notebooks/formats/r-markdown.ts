import { type Cell, type Notebook, ownLanguage } from '../model.ts';

/** Notebooks as R Markdown: text, with code in fences that name their language. What stands between two fences is one cell of text. */

const FENCE = /^```\{\s*([a-zA-Z]+)[^}]*\}\s*$/;
const FENCE_END = /^```\s*$/;
const FENCE_WORDS: Readonly<Record<string, string>> = { bash: 'sh' };

export function readRMarkdown(text: string): Notebook {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const cells: Cell[] = [];
  let start = frontMatterEnd(lines);
  const addText = (end: number): void => {
    const source = lines
      .slice(start, end)
      .join('\n')
      .replace(/^\n+|\n+$/g, '');
    if (source !== '') cells.push({ language: 'md', source });
  };
  for (let at = start; at < lines.length; at++) {
    const word = FENCE.exec(lines[at] as string)?.[1]?.toLowerCase();
    if (word === undefined) continue;
    addText(at);
    let last = at + 1;
    while (last < lines.length && !FENCE_END.test(lines[last] as string)) last++;
    cells.push({ language: FENCE_WORDS[word] ?? word, source: lines.slice(at + 1, last).join('\n') });
    at = last;
    start = last + 1;
  }
  addText(lines.length);
  return { language: 'R', cells };
}

/** A document may begin with a block of properties between two lines of dashes. */
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
