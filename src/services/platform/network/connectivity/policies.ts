import { eq, type Reader, type Tx } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { findWorkspace } from '../../accounts/workspaces.ts';
import { completeFields, type FieldRule, type FieldRules, readFields } from '../../engine/fields.ts';
import { pageSize, readPage } from '../../engine/paging.ts';
import { Sent } from '../../engine/sent.ts';
import { errors } from '../../errors.ts';
import { accountIn, type PlatformCall } from '../../jar.ts';
import { type NetworkPolicy, networkPolicies, policyKey, workspaceNetworks } from './collections.ts';

/** Network policies of an account, and the policy of each workspace. */

/** The policy of workspaces without another one. It can be changed, and always exists. */
const DEFAULT = 'default-policy';

const MOST_DESTINATIONS = 2500;
const text: FieldRule = { type: 'string', least: 1, most: 1024 };

const RULES: FieldRules = {
  egress: {
    type: 'object',
    members: {
      network_access: {
        type: 'object',
        members: {
          restriction_mode: { type: 'string', required: true, words: ['FULL_ACCESS', 'RESTRICTED_ACCESS'] },
          allowed_internet_destinations: {
            type: 'array',
            most: MOST_DESTINATIONS,
            items: {
              type: 'object',
              members: {
                destination: { ...text, required: true },
                internet_destination_type: { type: 'string', words: ['DNS_NAME'], default: 'DNS_NAME' },
              },
            },
          },
          allowed_storage_destinations: {
            type: 'array',
            most: MOST_DESTINATIONS,
            items: {
              type: 'object',
              members: {
                storage_destination_type: {
                  type: 'string',
                  words: ['AWS_S3', 'AZURE_STORAGE', 'GOOGLE_CLOUD_STORAGE'],
                  required: true,
                },
                azure_storage_account: text,
                azure_storage_service: text,
                bucket_name: text,
                region: text,
              },
            },
          },
          policy_enforcement: {
            type: 'object',
            members: {
              enforcement_mode: { type: 'string', words: ['ENFORCED', 'DRY_RUN'], default: 'ENFORCED' },
              dry_run_mode_product_filter: {
                type: 'array',
                most: 10,
                items: { type: 'string', words: ['DBSQL', 'ML_SERVING'] },
              },
            },
          },
        },
      },
    },
  },
  ingress: { type: 'object' },
};

const FULL_ACCESS: JsonMembers = { egress: { network_access: { restriction_mode: 'FULL_ACCESS' } } };

const ID = /^[0-9a-zA-Z-_]{1,255}$/;

const missing = (id: string) =>
  errors.RESOURCE_DOES_NOT_EXIST({ reason: `The network policy ${id.slice(0, 100)} does not exist.` });

const view = ({ id, accountId, rules }: NetworkPolicy): JsonMembers => ({
  network_policy_id: id,
  account_id: accountId,
  ...rules,
});

async function findPolicy(reader: Reader, call: Pick<PlatformCall, 'facts'>, id: string): Promise<NetworkPolicy> {
  const accountId = accountIn(call).id;
  const found = (await reader.get(networkPolicies, policyKey(accountId, id)))?.value;
  if (found) return found;
  if (id === DEFAULT) return { id, accountId, rules: FULL_ACCESS, createdAt: accountIn(call).createdAt };
  throw missing(id);
}

const readRules = (body: unknown): JsonMembers => completeFields(RULES, readFields(RULES, body ?? {}));

export function createPolicy(call: PlatformCall): Promise<JsonMembers> {
  const { jar } = call;
  const id = new Sent(call.body).need('network_policy_id');
  if (!ID.test(id))
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The field 'network_policy_id' must match ${ID.source}.` });
  const rules = { ...FULL_ACCESS, ...readRules(call.body) };
  const accountId = accountIn(call).id;
  return jar.store.transact(async (tx) => {
    const key = policyKey(accountId, id);
    await tx.lock(`platform.network-policies:${key}`);
    if (id === DEFAULT || (await tx.get(networkPolicies, key)))
      throw errors.ALREADY_EXISTS({ reason: `The network policy ${id} already exists.` });
    const made = { id, accountId, rules, createdAt: jar.clock.now() };
    await tx.put(networkPolicies, key, made);
    await record(tx, call, 'create', made);
    return view(made);
  });
}

export const getPolicy = async (call: PlatformCall, id: string): Promise<JsonMembers> =>
  view(await findPolicy(call.jar.store, call, id));

/** The default policy comes first, even if it was never changed. */
export async function listPolicies(call: PlatformCall): Promise<object> {
  const { jar, query } = call;
  const accountId = accountIn(call).id;
  const { items, next } = await readPage(call, {
    collection: networkPolicies,
    query: { filter: eq('account', accountId), order: [{ field: 'createdAt' }] },
    size: pageSize(query),
  });
  const others = items.map(({ value }) => value).filter(({ id }) => id !== DEFAULT);
  const isFirst = query.page_token === undefined || query.page_token === '';
  const first = isFirst ? [await findPolicy(jar.store, call, DEFAULT)] : [];
  return { items: [...first, ...others].map(view), ...(next !== undefined && { next_page_token: next }) };
}

export function replacePolicy(call: PlatformCall, id: string): Promise<JsonMembers> {
  const rules = { ...FULL_ACCESS, ...readRules(call.body) };
  return call.jar.store.transact(async (tx) => {
    const changed = { ...(await findPolicy(tx, call, id)), rules };
    await tx.put(networkPolicies, policyKey(changed.accountId, id), changed);
    await record(tx, call, 'update', changed);
    return view(changed);
  });
}

export function deletePolicy(call: PlatformCall, id: string): Promise<void> {
  return call.jar.store.transact(async (tx) => {
    const found = await findPolicy(tx, call, id);
    if (id === DEFAULT) throw errors.INVALID_STATE({ reason: `The network policy ${DEFAULT} cannot be deleted.` });
    const key = policyKey(found.accountId, id);
    const used = await tx.count(workspaceNetworks, { filter: eq('policy', key) });
    if (used > 0)
      throw errors.INVALID_STATE({ reason: `The network policy ${id} cannot be deleted: ${used} workspaces use it.` });
    await tx.delete(networkPolicies, key);
    await record(tx, call, 'delete', found);
  });
}

/** `{ network_policy_id, workspace_id }`. */
export async function getNetworkOption(call: PlatformCall, asked: string): Promise<JsonMembers> {
  const { store } = call.jar;
  const { id } = await findWorkspace(store, call, asked);
  const { policyId = DEFAULT } = (await store.get(workspaceNetworks, id))?.value ?? {};
  return { network_policy_id: policyId, workspace_id: Number(id) };
}

export function setNetworkOption(call: PlatformCall, asked: string): Promise<JsonMembers> {
  const policyId = new Sent(call.body).need('network_policy_id');
  return call.jar.store.transact(async (tx) => {
    const { id, accountId } = await findWorkspace(tx, call, asked);
    // Locked, so that it is not deleted before this transaction ends.
    await findPolicy(tx, call, policyId);
    if (policyId === DEFAULT) await tx.delete(workspaceNetworks, id);
    else await tx.put(workspaceNetworks, id, { accountId, policyId });
    return { network_policy_id: policyId, workspace_id: Number(id) };
  });
}

const record = (tx: Tx, { jar }: PlatformCall, kind: string, { accountId, id }: NetworkPolicy): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${accountId}/network-policies/${id}`,
    outcome: 'Succeeded',
    at: jar.clock.now(),
    data: { kind: 'network-policies', id },
  });
