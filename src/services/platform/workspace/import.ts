import { bytesOfBase64, isStream, readUpload } from '../blobs/body.ts';
import { type Content, discard, sizeOf, stage } from '../blobs/staged.ts';
import { readBlob, readRange } from '../blobs/store.ts';
import { completeFields, type FieldRules, readFields } from '../engine/fields.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, workspaceIn } from '../jar.ts';
import { checkBound } from '../limits/take.ts';
import { isLanguage, LANGUAGES, type NotebookLanguage } from '../notebooks/model.ts';
import { pathOf } from '../tree/paths.ts';
import { workspaceErrors } from './errors.ts';
import { recordChange } from './objects.ts';
import { type Place, placeAt } from './places.ts';
import {
  HEAD_BYTES,
  IMPORT_FORMATS,
  type ImportFormat,
  isNotebook,
  type ReadImport,
  readImport,
} from './read-format.ts';
import { checkImported, writeObject } from './write.ts';
import { writeDirectory } from './write-directory.ts';

/** Size limit of one import and of a notebook. */
export const MOST_IMPORTED = 10 * 1024 * 1024;

const FIELDS: FieldRules = {
  path: { type: 'string', required: true },
  format: { type: 'string', words: IMPORT_FORMATS, default: 'SOURCE' },
  language: { type: 'string', words: LANGUAGES },
  content: { type: 'string', default: '' },
  overwrite: { type: 'boolean', default: false },
};

const tooLarge = (what: string) => workspaceErrors.MAX_NOTEBOOK_SIZE_EXCEEDED({ what, most: MOST_IMPORTED });

/** The limit applies to JSON bodies as a whole, to notebooks and to archives; a file in a form has the limit of files. */
function checkSize(content: Content, what: string): void {
  if (sizeOf(content) > MOST_IMPORTED) throw tooLarge(what);
}

const fileBound = ({ jar, facts }: PlatformCall): ((size: number) => void) => {
  const scope = [workspaceIn({ facts }).id];
  return (size) => checkBound(jar, 'workspace-file-size', scope, size);
};

/** `POST /workspace/import`: JSON with base64, or a form with a file. */
export async function importObject(call: PlatformCall): Promise<void> {
  const upload = { file: 'content', booleans: ['overwrite'], counted: fileBound(call) };
  const { fields, file } = await readUpload(call, upload);
  await using(call, file, async () => {
    const sent = completeFields(FIELDS, readFields(FIELDS, fields));
    const content = file ?? { bytes: bytesOfBase64(String(sent.content), 'content') };
    if (!file) checkSize(content, 'the content');
    return importContent(call, {
      place: placeAt(String(sent.path)),
      content,
      format: sent.format as ImportFormat,
      language: typeof sent.language === 'string' && isLanguage(sent.language) ? sent.language : undefined,
      overwrite: sent.overwrite === true,
    });
  });
}

/**
 * `POST /workspace-files/import-file/{path}`: a raw body up to the size limit of files. As with AUTO, name and first line may make it a
 * notebook.
 */
export async function importFile(call: PlatformCall, place: Place): Promise<void> {
  const { jar, body, query } = call;
  const content: Content = isStream(body) ? await stage(jar, body, fileBound(call)) : { bytes: Buffer.alloc(0) };
  const overwrite = query.overwrite === 'true';
  await using(call, content, () =>
    importContent(call, { place, content, format: 'AUTO', language: undefined, overwrite }),
  );
}

/** Discards an upload that no file uses: `use` returns whether one does. */
async function using(call: PlatformCall, content: Content | undefined, use: () => Promise<boolean>): Promise<void> {
  let isTaken = false;
  try {
    isTaken = await use();
  } finally {
    if (!isTaken) await discard(call.jar, content);
  }
}

interface Import {
  readonly place: Place;
  readonly content: Content;
  readonly format: ImportFormat;
  readonly language: NotebookLanguage | undefined;
  readonly overwrite: boolean;
}

/** Returns true if the file uses the uploaded content itself. */
async function importContent(call: PlatformCall, { place, content, format, language, overwrite }: Import) {
  const name = place.names.at(-1) ?? '';
  if (overwrite && format === 'DBC')
    throw errors.INVALID_PARAMETER_VALUE({ reason: "The format DBC does not support 'overwrite'." });
  if (await isPlainFile(call, content, name, format)) {
    const imported = { type: 'FILE', content } as const;
    await writeImport(call, place, { kind: 'object', name, imported }, overwrite);
    return true;
  }
  checkSize(content, format === 'AUTO' ? 'the notebook' : 'the content');
  const { jar } = call;
  const scope = [workspaceIn(call).id, pathOf(place.names)];
  const counted = (cells: number): void => checkBound(jar, 'notebook-cells', scope, cells);
  const read = await readImport(await bytesIn(call, content), name, format, language, counted);
  await writeImport(call, place, read, overwrite);
  return false;
}

/** Returns true if the bytes are stored unchanged; only their beginning is inspected. */
async function isPlainFile(
  { jar }: PlatformCall,
  content: Content,
  name: string,
  format: ImportFormat,
): Promise<boolean> {
  if (format !== 'AUTO') return format === 'RAW';
  const head = 'bytes' in content ? content.bytes : await readRange(jar.store, content.staged, 0, HEAD_BYTES);
  return !isNotebook(head, name);
}

async function bytesIn({ jar }: PlatformCall, content: Content): Promise<Buffer> {
  return 'bytes' in content ? content.bytes : readBlob(jar.store, content.staged);
}

async function writeImport(call: PlatformCall, place: Place, read: ReadImport, overwrite: boolean): Promise<void> {
  const { names, mount } = place;
  if (read.kind === 'directory') return writeDirectory(call, place, read.entries, overwrite);
  const target = names.length === 0 ? [] : [...names.slice(0, -1), read.name];
  checkImported(call, target, read.imported);
  await call.jar.store.transact(async (tx) => {
    await writeObject(tx, call, { place: { names: target, mount }, overwrite, imported: read.imported });
    await recordChange(tx, call, 'import', target);
  });
}
