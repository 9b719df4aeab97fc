import { errors } from '../errors.ts';
import { readDocument } from '../notebooks/formats/archive.ts';
import { readHtml } from '../notebooks/formats/html.ts';
import { readJupyter } from '../notebooks/formats/jupyter.ts';
import { readRMarkdown } from '../notebooks/formats/r-markdown.ts';
import { hasHeader, readSource } from '../notebooks/formats/source.ts';
import { isZip, readZip } from '../notebooks/formats/zip.ts';
import { type CountCells, languageOfExtension, type Notebook, type NotebookLanguage } from '../notebooks/model.ts';
import type { Imported } from './write.ts';

/** Converts the bytes of an import to objects, by format. */

export const IMPORT_FORMATS = ['SOURCE', 'HTML', 'JUPYTER', 'DBC', 'R_MARKDOWN', 'AUTO', 'RAW'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** Limits of an archive: as many files as a git folder, and twice the bytes of an import. */
const ARCHIVE_BOUNDS = { entries: 10_000, bytes: 20 * 1024 * 1024 };

export interface Entry {
  /** Path relative to the path of the import. */
  readonly names: readonly string[];
  readonly imported: Imported;
}

export type ReadImport =
  /** One object, whose name may have lost its extension. */
  | { readonly kind: 'object'; readonly name: string; readonly imported: Imported }
  | { readonly kind: 'directory'; readonly entries: readonly Entry[] };

const notebook = (read: Notebook): Imported => ({ type: 'NOTEBOOK', notebook: read });

const splitName = (name: string): readonly [stem: string, extension: string] => {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)];
};

export async function readImport(
  bytes: Buffer,
  name: string,
  format: ImportFormat,
  language: NotebookLanguage | undefined,
  counted: CountCells,
): Promise<ReadImport> {
  const object = (imported: Imported): ReadImport => ({ kind: 'object', name, imported });
  const text = (): string => bytes.toString('utf8');
  switch (format) {
    case 'RAW':
      return object({ type: 'FILE', content: { bytes } });
    case 'AUTO':
      return { kind: 'object', ...readAuto(bytes, name, counted) };
    case 'JUPYTER':
      return object(notebook(readJupyter(bytes, counted)));
    case 'HTML':
      return object(notebook(readHtml(text(), counted)));
    case 'R_MARKDOWN':
      return object(notebook(readRMarkdown(text(), counted)));
    case 'DBC':
      return readArchive(bytes, name, counted);
    case 'SOURCE':
      if (language) return object(notebook(readSource(text(), language, counted)));
      if (isZip(bytes)) return readSources(bytes, counted);
      throw errors.INVALID_PARAMETER_VALUE({
        reason: "The field 'language' is needed to import a single notebook of the format SOURCE.",
      });
  }
}

/** Number of bytes that show whether a file is a notebook. */
export const HEAD_BYTES = 100;

/** The language of a file whose name and first line make it a notebook. */
function notebookLanguage(head: Buffer, name: string): NotebookLanguage | undefined {
  const language = languageOfExtension(splitName(name)[1]);
  return language && hasHeader(head.toString('utf8', 0, HEAD_BYTES), language) ? language : undefined;
}

const isJupyterName = (name: string): boolean => splitName(name)[1].toLowerCase() === 'ipynb';

/** Returns true if the name and the beginning of a file make it a notebook. */
export const isNotebook = (head: Buffer, name: string): boolean =>
  isJupyterName(name) || notebookLanguage(head, name) !== undefined;

/** A notebook if name and content make it one, which then loses its extension; otherwise a file. */
export function readAuto(
  bytes: Buffer,
  name: string,
  counted?: CountCells,
): { readonly name: string; readonly imported: Imported } {
  const [stem] = splitName(name);
  if (isJupyterName(name)) return { name: stem, imported: notebook(readJupyter(bytes, counted)) };
  const language = notebookLanguage(bytes, name);
  if (language) return { name: stem, imported: notebook(readSource(bytes.toString('utf8'), language, counted)) };
  return { name, imported: { type: 'FILE', content: { bytes } } };
}

/** An archive with one notebook is that notebook; otherwise the first directory in it becomes the path of the import. */
async function readArchive(bytes: Buffer, name: string, counted: CountCells): Promise<ReadImport> {
  const files = (await readZip(bytes, ARCHIVE_BOUNDS)).filter((file) => !file.name.split('/').at(-1)?.startsWith('.'));
  const entries = files.map((file): Entry => {
    const names = namesOf(file.name);
    const [stem] = splitName(names.at(-1) as string);
    return { names: [...names.slice(0, -1), stem], imported: notebook(readDocument(file.bytes, file.name, counted)) };
  });
  const [only] = entries;
  if (only && entries.length === 1 && only.names.length === 1) return { kind: 'object', name, imported: only.imported };
  return { kind: 'directory', entries: withoutCommonFirst(entries) };
}

async function readSources(bytes: Buffer, counted: CountCells): Promise<ReadImport> {
  const files = await readZip(bytes, ARCHIVE_BOUNDS);
  const entries = files.map((file): Entry => {
    const names = namesOf(file.name);
    if (/\.zip$/i.test(file.name) && isZip(file.bytes))
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `The archive contains another archive, '${file.name.slice(0, 200)}': zip files within directories are not supported.`,
      });
    const { name, imported } = readAuto(file.bytes, names.at(-1) as string, counted);
    return { names: [...names.slice(0, -1), name], imported };
  });
  return { kind: 'directory', entries: withoutCommonFirst(entries) };
}

function namesOf(path: string): readonly string[] {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.length === 0 || names.includes('..') || path.includes('\0') || !path.isWellFormed())
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The archive has an entry '${path.slice(0, 200).toWellFormed()}'.`,
    });
  return names;
}

function withoutCommonFirst(entries: readonly Entry[]): readonly Entry[] {
  const first = entries[0]?.names[0];
  const isCommon = entries.every(({ names }) => names.length > 1 && names[0] === first);
  return isCommon ? entries.map(({ names, imported }) => ({ names: names.slice(1), imported })) : entries;
}
