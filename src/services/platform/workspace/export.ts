import type { Readable } from 'node:stream';
import type { Answer } from '../../../kernel/http/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { pagesOf } from '../../../kernel/store/index.ts';
import { readBlob, retryIfGone, streamBlob } from '../blobs/store.ts';
import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import { documentOf } from '../notebooks/formats/archive.ts';
import { writeHtml } from '../notebooks/formats/html.ts';
import { writeJupyter } from '../notebooks/formats/jupyter.ts';
import { writeRMarkdown } from '../notebooks/formats/r-markdown.ts';
import { writeSource } from '../notebooks/formats/source.ts';
import { writeZip, type ZipEntry } from '../notebooks/formats/zip.ts';
import { EXTENSIONS, type Notebook, ownLanguage } from '../notebooks/model.ts';
import { nodeKey, type TreeNode, treeNodes } from '../tree/collections.ts';
import { isDirectory } from '../tree/nodes.ts';
import { pathOf } from '../tree/paths.ts';
import { workspaceErrors } from './errors.ts';
import { MOST_IMPORTED } from './import.ts';
import { findNodes } from './objects.ts';
import { type Place, shownPath } from './places.ts';
import { notebookOf } from './read.ts';

/** The limit of an import, so that an export can be imported again. */
const MOST_EXPORTED = MOST_IMPORTED;

type Format = 'SOURCE' | 'HTML' | 'JUPYTER' | 'DBC' | 'R_MARKDOWN' | 'AUTO' | 'RAW';
const FORMATS: readonly string[] = ['SOURCE', 'HTML', 'JUPYTER', 'DBC', 'R_MARKDOWN', 'AUTO', 'RAW'] satisfies Format[];
const isFormat = (word: unknown): word is Format => typeof word === 'string' && FORMATS.includes(word);

interface Exported {
  readonly bytes: Buffer;
  readonly fileType: string;
}

/** `GET /workspace/export`. */
export const exportObject = (call: PlatformCall, place: Place): Promise<Answer> =>
  retryIfGone(() => exportOnce(call, place));

async function exportOnce(call: PlatformCall, place: Place): Promise<Answer> {
  const { names } = place;
  const { format = 'SOURCE', direct_download: direct, outputs = 'ALL' } = call.query;
  if (outputs !== 'ALL' && outputs !== 'NONE') throw refuse("The parameter 'outputs' must be ALL or NONE.");
  if (!isFormat(format)) throw refuse(`The parameter 'format' must be one of ${FORMATS.join(', ')}.`);
  const node = (await findNodes(call, place)).at(-1);
  if (direct === 'true' && node?.type === 'FILE') {
    checkFileFormat(format, names);
    return download(streamOf(call, node), node.name);
  }
  const { bytes, fileType } = await exported(call, names, node, format, outputs !== 'NONE');
  if (bytes.length > MOST_EXPORTED) throw tooLarge(names);
  return direct === 'true'
    ? download(bytes, `${names.at(-1) ?? 'workspace'}.${fileType}`)
    : ok({ content: bytes.toString('base64'), file_type: fileType });
}

async function exported(
  call: PlatformCall,
  names: readonly string[],
  node: TreeNode | undefined,
  format: Format,
  outputs: boolean,
): Promise<Exported> {
  const { store } = call.jar;
  if (!node || isDirectory(node)) return exportDirectory(call, names, node, format, outputs);
  if (node.type === 'FILE') {
    checkFileFormat(format, names);
    const { blob = '', size = 0 } = node;
    if (size > MOST_EXPORTED) throw tooLarge(names);
    return { bytes: await readBlob(store, { blob, size }), fileType: extensionOf(node.name) };
  }
  return writeNotebook(await notebookOf(store, node), node.name, format, outputs);
}

function checkFileFormat(format: Format, names: readonly string[]): void {
  if (format !== 'SOURCE' && format !== 'AUTO' && format !== 'RAW')
    throw refuse(`${pathOf(names)} is a file, which cannot be exported as ${format}.`);
}

const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1] ?? '';

