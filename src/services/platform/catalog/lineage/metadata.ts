import { ok } from '../../../../kernel/http/index.ts';
import type { Json, JsonMembers } from '../../../../kernel/values/index.ts';
import { checkMask, isWhole, maskedFields, readMask } from '../../engine/mask.ts';
import { pageSize } from '../../engine/paging.ts';
import { Sent } from '../../engine/sent.ts';
import { errors } from '../../errors.ts';
import { type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { requireManager } from '../core/access.ts';
import type { SecurableKind } from '../core/kind.ts';
import { chainsBelow, listBelow, viewChain, viewChains } from '../core/list.ts';
import { metastoreIn } from '../core/metastore.ts';
import { changeSecurable, createSecurable, deleteSecurable } from '../core/operations.ts';
import { membersOf, textsIn } from '../core/texts.ts';
import { readSecurable } from '../core/wire.ts';

/** Objects of other systems that lineage can start or end at. */

const SYSTEMS = [
  'AMAZON_REDSHIFT',
  'AZURE_SYNAPSE',
  'CONFLUENT',
  'DATABRICKS',
  'GOOGLE_BIGQUERY',
  'KAFKA',
  'LOOKER',
  'MICROSOFT_FABRIC',
  'MICROSOFT_SQL_SERVER',
  'MONGODB',
  'MYSQL',
  'ORACLE',
  'OTHER',
  'POSTGRESQL',
  'POWER_BI',
  'SALESFORCE',
  'SAP',
  'SERVICENOW',
  'SNOWFLAKE',
  'STREAM_NATIVE',
  'TABLEAU',
  'TERADATA',
  'WORKDAY',
] as const;

export const EXTERNAL_METADATA: SecurableKind = {
  type: 'external_metadata',
  above: 'metastore',
  idField: 'id',
  limits: [],
  creates: 'CREATE_EXTERNAL_METADATA',
  renames: false,
  fields: {
    system_type: { type: 'string', words: SYSTEMS, required: true },
    entity_type: { type: 'string', least: 1, most: 255, required: true },
    description: { type: 'string', most: 65_536 },
    url: { type: 'string', most: 4096 },
    columns: { type: 'array', most: 10_000, items: { type: 'string', most: 255 } },
    properties: { type: 'object' },
  },
  changes: ['system_type', 'entity_type', 'description', 'url', 'columns', 'properties'],
  hooks: {
    async check(_tx, _call, { fields }) {
      if (fields.properties !== undefined) textsIn('properties', membersOf(fields.properties));
      return undefined;
    },
  },
  view: ({ createdAt, updatedAt }) => ({
    full_name: undefined,
    securable_type: undefined,
    browse_only: undefined,
    created_at: undefined,
    updated_at: undefined,
    create_time: new Date(createdAt).toISOString(),
    update_time: new Date(updatedAt).toISOString(),
  }),
};

/** Value of a field that is in the mask but not in the body. */
const EMPTY: Readonly<Record<string, Json>> = { description: '', url: '', columns: [], properties: {} };

/** The fields of a change: the sent fields that are in the mask. */
function maskedIn(call: PlatformCall): JsonMembers {
  const mask = readMask(call.query.update_mask);
  if (!mask) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'update_mask' });
  const rules = { ...EXTERNAL_METADATA.fields, owner: { type: 'string' } } as const;
  checkMask(mask, rules, (name) => ['id', 'name', 'metastore_id', 'create_time', 'created_by'].includes(name));
  new Sent(call.body);
  const sent = membersOf(call.body as Json | undefined);
  const names = isWhole(mask) ? Object.keys(rules) : maskedFields(mask);
  return Object.fromEntries(names.map((name) => [name, sent[name] ?? EMPTY[name]]));
}

const PATH = '/lineage-tracking/external-metadata';
const ONE = `${PATH}/{name}`;

export const METADATA_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: PATH,
    operation: 'externalMetadata_create',
    summary: 'Objects of other systems: create one',
    code: routeCode([], {
      async handle(call) {
        const name = new Sent(call.body).need('name');
        const chain = await createSecurable(call, EXTERNAL_METADATA, { name, sent: call.body });
        return ok(await viewChain(call, EXTERNAL_METADATA, chain));
      },
    }),
  },
  {
    method: 'GET',
    path: PATH,
    operation: 'externalMetadata_list',
    summary: 'Objects of other systems: list them',
    code: routeCode([], {
      async handle(call) {
        const above = { target: await metastoreIn(call), above: [] };
        const { items, next } = await listBelow(call, EXTERNAL_METADATA, above, { size: pageSize(call.query) });
        const views = await viewChains(call, EXTERNAL_METADATA, chainsBelow(above, items));
        return ok({ external_metadata: views, ...(next !== undefined && { next_page_token: next }) });
      },
    }),
  },
  {
    method: 'GET',
    path: ONE,
    operation: 'externalMetadata_get',
    summary: 'Objects of other systems: read one',
    code: routeCode(['name'], {
      handle: async (call) =>
        ok(await viewChain(call, EXTERNAL_METADATA, await readSecurable(call, EXTERNAL_METADATA, call.params.name))),
    }),
  },
  {
    method: 'PATCH',
    path: ONE,
    operation: 'externalMetadata_update',
    summary: 'Objects of other systems: change one',
    code: routeCode(['name'], {
      async handle(call) {
        requireManager(call, await readSecurable(call, EXTERNAL_METADATA, call.params.name));
        const chain = await changeSecurable(call, EXTERNAL_METADATA, call.params.name, maskedIn(call));
        return ok(await viewChain(call, EXTERNAL_METADATA, chain));
      },
    }),
  },
  {
    method: 'DELETE',
    path: ONE,
    operation: 'externalMetadata_delete',
    summary: 'Objects of other systems: delete one',
    code: routeCode(['name'], {
      async handle(call) {
        await deleteSecurable(call, EXTERNAL_METADATA, call.params.name);
        return ok({});
      },
    }),
  },
];
