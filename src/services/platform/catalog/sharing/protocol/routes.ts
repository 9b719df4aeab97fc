import { ok } from '../../../../../kernel/http/index.ts';
import { blobAnswer } from '../../../blobs/range-answer.ts';
import { type PlatformCall, routeCode } from '../../../jar.ts';
import type { Operation } from '../../../operation.ts';
import type { Securable } from '../../core/securables.ts';
import { findFile } from '../../tables/data/files.ts';
import { readableShares } from '../readable-shares.ts';
import { changesAnswer, metadataAnswer, queryAnswer, versionAsked, versionHeaders } from './answers.ts';
import { authenticateRecipient } from './authenticate.ts';
import { sharingErrors } from './errors.ts';
import { readLink } from './links.ts';
import { afterOf, following, type Listed, maxResultsOf, pageOf } from './paging.ts';
import {
  requireShare,
  requireTable,
  type SharedTable,
  sharedSchemas,
  sharedTables,
  type TableName,
} from './shared-tables.ts';

const PATH = '/delta-sharing/metastores/{metastore_id}';
const BARE = '/delta-sharing';
const SHARE = '/shares/{share}';
const TABLE = `${SHARE}/schemas/{schema}/tables/{table}`;

type Row = Pick<Operation, 'method' | 'operation' | 'summary' | 'code'> & Partial<Operation>;

/**
 * These operations need no sign-in: a recipient has its own token. They are served below `/delta-sharing`, below `/delta-sharing` with a
 * recipient's id, and at the real service's paths.
 */
const open = (end: string, row: Row): Operation => ({
  ...row,
  path: `${PATH}${end}`,
  bare: [`${BARE}${end}`, `${BARE}/recipients/{recipient_id}${end}`],
  open: true,
  errors: 'sharing',
});

const shareView = ({ id, name, fields }: Securable): object => ({
  name,
  id,
  ...(typeof fields.comment === 'string' && { comment: fields.comment }),
});

async function listShares(call: PlatformCall): Promise<object> {
  const recipient = await authenticateRecipient(call);
  const [size, after] = [maxResultsOf(call), afterOf(call)];
  const shares = await readableShares(call.jar.store, recipient);
  const items = shares.map((share): Listed => ({ key: share.name, view: shareView(share) }));
  return pageOf(call, following(items, after), size, after);
}

async function listSchemas(call: PlatformCall, name: string): Promise<object> {
  const share = await requireShare(call.jar.store, await authenticateRecipient(call), name);
  const [size, after] = [maxResultsOf(call), afterOf(call)];
  const schemas = await sharedSchemas(call.jar.store, share);
  const items = schemas.map((schema): Listed => ({ key: schema, view: { name: schema, share: share.name } }));
  return pageOf(call, following(items, after), size, after);
}

const tableItem = (share: Securable, { schema, name, id }: TableName): Listed => ({
  // Names have no control characters, so that this key orders by schema and then by table.
  key: `${schema}\u0000${name}`,
  view: { name, schema, share: share.name, shareId: share.id, id },
});

async function listTables(call: PlatformCall, shareName: string, schema: string): Promise<object> {
  const { store } = call.jar;
  const share = await requireShare(store, await authenticateRecipient(call), shareName);
  const name = schema.toLowerCase();
  if (!(await sharedSchemas(store, share)).includes(name))
    throw sharingErrors.RESOURCE_DOES_NOT_EXIST({ reason: `Schema '${schema.slice(0, 255)}' does not exist.` });
  const [size, after] = [maxResultsOf(call), afterOf(call)];
  const from = after === undefined ? {} : { after: after.slice(after.indexOf('\u0000') + 1) };
  const tables = await sharedTables(store, share, name, { ...from, most: size + 1 });
  return pageOf(
    call,
    tables.map((table) => tableItem(share, table)),
    size,
    after,
  );
}

async function listAllTables(call: PlatformCall, shareName: string): Promise<object> {
  const { store } = call.jar;
  const share = await requireShare(store, await authenticateRecipient(call), shareName);
  const [size, after = ''] = [maxResultsOf(call), afterOf(call)];
  const [lastSchema = '', lastTable = ''] = after.split('\u0000');
  const items: Listed[] = [];
  for (const schema of await sharedSchemas(store, share)) {
    if (schema < lastSchema || items.length > size) continue;
    const from = schema === lastSchema ? { after: lastTable } : {};
    const tables = await sharedTables(store, share, schema, { ...from, most: size + 1 - items.length });
    items.push(...tables.map((table) => tableItem(share, table)));
  }
  return pageOf(call, items, size, after);
}

type OfTable = PlatformCall & {
  readonly params: { readonly share: string; readonly schema: string; readonly table: string };
};

async function asked(call: OfTable): Promise<{ call: PlatformCall; recipient: Securable; table: SharedTable }> {
  const recipient = await authenticateRecipient(call);
  return { call, recipient, table: await requireTable(call.jar, recipient, call.params) };
}

const PARAMS = ['share', 'schema', 'table'] as const;

