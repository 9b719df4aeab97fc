import type { JsonMembers } from '../../../kernel/values/index.ts';

/** A notebook as it is kept: what every format is read to and written from. */
export interface Notebook {
  readonly language: NotebookLanguage;
  readonly cells: readonly Cell[];
  /** The lines of its source ended in CR LF. */
  readonly crlf?: true;
  /** What a Jupyter notebook has beside its cells. */
  readonly jupyter?: JsonMembers;
}

export interface Cell {
  /** `python`, `scala`, `sql`, `r`, or what a magic command names: `sh`, `md`, `fs`, `run`, `pip`. */
  readonly language: string;
  readonly source: string;
  readonly title?: string;
  /** Its lines in the source of the notebook, where writing the cell would give others: nothing that was imported is lost. */
  readonly lines?: readonly string[];
  /** What a Jupyter cell has beside its source: outputs, metadata. */
  readonly jupyter?: JsonMembers;
  /** Its source in Jupyter, where writing the cell would give another. */
  readonly jupyterSource?: string | readonly string[];
}

/** Gets the number of cells before they are made, and throws where there are too many. */
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
/** Their text stands in the line of the command. */
const ONE_LINE = new Set(['run', 'pip', 'conda']);
const MAGIC = /^%([a-z-]+)(?:[ \t]+(.*))?$/;

/** What a cell is, by the magic command that its text may begin with. */
export function cellOfText(text: string, language: string): Pick<Cell, 'language' | 'source'> {
  const end = text.indexOf('\n');
  const [, word, rest] = MAGIC.exec(end < 0 ? text : text.slice(0, end)) ?? [];
  if (word === undefined || !MAGIC_WORDS.has(word)) return { language, source: text };
  const parts = [...(rest === undefined || rest === '' ? [] : [rest]), ...(end < 0 ? [] : [text.slice(end + 1)])];
  return { language: word, source: parts.join('\n') };
}

/** The text of a cell in a notebook of another language or the same. */
export function textOfCell({ language, source }: Pick<Cell, 'language' | 'source'>, own: string): string {
  if (language === own) return source;
  if (source === '') return `%${language}`;
  return ONE_LINE.has(language) ? `%${language} ${source}` : `%${language}\n${source}`;
}
