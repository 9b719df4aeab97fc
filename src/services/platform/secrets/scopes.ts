import { ok } from '../../../kernel/http/index.ts';
import { eq, readAll, type Tx } from '../../../kernel/store/index.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall, routeCode, workspaceIn } from '../jar.ts';
import { freeCount, takeCount } from '../limits/take.ts';
import type { Operation } from '../operation.ts';
import { type SecretAcl, type SecretScope, scopeKey, secretScopes, secrets, secretValues } from './collections.ts';
import { callerOf, record } from './common.ts';
import { checkName, findScope } from './scope.ts';

function readKeyVault(sent: Sent): SecretScope['keyVault'] {
  const backend = sent.word('scope_backend_type', ['DATABRICKS', 'AZURE_KEYVAULT']) ?? 'DATABRICKS';
  const vault = sent.member('backend_azure_keyvault');
  if (backend === 'DATABRICKS') return undefined;
  if (!vault) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'backend_azure_keyvault' });
  return { resourceId: vault.need('resource_id'), dnsName: vault.need('dns_name') };
}

/** MANAGE on a new scope goes to its creator, or to all users of the workspace. */
function firstAcl(call: PlatformCall, manager: string | undefined): SecretAcl {
  const { principal } = callerIdentity(call);
  if (manager === undefined || manager === '')
    return { kind: principal.kind, principal: principal.id, permission: 'MANAGE' };
  if (manager !== 'users')
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `initial_manage_principal may be 'users' only, not '${manager.slice(0, 100)}'.`,
    });
  return { kind: 'group', principal: workspaceIn(call).usersGroup, permission: 'MANAGE' };
}

async function createScope(call: PlatformCall) {
  const { jar } = call;
  const { id: workspaceId } = workspaceIn(call);
  const sent = new Sent(call.body);
  const name = checkName('scope', sent.need('scope'));
  const keyVault = readKeyVault(sent);
  const acl = [firstAcl(call, sent.text('initial_manage_principal'))];
  const key = scopeKey(workspaceId, name);
  await jar.store.transact(async (tx) => {
    await tx.lock(`platform.secret-scope:${key}`);
    if (await tx.get(secretScopes, key))
      throw errors.RESOURCE_ALREADY_EXISTS({ reason: `Scope ${name} already exists!` });
    await takeCount(tx, jar, { row: 'secret-scopes', scope: [workspaceId] });
    const createdAt = jar.clock.now();
    await tx.put(secretScopes, key, { workspaceId, name, ...(keyVault && { keyVault }), acl, createdAt });
    await record(tx, call, 'create', `scopes/${name}`);
  });
  return ok({});
}

async function deleteScope(call: PlatformCall) {
  const { jar } = call;
  const { id: workspaceId } = workspaceIn(call);
  const asked = new Sent(call.body).need('scope');
  await jar.store.transact(async (tx) => {
    const { name } = await findScope(tx, callerOf(call), asked, 'MANAGE');
    await removeScope(tx, jar, workspaceId, name);
    await record(tx, call, 'delete', `scopes/${name}`);
  });
  return ok({});
}

/** Removes a scope with its content. */
async function removeScope(tx: Tx, jar: PlatformCall['jar'], workspaceId: string, name: string): Promise<void> {
  const key = scopeKey(workspaceId, name);
  const held = await readAll(tx, secrets, { filter: eq('scope', key) });
  for (const { key: secret } of held) {
    await tx.delete(secrets, secret);
    await tx.delete(secretValues, secret);
  }
  await tx.delete(secretScopes, key);
  await freeCount(tx, jar, { row: 'scope-secrets', scope: [workspaceId, name.toLowerCase()], count: held.length });
  await freeCount(tx, jar, { row: 'secret-scopes', scope: [workspaceId] });
}

/** Every user of the workspace sees the names of all scopes. */
async function listScopes(call: PlatformCall) {
  const filter = eq('workspace', workspaceIn(call).id);
  const found = await readAll(call.jar.store, secretScopes, { filter, order: [{ field: 'name' }] });
  return ok({ scopes: found.map(({ value }) => viewOf(value)) });
}

const viewOf = ({ name, keyVault }: SecretScope) => ({
  name,
  backend_type: keyVault ? 'AZURE_KEYVAULT' : 'DATABRICKS',
  ...(keyVault && { keyvault_metadata: { resource_id: keyVault.resourceId, dns_name: keyVault.dnsName } }),
});

const at = (path: string) => ({ path, bare: [path] }) as const;

export const SECRET_SCOPE_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    ...at('/secrets/scopes/create'),
    operation: 'secrets_createScope',
    summary: 'Create a secret scope',
    code: routeCode([], { handle: createScope }),
  },
  {
    method: 'POST',
    ...at('/secrets/scopes/delete'),
    operation: 'secrets_deleteScope',
    summary: 'Delete a secret scope with its secrets',
    code: routeCode([], { handle: deleteScope }),
  },
  {
    method: 'GET',
    ...at('/secrets/scopes/list'),
    operation: 'secrets_listScopes',
    summary: 'List the secret scopes of the workspace',
    code: routeCode([], { handle: listScopes }),
  },
];
