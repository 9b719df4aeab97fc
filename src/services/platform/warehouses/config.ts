import type { Reader } from '../../../kernel/store/index.ts';
import { isObject, type JsonMembers } from '../../../kernel/values/index.ts';
import { completeFields, type FieldRules, readFields } from '../engine/fields.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, workspaceIn } from '../jar.ts';
import { warehouseConfigs } from './collections.ts';
import { CHANNEL, PAIR } from './settings.ts';
import { RESTART_WAREHOUSES } from './work.ts';

const TYPES = ['CLASSIC', 'PRO'];

const MOST_PAIRS = 1000;
const pairs = { type: 'array', most: MOST_PAIRS, items: PAIR } as const;
/** Both names are published. */
const PAIRS = { type: 'object', members: { config_pair: pairs, configuration_pairs: pairs } } as const;

const FIELDS: FieldRules = {
  channel: { type: 'object', members: CHANNEL },
  config_param: PAIRS,
  data_access_config: { type: 'array', most: MOST_PAIRS, default: [], items: PAIR },
  enable_serverless_compute: { type: 'boolean', default: true },
  enabled_warehouse_types: {
    type: 'array',
    most: 10,
    default: TYPES.map((warehouse_type) => ({ warehouse_type, enabled: true })),
  },
  global_param: PAIRS,
  google_service_account: { type: 'string', most: 1000 },
  instance_profile_arn: { type: 'string', most: 1000 },
  security_policy: {
    type: 'string',
    words: ['NONE', 'DATA_ACCESS_CONTROL', 'PASSTHROUGH'],
    default: 'DATA_ACCESS_CONTROL',
  },
  sql_configuration_parameters: { ...PAIRS, default: {} },
};

const TYPE_FIELDS: FieldRules = {
  warehouse_type: { type: 'string', required: true, words: TYPES },
  enabled: { type: 'boolean', default: false },
};

export const configOf = async (reader: Reader, workspaceId: string): Promise<JsonMembers> =>
  (await reader.get(warehouseConfigs, workspaceId))?.value.settings ?? completeFields(FIELDS, {});

export const getConfig = (call: PlatformCall): Promise<JsonMembers> => configOf(call.jar.store, workspaceIn(call).id);

/** Replaces the configuration; omitted settings return to their defaults. Running warehouses restart. */
export async function putConfig(call: PlatformCall): Promise<void> {
  const settings = completeFields(FIELDS, readFields(FIELDS, call.body ?? {}));
  const types = settings.enabled_warehouse_types;
  const enabled_warehouse_types = Array.isArray(types)
    ? types.map((type) => completeFields(TYPE_FIELDS, readFields(TYPE_FIELDS, type)))
    : [];
  const { jar } = call;
  const { id } = workspaceIn(call);
  await jar.store.transact(async (tx) => {
    await tx.put(warehouseConfigs, id, { settings: { ...settings, enabled_warehouse_types } });
    const work = RESTART_WAREHOUSES.at(jar.clock.now(), { workspaceId: id }, `${RESTART_WAREHOUSES.kind}:${id}`);
    await tx.schedule(work);
    const change = { source: 'platform', kind: 'update', outcome: 'Succeeded', at: jar.clock.now() } as const;
    await tx.change({ ...change, subject: `/${id}/warehouse-config`, data: { kind: 'warehouse-config' } });
  });
}

/** Throws if the workspace does not allow warehouses with these settings. */
export async function checkAllowed(reader: Reader, workspaceId: string, settings: JsonMembers): Promise<void> {
  const config = await configOf(reader, workspaceId);
  if (settings.enable_serverless_compute === true && config.enable_serverless_compute !== true)
    throw errors.FEATURE_DISABLED({ reason: 'Serverless compute is disabled for SQL warehouses of this workspace.' });
  const types = Array.isArray(config.enabled_warehouse_types) ? config.enabled_warehouse_types : [];
  const row = types.find((type) => isObject(type) && type.warehouse_type === settings.warehouse_type);
  if (isObject(row) && row.enabled !== true)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `Warehouses of the type ${String(settings.warehouse_type)} are disabled in this workspace.`,
    });
}
