import { ok } from '../../../kernel/http/index.ts';
import { bytesOfBase64, readUpload } from '../blobs/body.ts';
import { type Content, discard } from '../blobs/staged.ts';
import { completeFields, type FieldRules, readFields } from '../engine/fields.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { dbfsErrors } from './errors.ts';
import { dbfsNames, fileInfo, findNode, makeDirectories, recordChange, treeOf, writeFile } from './files.ts';
import { addBlock, closeHandle, openHandle } from './handles.ts';
import { move, remove } from './move.ts';
import { list, readPart } from './read.ts';

const MOST_BLOCK = 1024 * 1024;

const PATH = { type: 'string', required: true } as const;
const FLAG = { type: 'boolean', default: false } as const;
const HANDLE = { type: 'integer', required: true } as const;

const CREATE = { path: PATH, overwrite: FLAG } satisfies FieldRules;
const PUT = { ...CREATE, contents: { type: 'string', default: '' } } satisfies FieldRules;

const sent = (rules: FieldRules, body: unknown) => completeFields(rules, readFields(rules, body ?? {}));

function pathIn({ query }: PlatformCall): readonly string[] {
  if (typeof query.path !== 'string' || query.path === '')
    throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'path' });
  return dbfsNames(query.path);
}

function blockOf(text: unknown, field: string): Buffer {
  const bytes = bytesOfBase64(String(text), field);
  if (bytes.length > MOST_BLOCK) throw dbfsErrors.MAX_BLOCK_SIZE_EXCEEDED({ size: bytes.length, most: MOST_BLOCK });
  return bytes;
}

/** The file of a form may have any length; JSON carries one block. */
async function put(call: PlatformCall): Promise<void> {
  const { fields, file } = await readUpload(call, { file: 'contents', booleans: ['overwrite'], counted: () => {} });
  try {
    const { path, overwrite, contents } = sent(PUT, fields);
    const write = { names: dbfsNames(String(path)), overwrite: overwrite === true };
    const content: Content = file ?? { bytes: blockOf(contents, 'contents') };
    await call.jar.store.transact((tx) => writeFile(tx, call, write, content));
  } catch (error) {
    await discard(call.jar, file);
    throw error;
  }
}

const row = (
  method: 'GET' | 'POST',
  name: string,
  summary: string,
  handle: (call: PlatformCall) => Promise<object>,
  rest: Partial<Operation> = {},
): Operation => ({
  method,
  path: `/dbfs/${name}`,
  bare: [`/dbfs/${name}`],
  operation: `dbfs_${name.replace('-', '_')}`,
  summary: `File system: ${summary}`,
  ...rest,
  code: routeCode([], { handle: async (call) => ok(await handle(call)) }),
});

const done = async (action: Promise<unknown>): Promise<object> => {
  await action;
  return {};
};

export const DBFS_OPERATIONS: readonly Operation[] = [
  row('POST', 'put', 'write a file in one call', (call) => done(put(call)), { accepts: 'stream' }),
  row('POST', 'create', 'open a file to write it block by block', async (call) => {
    const { path, overwrite } = sent(CREATE, call.body);
    const handle = await openHandle(call, { names: dbfsNames(String(path)), overwrite: overwrite === true });
    return { handle: Number(handle) };
  }),
  row('POST', 'add-block', 'write a block', (call) => {
    const { handle, data } = sent({ handle: HANDLE, data: PATH }, call.body);
    return done(addBlock(call, String(handle), blockOf(data, 'data')));
  }),
  row('POST', 'close', 'end a file: it appears', (call) => {
    const { handle } = sent({ handle: HANDLE }, call.body);
    return done(closeHandle(call, String(handle)));
  }),
  row('GET', 'read', 'read a part of a file', (call) => readPart(call, pathIn(call))),
  row('GET', 'list', 'list a directory', async (call) => ({ files: await list(call, pathIn(call)) })),
  row('GET', 'get-status', 'read the status of a path', async (call) => {
    const names = pathIn(call);
    return fileInfo(names, await findNode(call.jar.store, treeOf(call), names));
  }),
  row('POST', 'mkdirs', 'make directories', (call) => {
    const names = dbfsNames(String(sent({ path: PATH }, call.body).path));
    return done(
      call.jar.store.transact(async (tx) => {
        await makeDirectories(tx, call, names);
        await recordChange(tx, call, 'mkdirs', names);
      }),
    );
  }),
  row('POST', 'move', 'move a file or directory', (call) => {
    const { source_path, destination_path } = sent({ source_path: PATH, destination_path: PATH }, call.body);
    const target = dbfsNames(String(destination_path), 'destination_path');
    return done(move(call, dbfsNames(String(source_path), 'source_path'), target));
  }),
  row('POST', 'delete', 'delete a file or directory', (call) => {
    const { path, recursive } = sent({ path: PATH, recursive: FLAG }, call.body);
    return done(remove(call, dbfsNames(String(path)), recursive === true));
  }),
];
