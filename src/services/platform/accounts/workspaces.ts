import { numericId } from '../../../kernel/ids/index.ts';
import { allOf, eq, type Reader, type Tx } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { machineMs } from '../compute/timing.ts';
import { type FieldRules, readFields } from '../engine/fields.ts';
import { errors } from '../errors.ts';
import { accountIn, callerIdentity, type PlatformCall } from '../jar.ts';
import { attachNetwork } from '../network/connectivity/attach.ts';
import { assign } from './assign.ts';
import { type Workspace, workspaces } from './collections.ts';
import { putWorkspace } from './found-account.ts';
import { identitiesChanged, lockIdentities, principalOf } from './principals.ts';
import { PROVISION_WORKSPACE, PURGE_WORKSPACE, provisionId } from './work.ts';

/** Creates, changes and deletes workspaces of an account. Creation continues after the response, by due work. */

const DEFAULT_REGION = 'westus2';

const id = { type: 'string', most: 255 } as const;
const object = { type: 'object' } as const;

/** Fields of a workspace. Most of them are only stored and shown; nothing here depends on them. */
export const WORKSPACE_FIELDS: FieldRules = {
  workspace_name: { type: 'string', least: 1, most: 255 },
  deployment_name: { type: 'string', least: 1, most: 64 },
  location: id,
  aws_region: id,
  cloud: id,
  pricing_tier: {
    type: 'string',
    words: ['COMMUNITY_EDITION', 'DEDICATED', 'ENTERPRISE', 'PREMIUM', 'STANDARD', 'UNKNOWN'],
  },
  compute_mode: { type: 'string', words: ['HYBRID', 'SERVERLESS'] },
  storage_mode: { type: 'string', words: ['CUSTOMER_HOSTED', 'DEFAULT_STORAGE'] },
  custom_tags: object,
  azure_workspace_info: object,
  cloud_resource_container: object,
  gcp_managed_network_config: object,
  gke_config: object,
  credentials_id: id,
  storage_configuration_id: id,
  network_id: id,
  network_connectivity_config_id: id,
  private_access_settings_id: id,
  managed_services_customer_managed_key_id: id,
  storage_customer_managed_key_id: id,
};

export const workspaceView = ({ id: own, name, deploymentName, ...workspace }: Workspace): JsonMembers => {
  const { accountId, region, status, createdAt, details = {} } = workspace;
  return {
    cloud: 'azure',
    pricing_tier: 'PREMIUM',
    ...(details.aws_region === undefined && { location: region }),
    ...details,
    account_id: accountId,
    workspace_id: Number(own),
    workspace_name: name,
    deployment_name: deploymentName,
    workspace_status: status,
    workspace_status_message: status === 'RUNNING' ? 'Workspace is running.' : 'Workspace is being set up.',
    creation_time: createdAt,
  };
};

/** Finds a workspace of the account. A workspace of another account counts as missing. */
export async function findWorkspace(
  reader: Reader,
  call: Pick<PlatformCall, 'facts'>,
  asked: string,
): Promise<Workspace> {
  const found = (await reader.get(workspaces, asked))?.value;
  if (found?.accountId === accountIn(call).id) return found;
  throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `Workspace ${asked.slice(0, 100)} does not exist.` });
}

/** The creator becomes an administrator of the workspace. */
export function createWorkspace(call: PlatformCall): Promise<Workspace> {
  const { jar } = call;
  const account = accountIn(call);
  const { workspace_name: name, deployment_name: deployment, ...details } = readFields(WORKSPACE_FIELDS, call.body);
  if (typeof name !== 'string') throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'workspace_name' });
  return jar.store.transact(async (tx) => {
    await lockIdentities(tx, account.id);
    if (typeof deployment === 'string') await checkDeployment(tx, account.id, deployment);
    const { location, aws_region: region } = details;
    const now = jar.clock.now();
    const workspace = await putWorkspace(tx, account, {
      id: numericId(),
      name,
      region: [location, region].find((each) => typeof each === 'string') ?? DEFAULT_REGION,
      status: 'PROVISIONING',
      ...(typeof deployment === 'string' && { deploymentName: deployment }),
      details,
      now,
    });
    await attachNetwork(tx, call, workspace, undefined, details);
    // The standing in the call may be older than this transaction.
    const creator = await principalOf(tx, account.id, callerIdentity(call).principal.id);
    if (creator) await assign(tx, jar, creator, workspace, true);
    await identitiesChanged(tx, jar, account.id);
    const due = now + machineMs(jar, 'workspaceProvision');
    await tx.schedule(PROVISION_WORKSPACE.at(due, { workspace: workspace.id }, provisionId(workspace.id)));
    await record(tx, call, 'create', workspace);
    return workspace;
  });
}

