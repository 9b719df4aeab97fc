import { ok } from '../../../kernel/http/index.ts';
import { findByLogin } from '../access/find-principal.ts';
import type { Principal } from '../accounts/collections.ts';
import { namesOf } from '../engine/names.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { accountIn, type PlatformCall, routeCode, workspaceIn } from '../jar.ts';
import { checkBound } from '../limits/take.ts';
import type { Operation } from '../operation.ts';
import { PERMISSIONS, scopeKey, secretScopes } from './collections.ts';
import { callerOf, record } from './common.ts';
import { findScope } from './scope.ts';

/** Permissions of a scope: read, write and manage. All of these operations need MANAGE on it. */

async function principalNamed(call: PlatformCall, name: string): Promise<Principal> {
  const found = await findByLogin(call.jar.store, workspaceIn(call), ['user', 'servicePrincipal', 'group'], name);
  if (found) return found;
  throw errors.INVALID_PARAMETER_VALUE({
    reason: `There is no user, service principal or group '${name.slice(0, 140)}' in the workspace.`,
  });
}

const noAcl = (scope: string, principal: string) =>
  errors.RESOURCE_DOES_NOT_EXIST({
    reason: `Failed to find an ACL for principal ${principal.slice(0, 140)} in scope ${scope}!`,
  });

async function putAcl(call: PlatformCall) {
  const { jar } = call;
  const sent = new Sent(call.body);
  const [scopeName, name] = [sent.need('scope'), sent.need('principal')];
  const permission = sent.word('permission', PERMISSIONS);
  if (!permission) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'permission' });
  await findScope(jar.store, callerOf(call), scopeName, 'MANAGE');
  const { id: principal, kind } = await principalNamed(call, name);
  await jar.store.transact(async (tx) => {
    const scope = await findScope(tx, callerOf(call), scopeName, 'MANAGE');
    const others = scope.acl.filter((entry) => entry.principal !== principal);
    const { workspaceId, name: scopeIs } = scope;
    checkBound(jar, 'scope-acls', [workspaceId, scopeIs.toLowerCase()], others.length + 1);
    const acl = [...others, { kind, principal, permission }];
    await tx.put(secretScopes, scopeKey(workspaceId, scopeIs), { ...scope, acl });
    await record(tx, call, 'update', `scopes/${scopeIs}/acls/${principal}`);
  });
  return ok({});
}

async function deleteAcl(call: PlatformCall) {
  const { jar } = call;
  const sent = new Sent(call.body);
  const [scopeName, name] = [sent.need('scope'), sent.need('principal')];
  await findScope(jar.store, callerOf(call), scopeName, 'MANAGE');
  const { id: principal } = await principalNamed(call, name);
  await jar.store.transact(async (tx) => {
    const scope = await findScope(tx, callerOf(call), scopeName, 'MANAGE');
    const acl = scope.acl.filter((entry) => entry.principal !== principal);
    if (acl.length === scope.acl.length) throw noAcl(scope.name, name);
    await tx.put(secretScopes, scopeKey(scope.workspaceId, scope.name), { ...scope, acl });
    await record(tx, call, 'delete', `scopes/${scope.name}/acls/${principal}`);
  });
  return ok({});
}

async function getAcl(call: PlatformCall) {
  const sent = new Sent(call.query);
  const [scopeName, name] = [sent.need('scope'), sent.need('principal')];
  const scope = await findScope(call.jar.store, callerOf(call), scopeName, 'MANAGE');
  const { id } = await principalNamed(call, name);
  const entry = scope.acl.find(({ principal }) => principal === id);
  if (!entry) throw noAcl(scope.name, name);
  return ok({ principal: name, permission: entry.permission });
}

async function listAcls(call: PlatformCall) {
  const scope = await findScope(call.jar.store, callerOf(call), new Sent(call.query).need('scope'), 'MANAGE');
  const ids = scope.acl.map(({ principal }) => principal);
  const { nameOf } = await namesOf(call.jar.store, accountIn(call).id, ids);
  return ok({
    items: scope.acl.map(({ principal, permission }) => ({ principal: nameOf(principal), permission })),
  });
}

const at = (path: string) => ({ path, bare: [path] }) as const;

export const SECRET_ACL_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    ...at('/secrets/acls/put'),
    operation: 'secrets_putAcl',
    summary: 'Give a user, service principal or group a permission on a scope',
    code: routeCode([], { handle: putAcl }),
  },
  {
    method: 'POST',
    ...at('/secrets/acls/delete'),
    operation: 'secrets_deleteAcl',
    summary: 'Withdraw a permission on a scope',
    code: routeCode([], { handle: deleteAcl }),
  },
  {
    method: 'GET',
    ...at('/secrets/acls/get'),
    operation: 'secrets_getAcl',
    summary: 'Read the permission of one principal on a scope',
    code: routeCode([], { handle: getAcl }),
  },
  {
    method: 'GET',
    ...at('/secrets/acls/list'),
    operation: 'secrets_listAcls',
    summary: 'List the permissions on a scope',
    code: routeCode([], { handle: listAcls }),
  },
];
