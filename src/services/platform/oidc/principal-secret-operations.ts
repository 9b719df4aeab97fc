import { ok } from '../../../kernel/http/index.ts';
import { eq } from '../../../kernel/store/index.ts';
import { DAY_MS, isoTime, SECOND_MS } from '../../../kernel/time/index.ts';
import { isAdminOf, isMemberOf, nameOf } from '../access/standing.ts';
import type { Principal } from '../accounts/collections.ts';
import { hasRole, SERVICE_PRINCIPAL_MANAGER } from '../accounts/roles.ts';
import { pageSize, readPage } from '../engine/paging.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { accountIn, callerIdentity, type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { readScopes } from '../tokens/read-scopes.ts';
import { type PrincipalSecret, principalSecretKey, principalSecrets } from './collections.ts';
import { addSecret, revokeSecret } from './principal-secrets.ts';

/**
 * OAuth secrets of service principals, for administrators of the account, for administrators of a workspace that contains the service
 * principal, and for its managers.
 */

const LONGEST_DAYS = 730;
const LONGEST_MS = LONGEST_DAYS * DAY_MS;

export async function servicePrincipal(call: PlatformCall, id: string): Promise<Principal> {
  const { workspace } = call.facts;
  const standing = await call.jar.callerIdentities.of(accountIn(call).id, id);
  if (standing?.principal.kind !== 'servicePrincipal' || (workspace && !isMemberOf(standing, workspace)))
    throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `Service principal ${id.slice(0, 100)} does not exist.` });
  return standing.principal;
}

/** Throws unless the caller manages the service principal. Other callers cannot find out whether it exists. */
async function managed(call: PlatformCall, id: string): Promise<Principal> {
  const standing = callerIdentity(call);
  const { workspace } = call.facts;
  const isAdmin = workspace ? isAdminOf(standing, workspace) : standing.isAccountAdmin;
  if (!isAdmin && !(await hasRole(call.jar.store, standing, id, SERVICE_PRINCIPAL_MANAGER)))
    throw errors.PERMISSION_DENIED({
      reason: `${nameOf(standing.principal)} is not an administrator and does not have ${SERVICE_PRINCIPAL_MANAGER} on the service principal ${id.slice(0, 100)}.`,
    });
  return servicePrincipal(call, id);
}

const viewOf = ({ id, digest, createdAt, expiresAt, scopes }: PrincipalSecret) => ({
  id,
  secret_hash: digest,
  status: 'ACTIVE',
  create_time: isoTime(createdAt),
  update_time: isoTime(createdAt),
  expire_time: isoTime(expiresAt),
  ...(scopes && { scopes }),
});

function readLifetime(text: string | undefined): number {
  if (text === undefined || text === '') return LONGEST_MS;
  const seconds = Number(/^(\d{1,12})s$/.exec(text)?.[1]);
  if (!(seconds > 0) || seconds * SECOND_MS > LONGEST_MS) {
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `lifetime must be a number of seconds, such as '3600s', and at most ${LONGEST_DAYS} days, not '${text.slice(0, 100)}'.`,
    });
  }
  return seconds * SECOND_MS;
}

async function createSecret(call: PlatformCall, principalId: string) {
  const { jar } = call;
  const principal = await managed(call, principalId);
  const sent = new Sent(call.body);
  const wanted = { lifetimeMs: readLifetime(sent.text('lifetime')), scopes: readScopes(call, sent) };
  const { value, secret } = await jar.store.transact((tx) => addSecret(tx, jar, principal, wanted));
  return ok({ ...viewOf(secret), secret: value });
}

async function listSecrets(call: PlatformCall, principalId: string) {
  const { id, accountId } = await managed(call, principalId);
  const { items, next } = await readPage(call, {
    collection: principalSecrets,
    query: { filter: eq('principal', `${accountId}/${id}`), order: [{ field: 'createdAt' }] },
    size: pageSize(call.query),
  });
  return ok({ secrets: items.map(({ value }) => viewOf(value)), ...(next && { next_page_token: next }) });
}

async function deleteSecret(call: PlatformCall, principalId: string, id: string) {
  const { jar } = call;
  const { id: principal, accountId } = await managed(call, principalId);
  await jar.store.transact(async (tx) => {
    const key = principalSecretKey({ accountId, principal, id: id.toLowerCase() });
    const secret = (await tx.get(principalSecrets, key))?.value;
    if (!secret) throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `Secret ${id.slice(0, 100)} does not exist.` });
    await revokeSecret(tx, jar, secret);
  });
  return ok({});
}

function operations(prefix: string, name: string): readonly Operation[] {
  const needs = 'user';
  const path = `${prefix}/servicePrincipals/{principal}/credentials/secrets`;
  return [
    {
      method: 'POST',
      path,
      needs,
      operation: `${name}_create`,
      summary: 'Create an OAuth secret of a service principal, which is shown once',
      code: routeCode(['principal'], { handle: (call) => createSecret(call, call.params.principal) }),
    },
    {
      method: 'GET',
      path,
      needs,
      operation: `${name}_list`,
      summary: 'List the OAuth secrets of a service principal, without their values',
      code: routeCode(['principal'], { handle: (call) => listSecrets(call, call.params.principal) }),
    },
    {
      method: 'DELETE',
      path: `${path}/{secret_id}`,
      needs,
      operation: `${name}_delete`,
      summary: 'Revoke an OAuth secret of a service principal',
      code: routeCode(['principal', 'secret_id'], {
        handle: (call) => deleteSecret(call, call.params.principal, call.params.secret_id),
      }),
    },
  ];
}

export const PRINCIPAL_SECRET_OPERATIONS: readonly Operation[] = [
  ...operations('/accounts/{account_id}', 'servicePrincipalSecrets'),
  ...operations('/accounts', 'servicePrincipalSecretsProxy'),
];