async function checkDeployment(tx: Tx, accountId: string, deployment: string, own?: string): Promise<void> {
  const filter = allOf(eq('account', accountId), eq('deployment', deployment.toLowerCase()));
  const { items } = await tx.query(workspaces, { filter, limit: 2 });
  if (items.every(({ value }) => value.id === own)) return;
  throw errors.ALREADY_EXISTS({ reason: `A workspace with the deployment name ${deployment} already exists.` });
}

/** `update_mask` in the query selects the fields to change; a field that is in the mask but not in the body is removed. */
export function changeWorkspace(call: PlatformCall, asked: string): Promise<Workspace> {
  const { jar } = call;
  const account = accountIn(call);
  const said = readFields(WORKSPACE_FIELDS, call.body ?? {});
  const { update_mask: mask } = call.query;
  const names =
    typeof mask === 'string' && mask !== '' && mask !== '*' ? mask.split(',').map((each) => each.trim()) : undefined;
  for (const name of names ?? [])
    if (!((name.split('.', 1)[0] as string) in WORKSPACE_FIELDS))
      throw errors.INVALID_PARAMETER_VALUE({ reason: `update_mask names an unknown field: ${name.slice(0, 100)}` });
  const isMeant = (name: string): boolean => !names || names.some((each) => each.split('.', 1)[0] === name);
  return jar.store.transact(async (tx) => {
    await lockIdentities(tx, account.id);
    const before = await findWorkspace(tx, call, asked);
    const { workspace_name: name, deployment_name: deployment, location, aws_region: region, ...rest } = said;
    for (const [field, value] of Object.entries({ deployment_name: deployment, location, aws_region: region }))
      if (value !== undefined && isMeant(field) && value !== workspaceView(before)[field])
        throw errors.INVALID_PARAMETER_VALUE({ reason: `The field '${field}' cannot be changed.` });
    const kept = Object.entries(before.details ?? {}).filter(([field]) => !names?.includes(field));
    const details = Object.fromEntries([...kept, ...Object.entries(rest).filter(([field]) => isMeant(field))]);
    await attachNetwork(tx, call, before, before.details, details);
    const after = { ...before, details, ...(typeof name === 'string' && isMeant('workspace_name') && { name }) };
    await tx.put(workspaces, after.id, after);
    await record(tx, call, 'update', after);
    return after;
  });
}

/** All members lose access in this transaction; due work removes the data of the workspace. */
export function deleteWorkspace(call: PlatformCall, asked: string): Promise<Workspace> {
  const { jar } = call;
  const account = accountIn(call);
  return jar.store.transact(async (tx) => {
    await lockIdentities(tx, account.id);
    const found = await findWorkspace(tx, call, asked);
    if (found.id === account.defaultWorkspace)
      throw errors.INVALID_STATE({
        reason: `Workspace ${found.id} is the account's default workspace and cannot be deleted.`,
      });
    await tx.delete(workspaces, found.id);
    await tx.cancel(provisionId(found.id));
    await attachNetwork(tx, call, found, found.details, {});
    await tx.schedule(PURGE_WORKSPACE.at(jar.clock.now(), { id: found.id, accountId: account.id }));
    await identitiesChanged(tx, jar, account.id);
    await record(tx, call, 'delete', found);
    return { ...found, status: 'CANCELLING' };
  });
}

const record = (tx: Tx, { jar }: PlatformCall, kind: string, { id: own, accountId }: Workspace): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${accountId}/workspaces/${own}`,
    outcome: 'Succeeded',
    at: jar.clock.now(),
    data: { kind: 'workspace', id: own },
  });
