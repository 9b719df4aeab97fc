import { type Answer, ok } from '../../../kernel/http/index.ts';
import { completeFields, type FieldRules, readFields } from '../engine/fields.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { downloadFile, exportObject } from './export.ts';
import { importFile, importObject } from './import.ts';
import { listObjects, makeDirectories, removeObject } from './objects.ts';
import { ensureHome, type Place, placeAt } from './places.ts';
import { objectStatus } from './status.ts';

const PATH = { type: 'string', required: true } as const;
const FLAG = { type: 'boolean', default: false } as const;

const sent = (rules: FieldRules, body: unknown) => completeFields(rules, readFields(rules, body ?? {}));

function placeIn({ query }: PlatformCall): Place {
  if (typeof query.path !== 'string' || query.path === '')
    throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'path' });
  return placeAt(query.path);
}

const row = (
  method: 'GET' | 'POST',
  name: string,
  summary: string,
  handle: (call: PlatformCall) => Promise<Answer>,
  rest: Partial<Operation> = {},
): Operation => ({
  method,
  path: `/workspace/${name}`,
  bare: [`/workspace/${name}`],
  operation: `workspace_${name.replace('-', '_')}`,
  summary: `Workspace: ${summary}`,
  ...rest,
  code: routeCode([], {
    async handle(call) {
      await ensureHome(call);
      return handle(call);
    },
  }),
});

export const WORKSPACE_OPERATIONS: readonly Operation[] = [
  row('GET', 'list', 'list a directory', async (call) => {
    const objects = await listObjects(call, placeIn(call));
    return ok(objects.length === 0 ? {} : { objects });
  }),
  row('GET', 'get-status', 'read the metadata of an object', async (call) =>
    ok(await objectStatus(call, placeIn(call))),
  ),
  row('POST', 'mkdirs', 'make directories', async (call) => {
    const place = placeAt(String(sent({ path: PATH }, call.body).path));
    await call.jar.store.transact((tx) => makeDirectories(tx, call, place));
    return ok({});
  }),
  row(
    'POST',
    'import',
    'write a notebook, a file or an archive',
    async (call) => {
      await importObject(call);
      return ok({});
    },
    { accepts: 'stream' },
  ),
  row('GET', 'export', 'read a notebook, a file or a directory', (call) => exportObject(call, placeIn(call))),
  row('POST', 'delete', 'delete a notebook, a file or a directory', async (call) => {
    const { path, recursive } = sent({ path: PATH, recursive: FLAG }, call.body);
    await removeObject(call, placeAt(String(path)), recursive === true);
    return ok({});
  }),
  {
    method: 'POST',
    path: '/workspace-files/import-file/{path*}',
    operation: 'workspaceFiles_import',
    summary: 'Workspace: write a file from a raw body',
    accepts: 'stream',
    code: routeCode(['path'], {
      async handle(call) {
        await ensureHome(call);
        await importFile(call, placeAt(`/${call.params.path}`));
        return ok({});
      },
    }),
  },
  {
    method: 'GET',
    path: '/workspace-files/{path*}',
    operation: 'workspaceFiles_get',
    summary: 'Workspace: read the bytes of a file',
    produces: 'application/octet-stream',
    code: routeCode(['path'], {
      async handle(call) {
        await ensureHome(call);
        return downloadFile(call, placeAt(`/${call.params.path}`));
      },
    }),
  },
];