/** The open sharing protocol. */
export const PROTOCOL_OPERATIONS: readonly Operation[] = [
  open('/shares', {
    method: 'GET',
    operation: 'sharingProtocol_listShares',
    summary: 'List the shares of a recipient',
    code: routeCode([], { handle: async (call) => ok(await listShares(call)) }),
  }),
  open(SHARE, {
    method: 'GET',
    operation: 'sharingProtocol_getShare',
    summary: 'Read a share of a recipient',
    code: routeCode(['share'], {
      async handle(call) {
        const share = await requireShare(call.jar.store, await authenticateRecipient(call), call.params.share);
        return ok({ share: shareView(share) });
      },
    }),
  }),
  open(`${SHARE}/schemas`, {
    method: 'GET',
    operation: 'sharingProtocol_listSchemas',
    summary: 'List the schemas of a share',
    code: routeCode(['share'], { handle: async (call) => ok(await listSchemas(call, call.params.share)) }),
  }),
  open(`${SHARE}/schemas/{schema}/tables`, {
    method: 'GET',
    operation: 'sharingProtocol_listTables',
    summary: 'List the tables in a schema of a share',
    code: routeCode(['share', 'schema'], {
      handle: async (call) => ok(await listTables(call, call.params.share, call.params.schema)),
    }),
  }),
  open(`${SHARE}/all-tables`, {
    method: 'GET',
    operation: 'sharingProtocol_listAllTables',
    summary: 'List all tables of a share',
    code: routeCode(['share'], { handle: async (call) => ok(await listAllTables(call, call.params.share)) }),
  }),
  open(`${TABLE}/version`, {
    method: 'GET',
    operation: 'sharingProtocol_version',
    summary: 'Read the version of a shared table',
    code: routeCode(PARAMS, {
      handle: async (call) => ({ status: 200, headers: versionHeaders(await versionAsked(await asked(call))) }),
    }),
  }),
  open(TABLE, {
    method: 'HEAD',
    operation: 'sharingProtocol_headTable',
    summary: 'Read the version of a shared table, in the older form',
    code: routeCode(PARAMS, {
      handle: async (call) => ({ status: 200, headers: versionHeaders(await versionAsked(await asked(call))) }),
    }),
  }),
  open(`${TABLE}/metadata`, {
    method: 'GET',
    operation: 'sharingProtocol_metadata',
    summary: 'Read the columns of a shared table',
    produces: 'application/x-ndjson',
    code: routeCode(PARAMS, { handle: async (call) => metadataAnswer(await asked(call)) }),
  }),
  open(`${TABLE}/query`, {
    method: 'POST',
    operation: 'sharingProtocol_query',
    secretBodies: true,
    summary: 'List the files of a shared table, with links',
    produces: 'application/x-ndjson',
    code: routeCode(PARAMS, { handle: async (call) => queryAnswer(await asked(call)) }),
  }),
  open(`${TABLE}/changes`, {
    method: 'GET',
    operation: 'sharingProtocol_changes',
    secretBodies: true,
    summary: 'List the changes between versions of a shared table',
    produces: 'application/x-ndjson',
    code: routeCode(PARAMS, { handle: async (call) => changesAnswer(await asked(call)) }),
  }),
  open(`${TABLE}/queries/{query}`, {
    method: 'POST',
    operation: 'sharingProtocol_queryStatus',
    summary: 'Read the state of a running query; there are none here',
    code: routeCode([...PARAMS, 'query'], {
      async handle(call) {
        await asked(call);
        throw sharingErrors.RESOURCE_DOES_NOT_EXIST({
          reason: `The query '${call.params.query.slice(0, 100)}' does not exist.`,
        });
      },
    }),
  }),
  open(`${TABLE}/temporary-table-credentials`, {
    method: 'POST',
    operation: 'sharingProtocol_credentials',
    summary: 'Create a credential for the directory of a shared table; not supported, tables are read by links',
    code: routeCode(PARAMS, {
      async handle(call) {
        await asked(call);
        throw sharingErrors.UNSUPPORTED_OPERATION({
          reason: 'The access mode of the table is url: it can only be read by links to its files.',
        });
      },
    }),
  }),
  {
    method: 'GET',
    path: '/delta-sharing/files/{link}',
    bare: [`${BARE}/files/{link}`],
    operation: 'sharingProtocol_file',
    summary: 'Read a file of a shared table',
    open: true,
    errors: 'sharing',
    produces: 'application/octet-stream',
    code: routeCode(['link'], {
      async handle(call) {
        const place = readLink(call, call.params.link);
        if (!place || place.until <= call.jar.clock.now())
          throw sharingErrors.PERMISSION_DENIED({ reason: 'The link is unknown or has expired.' });
        const file = await findFile(call.jar.store, place.table, place.file);
        if (!file) throw sharingErrors.RESOURCE_DOES_NOT_EXIST({ reason: 'The file does not exist any more.' });
        return blobAnswer(call, file);
      },
    }),
  },
];