async function writeNotebook(notebook: Notebook, name: string, format: Format, outputs: boolean): Promise<Exported> {
  const text = (written: string, fileType: string): Exported => ({ bytes: Buffer.from(written), fileType });
  switch (format) {
    case 'HTML':
      return text(writeHtml(notebook, name), 'html');
    case 'JUPYTER':
      return text(writeJupyter(notebook, { outputs }), 'ipynb');
    case 'R_MARKDOWN':
      return text(writeRMarkdown(notebook, name), 'Rmd');
    case 'DBC':
      return { bytes: await writeZip([archiveEntry(notebook, [name])]), fileType: 'dbc' };
    case 'AUTO':
      // The original format: a notebook imported from a Jupyter file is exported as one.
      return writeNotebook(notebook, name, notebook.jupyter ? 'JUPYTER' : 'SOURCE', outputs);
    case 'SOURCE':
    case 'RAW':
      return text(writeSource(notebook), EXTENSIONS[notebook.language]);
  }
}

const archiveEntry = (notebook: Notebook, names: readonly string[]): ZipEntry => ({
  name: `${names.join('/')}.${ownLanguage(notebook)}`,
  bytes: Buffer.from(JSON.stringify(documentOf(notebook, names.at(-1) as string))),
});

/** DBC and SOURCE include the notebooks of a directory, AUTO also its files. */
async function exportDirectory(
  call: PlatformCall,
  names: readonly string[],
  directory: TreeNode | undefined,
  format: Format,
  outputs: boolean,
): Promise<Exported> {
  if (format !== 'DBC' && format !== 'SOURCE' && format !== 'AUTO')
    throw refuse(`${pathOf(names)} is a directory, which cannot be exported as ${format}.`);
  if (!directory) throw refuse('The root cannot be exported.');
  const { store } = call.jar;
  const entries: ZipEntry[] = [];
  let left = MOST_EXPORTED;
  const add = async (node: TreeNode, place: readonly string[]): Promise<void> => {
    const { blob = '', size = 0, name, tree, inside } = node;
    const full = [...place, name];
    if (inside !== undefined) {
      for await (const page of pagesOf(store, treeNodes, { prefix: nodeKey(tree, inside, '') }))
        for (const { value } of page) await add(value, full);
      return;
    }
    if (node.type === 'FILE' && format !== 'AUTO') return;
    left -= size;
    if (left < 0) throw tooLarge(names);
    if (node.type === 'FILE') entries.push({ name: full.join('/'), bytes: await readBlob(store, { blob, size }) });
    else {
      const notebook = await notebookOf(store, node);
      if (format === 'DBC') entries.push(archiveEntry(notebook, full));
      else {
        const { bytes, fileType } = await writeNotebook(notebook, name, format, outputs);
        entries.push({ name: `${full.join('/')}.${fileType}`, bytes });
      }
    }
  };
  await add(directory, []);
  return { bytes: await writeZip(entries), fileType: format === 'DBC' ? 'dbc' : 'zip' };
}

const streamOf = (call: PlatformCall, { blob = '', size = 0 }: TreeNode): Readable =>
  streamBlob(call.jar.store, { blob, size });

function download(body: Buffer | Readable, name: string): Answer {
  const quoted = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  return {
    status: 200,
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${quoted}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    },
    body,
  };
}

/** `GET /workspace-files/{path}`: the bytes of a file, or the source of a notebook. */
export async function downloadFile(call: PlatformCall, place: Place): Promise<Answer> {
  const node = (await findNodes(call, place)).at(-1);
  if (node?.type === 'FILE') return download(streamOf(call, node), node.name);
  if (node?.type !== 'NOTEBOOK') throw refuse(`${shownPath(place, place.names)} is a directory, which cannot be read.`);
  const { bytes, fileType } = await writeNotebook(await notebookOf(call.jar.store, node), node.name, 'SOURCE', true);
  return download(bytes, `${node.name}.${fileType}`);
}

const refuse = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });

const tooLarge = (names: readonly string[]) =>
  workspaceErrors.MAX_NOTEBOOK_SIZE_EXCEEDED({ what: `the export of ${pathOf(names)}`, most: MOST_EXPORTED });
