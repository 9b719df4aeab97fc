import {
  type Cell,
  type CountCells,
  cellOfText,
  type Notebook,
  type NotebookLanguage,
  ownLanguage,
  textOfCell,
} from '../model.ts';

/**
 * Notebooks as source files: a header line, cells between separator lines, and cells of other languages as comments. Text that is read is
 * written back exactly, including blank lines and comments.
 */

const COMMENTS: Readonly<Record<NotebookLanguage, string>> = { PYTHON: '#', R: '#', SQL: '--', SCALA: '//' };

const headerOf = (language: NotebookLanguage): string => `${COMMENTS[language]} Databricks notebook source`;
const separatorOf = (language: NotebookLanguage): string => `${COMMENTS[language]} COMMAND ----------`;
const magicOf = (language: NotebookLanguage): string => `${COMMENTS[language]} MAGIC`;

/** Whether a file is a notebook, according to its first line. */
export function hasHeader(text: string, language: NotebookLanguage): boolean {
  const header = headerOf(language);
  return text.startsWith(header) && /^(\r?\n|$)/.test(text.slice(header.length, header.length + 2));
}

export function readSource(text: string, language: NotebookLanguage, counted: CountCells = () => {}): Notebook {
  const crlf = text.includes('\r\n') && !/(^|[^\r])\n/.test(text);
  const lines = text.split(crlf ? '\r\n' : '\n');
  // The header line is optional if the format already identifies a notebook.
  if (lines[0] === headerOf(language)) lines.shift();
  const separator = separatorOf(language);
  counted(lines.reduce((count, line) => (line === separator ? count + 1 : count), 1));
  const segments = splitAt(lines, separator);
  const cells = lines.length === 0 ? [] : segments.map((segment, index) => cellOf(segment, index, segments, language));
  return { language, cells, ...(crlf && { crlf }) };
}

function splitAt(lines: readonly string[], separator: string): string[][] {
  const segments: string[][] = [[]];
  for (const line of lines) {
    if (line === separator) segments.push([]);
    else segments.at(-1)?.push(line);
  }
  return segments;
}

function cellOf(
  lines: readonly string[],
  index: number,
  { length }: { readonly length: number },
  language: NotebookLanguage,
): Cell {
  const cell = cellOfLines(lines, language);
  const usual = segmentOf(cell, index === 0, index === length - 1, language);
  return isSame(usual, lines) ? cell : { ...cell, lines };
}

function cellOfLines(lines: readonly string[], language: NotebookLanguage): Cell {
  let first = 0;
  let end = lines.length;
  while (first < end && lines[first] === '') first++;
  while (end > first && lines[end - 1] === '') end--;
  const title = titleOf(lines[first], language);
  const own = lines.slice(title === undefined ? first : first + 1, end);
  const magic = magicOf(language);
  const isMagic = own.length > 0 && own.every((line) => line === magic || line.startsWith(`${magic} `));
  const text = (isMagic ? own.map((line) => line.slice(magic.length + 1)) : own).join('\n');
  const cell = isMagic
    ? cellOfText(text, ownLanguage({ language }))
    : { language: ownLanguage({ language }), source: text };
  return { ...cell, ...(title !== undefined && { title }) };
}

function titleOf(line: string | undefined, language: NotebookLanguage): string | undefined {
  const prefix = `${COMMENTS[language]} DBTITLE `;
  return line?.startsWith(prefix) ? /^\d+,(.*)$/.exec(line.slice(prefix.length))?.[1] : undefined;
}

/** The lines of a cell between two separators: with a blank line before and after, except at the ends of the file. */
function segmentOf(cell: Cell, isFirst: boolean, isLast: boolean, language: NotebookLanguage): string[] {
  const { title } = cell;
  const own = ownLanguage({ language });
  const lines = textOfCell(cell, own).split('\n');
  const magic = magicOf(language);
  return [
    ...(isFirst ? [] : ['']),
    ...(title === undefined ? [] : [`${COMMENTS[language]} DBTITLE 1,${title}`]),
    ...(cell.language === own ? lines : lines.map((line) => (line === '' ? magic : `${magic} ${line}`))),
    ...(isLast ? [] : ['']),
  ];
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, index) => line === other[index]);

export function writeSource({ language, cells, crlf }: Notebook): string {
  const lines = [headerOf(language)];
  for (const [index, cell] of cells.entries()) {
    if (index > 0) lines.push(separatorOf(language));
    for (const line of cell.lines ?? segmentOf(cell, index === 0, index === cells.length - 1, language))
      lines.push(line);
  }
  return lines.join(crlf ? '\r\n' : '\n');
}
