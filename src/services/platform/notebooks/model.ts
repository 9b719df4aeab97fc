import type { JsonMembers } from '../../../kernel/values/index.ts';

/** A notebook as stored: all formats are parsed to it and written from it. */
export interface Notebook {
  readonly language: NotebookLanguage;
  readonly cells: readonly Cell[];
  /** The lines of its source ended in CR LF. */
  readonly crlf?: true;
  /** Members of a Jupyter notebook other than its cells. */
  readonly jupyter?: JsonMembers;
}

export interface Cell {
  /** `python`, `scala`, `sql`, `r`, or the name of a magic command: `sh`, `md`, `fs`, `run`, `pip`. */
  readonly language: string;
  readonly source: string;
  readonly title?: string;
  /** Its original lines in the source, if writing the cell would give different ones, so that imports are lossless. */
  readonly lines?: readonly string[];
  /** Members of a Jupyter cell other than its source: outputs, metadata. */
  readonly jupyter?: JsonMembers;
  /** Its original Jupyter source, if writing the cell would give a different one. */
  readonly jupyterSource?: string | readonly string[];
}

/** Receives the number of cells before they are created, and throws if there are too many. */
export type CountCells = (count: number) => void;

export const LANGUAGES = ['PYTHON', 'SCALA', 'SQL', 'R'] as const;
export type NotebookLanguage = (typeof LANGUAGES)[number];

export const isLanguage = (word: string): word is NotebookLanguage => (LANGUAGES as readonly string[]).includes(word);

export const EXTENSIONS: Readonly<Record<NotebookLanguage, string>> = {
  PYTHON: 'py',
  SCALA: 'scala',
  SQL: 'sql',
  R: 'r',
};

export const languageOfExtension = (extension: string): NotebookLanguage | undefined =>
  LANGUAGES.find((language) => EXTENSIONS[language] === extension.toLowerCase());

/** The language of cells that name none. */
export const ownLanguage = ({ language }: Pick<Notebook, 'language'>): string => language.toLowerCase();

const MAGIC_WORDS = new Set(['python', 'scala', 'sql', 'r', 'sh', 'md', 'md-sandbox', 'fs', 'run', 'pip', 'conda']);
/** Commands whose text is on the same line. */
const ONE_LINE = new Set(['run', 'pip', 'conda']);
const MAGIC = /^%([a-z-]+)(?:[ \t]+(.*))?$/;

/** The language and source of a cell, by the magic command that its text may start with. */
export function cellOfText(text: string, language: string): Pick<Cell, 'language' | 'source'> {
  const end = text.indexOf('\n');
  const [, word, rest] = MAGIC.exec(end < 0 ? text : text.slice(0, end)) ?? [];
  if (word === undefined || !MAGIC_WORDS.has(word)) return { language, source: text };
  const parts = [...(rest === undefined || rest === '' ? [] : [rest]), ...(end < 0 ? [] : [text.slice(end + 1)])];
  return { language: word, source: parts.join('\n') };
}

/** The text of a cell in a notebook, with a magic command if its language differs from the notebook's. */
export function textOfCell({ language, source }: Pick<Cell, 'language' | 'source'>, own: string): string {
  if (language === own) return source;
  if (source === '') return `%${language}`;
  return ONE_LINE.has(language) ? `%${language} ${source}` : `%${language}\n${source}`;
}
