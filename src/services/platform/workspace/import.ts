import { bytesOfBase64, isStream, readUpload } from '../blobs/body.ts';
import { type Content, discard, sizeOf, stage } from '../blobs/staged.ts';
import { readBlob, readRange } from '../blobs/store.ts';
import { completeFields, type FieldRules, readFields } from '../engine/fields.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, standingIn, workspaceIn } from '../jar.ts';
import { checkBound } from '../limits/take.ts';
import { isLanguage, LANGUAGES } from '../notebooks/model.ts';
import { treeNodes } from '../tree/collections.ts';
import { addDirectories, follow, isDirectory, keyOf, newNode } from '../tree/nodes.ts';
import { pathOf } from '../tree/paths.ts';
import { workspaceErrors } from './errors.ts';
import { makeDirectories, recordChange } from './objects.ts';
import { checkNames, treeOf, workspaceNames } from './places.ts';
import {
  type Entry,
  IMPORT_FORMATS,
  type ImportFormat,
  notebookLanguage,
  type ReadImport,
  readAuto,
  readImport,
} from './read-format.ts';
import { checkImported, storedContent, writeObject } from './write.ts';

/** What one import may bring, and the most that a notebook may have. */
export const MOST_IMPORTED = 10 * 1024 * 1024;
/** As much of a file as shows whether it is a notebook. */
const HEAD_BYTES = 100;

const FIELDS: FieldRules = {
  path: { type: 'string', required: true },
  format: { type: 'string', words: IMPORT_FORMATS, default: 'SOURCE' },
  language: { type: 'string', words: LANGUAGES },
  content: { type: 'string', default: '' },
  overwrite: { type: 'boolean', default: false },
};

const tooLarge = (what: string) => workspaceErrors.MAX_NOTEBOOK_SIZE_EXCEEDED({ what, most: MOST_IMPORTED });

function checkSize(size: number): void {
  if (size > MOST_IMPORTED) throw tooLarge('the content');
}

/** `POST /workspace/import`: JSON with base64, or a form with a file. */
export async function importObject(call: PlatformCall): Promise<void> {
  const { fields, file } = await readUpload(call, { file: 'content', booleans: ['overwrite'], counted: checkSize });
  try {
    const sent = completeFields(FIELDS, readFields(FIELDS, fields));
    const names = workspaceNames(String(sent.path));
    const bytes = file ? await bytesIn(call, file) : bytesOfBase64(String(sent.content), 'content');
    checkSize(bytes.length);
    const format = sent.format as ImportFormat;
    const language = typeof sent.language === 'string' && isLanguage(sent.language) ? sent.language : undefined;
    const read = await readImport(bytes, names.at(-1) ?? '', format, language);
    await writeImport(call, names, read, sent.overwrite === true);
  } finally {
    await discard(call.jar, file);
  }
}

async function bytesIn({ jar }: PlatformCall, content: Content): Promise<Buffer> {
  return 'bytes' in content ? content.bytes : readBlob(jar.store, content.staged);
}

async function writeImport(
  call: PlatformCall,
  names: readonly string[],
  read: ReadImport,
  overwrite: boolean,
): Promise<void> {
  if (read.kind === 'directory') return writeDirectory(call, names, read.entries, overwrite);
  const target = [...names.slice(0, -1), read.name];
  checkImported(call, target, read.imported);
  await call.jar.store.transact(async (tx) => {
    await writeObject(tx, call, { names: names.length === 0 ? [] : target, overwrite, imported: read.imported });
    await recordChange(tx, call, 'import', target);
  });
}

/** An archive becomes a directory, whole or not at all. */
async function writeDirectory(
  call: PlatformCall,
  names: readonly string[],
  entries: readonly Entry[],
  overwrite: boolean,
): Promise<void> {
  if (overwrite)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: "An archive cannot be imported with 'overwrite': delete the directory first.",
    });
  const path = pathOf(names);
  for (const entry of entries) checkImported(call, [...names, ...entry.names], entry.imported);
  await call.jar.store.transact(async (tx) => {
    const tree = treeOf(call);
    const above = await follow(tx, tree, names.slice(0, -1));
    if (above.missing.length > 0)
      throw workspaceErrors.RESOURCE_DOES_NOT_EXIST__Parent({ path: pathOf(names.slice(0, -1)) });
    if ((await follow(tx, tree, names)).missing.length === 0) throw workspaceErrors.RESOURCE_ALREADY_EXISTS({ path });
    await makeDirectories(tx, call, names);
    const createdBy = standingIn(call).principal.id;
    const now = call.jar.clock.now();
    const seen = new Set<string>();
    for (const entry of entries) {
      const full = [...names, ...entry.names];
      if (seen.has(pathOf(full))) throw workspaceErrors.RESOURCE_ALREADY_EXISTS({ path: pathOf(full) });
      seen.add(pathOf(full));
      checkNames(call, entry.names, full.length - 1);
      const directory = await addDirectories(tx, await follow(tx, tree, full.slice(0, -1)), { tree, createdBy, now });
      if (!directory || !isDirectory(directory))
        throw workspaceErrors.RESOURCE_ALREADY_EXISTS({ path: pathOf(full.slice(0, -1)) });
      const head = newNode({ tree, parent: directory.inside ?? '', name: full.at(-1) as string, createdBy, now });
      const node = { ...head, ...(await storedContent(tx, entry.imported)) };
      await tx.put(treeNodes, keyOf(node), node, { ifNoneMatch: '*' });
    }
    await recordChange(tx, call, 'import', names);
  });
}

/** `POST /workspace-files/import-file/{path}`: a raw body of up to what a file may have. As with AUTO, name and first line may make it a notebook. */
export async function importFile(call: PlatformCall, path: string): Promise<void> {
  const names = workspaceNames(`/${path}`);
  const name = names.at(-1) ?? '';
  const { jar, body } = call;
  const scope = [workspaceIn(call).id];
  const counted = (size: number): void => checkBound(jar, 'workspace-file-size', scope, size);
  const content: Content = isStream(body) ? await stage(jar, body, counted) : { bytes: Buffer.alloc(0) };
  try {
    const head = 'bytes' in content ? content.bytes : await readRange(jar.store, content.staged, 0, HEAD_BYTES);
    const isNotebook =
      /\.ipynb$/i.test(name) || notebookLanguage(head.toString('utf8', 0, HEAD_BYTES), name) !== undefined;
    if (isNotebook && sizeOf(content) > MOST_IMPORTED) throw tooLarge('the notebook');
    const read = isNotebook
      ? readAuto(await bytesIn(call, content), name)
      : { name, imported: { type: 'FILE', content } as const };
    await writeImport(call, names, { kind: 'object', ...read }, call.query.overwrite === 'true');
    if (isNotebook) await discard(jar, content);
  } catch (error) {
    await discard(jar, content);
    throw error;
  }
}
