import { ok } from '../../../kernel/http/index.ts';
import { numericId } from '../../../kernel/ids/index.ts';
import { isAdminOf } from '../access/standing.ts';
import { principalOf } from '../accounts/principals.ts';
import { hasRole, SERVICE_PRINCIPAL_MANAGER } from '../accounts/roles.ts';
import { completeFields, type FieldRules, readFields } from '../engine/fields.ts';
import { wholeNumber } from '../engine/paging.ts';
import { errors } from '../errors.ts';
import { accountIn, callerIdentity, type PlatformCall, routeCode, workspaceIn } from '../jar.ts';
import type { Operation } from '../operation.ts';
import type { GitCredential } from './collections.ts';
import { claimCredentials, credentialsOf, findCredential, putCredential, removeCredential } from './credentials.ts';
import { providerOf } from './providers.ts';

const FIELDS: FieldRules = {
  git_provider: { type: 'string', required: true },
  git_username: { type: 'string', most: 1000 },
  git_email: { type: 'string', most: 1000 },
  personal_access_token: { type: 'string', most: 10_000 },
  name: { type: 'string', least: 1, most: 1000 },
  is_default_for_provider: { type: 'boolean' },
  principal_id: { type: 'integer' },
};

const view = ({ id, provider, username, email, name, isDefault }: GitCredential) => ({
  credential_id: Number(id),
  git_provider: provider,
  ...(username !== undefined && { git_username: username }),
  ...(email !== undefined && { git_email: email }),
  ...(name !== undefined && { name }),
  is_default_for_provider: isDefault,
});

/**
 * The owner of the credentials in a call: the caller, or the service principal in `principal_id`, whose credentials may be used by
 * administrators of the workspace and by its managers. Credentials of other users cannot be accessed.
 */
async function ownerIn(call: PlatformCall, principalId: unknown): Promise<string> {
  const standing = callerIdentity(call);
  if (typeof principalId !== 'number' || String(principalId) === standing.principal.id) return standing.principal.id;
  const { store } = call.jar;
  const isManager =
    isAdminOf(standing, workspaceIn(call)) ||
    (await hasRole(store, standing, String(principalId), SERVICE_PRINCIPAL_MANAGER));
  if (!isManager)
    throw errors.PERMISSION_DENIED({
      reason: `Only managers of the service principal ${principalId} may use its Git credentials.`,
    });
  const found = await principalOf(store, accountIn(call).id, String(principalId));
  if (found?.kind !== 'servicePrincipal')
    throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `Service principal ${principalId} does not exist.` });
  return found.id;
}

const ownerInQuery = (call: PlatformCall): Promise<string> => ownerIn(call, wholeNumber(call.query, 'principal_id'));

/** The fields of a request, as stored. */
function membersOf(call: PlatformCall, sent: ReturnType<typeof readFields>): Partial<GitCredential> {
  const { git_username, git_email, personal_access_token: token, name, is_default_for_provider } = sent;
  return {
    ...(typeof git_username === 'string' && { username: git_username }),
    ...(typeof git_email === 'string' && { email: git_email }),
    ...(typeof name === 'string' && { name }),
    ...(typeof is_default_for_provider === 'boolean' && { isDefault: is_default_for_provider }),
    ...(typeof token === 'string' && { token: call.jar.vault.seal(token) }),
  };
}

async function create(call: PlatformCall): Promise<GitCredential> {
  const sent = completeFields(FIELDS, readFields(FIELDS, call.body ?? {}));
  const provider = providerOf(String(sent.git_provider), 'git_provider');
  const owner = await ownerIn(call, sent.principal_id);
  const members = membersOf(call, sent);
  return call.jar.store.transact(async (tx) => {
    const all = await claimCredentials(tx, call, owner);
    const credential: GitCredential = {
      id: numericId(),
      workspaceId: workspaceIn(call).id,
      owner,
      provider,
      isDefault: !all.some((other) => other.provider === provider && other.isDefault),
      createdAt: call.jar.clock.now(),
      ...members,
    };
    await putCredential(tx, call, 'create', credential, all);
    return credential;
  });
}

async function update(call: PlatformCall): Promise<void> {
  const sent = readFields(FIELDS, call.body ?? {});
  const said = typeof sent.git_provider === 'string' ? providerOf(sent.git_provider, 'git_provider') : undefined;
  const owner = await ownerIn(call, sent.principal_id);
  const members = membersOf(call, sent);
  await call.jar.store.transact(async (tx) => {
    const all = await claimCredentials(tx, call, owner);
    const before = await findCredential(tx, call, owner, String(call.params.credential_id));
    await putCredential(tx, call, 'update', { ...before, ...members, provider: said ?? before.provider }, all);
  });
}

async function remove(call: PlatformCall): Promise<void> {
  const owner = await ownerInQuery(call);
  await call.jar.store.transact(async (tx) => {
    const all = await claimCredentials(tx, call, owner);
    await removeCredential(tx, call, await findCredential(tx, call, owner, String(call.params.credential_id)), all);
  });
}

const PATH = '/git-credentials';
const ONE = `${PATH}/{credential_id}`;

const head = (verb: string, summary: string, path: string) => ({
  path,
  bare: [path],
  operation: `gitCredentials_${verb}`,
  summary: `Git credentials: ${summary}`,
});

export const GIT_CREDENTIAL_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    ...head('create', 'add one', PATH),
    code: routeCode([], { handle: async (call) => ok(view(await create(call))) }),
  },
  {
    method: 'GET',
    ...head('list', 'list those of the caller', PATH),
    code: routeCode([], {
      async handle(call) {
        const found = await credentialsOf(call.jar.store, call, await ownerInQuery(call));
        return ok({ credentials: found.map(view) });
      },
    }),
  },
  {
    method: 'GET',
    ...head('get', 'read one', ONE),
    code: routeCode(['credential_id'], {
      async handle(call) {
        const { credential_id: id } = call.params;
        return ok(view(await findCredential(call.jar.store, call, await ownerInQuery(call), id)));
      },
    }),
  },
  {
    method: 'PATCH',
    ...head('update', 'change one', ONE),
    code: routeCode(['credential_id'], {
      async handle(call) {
        await update(call);
        return ok({});
      },
    }),
  },
  {
    method: 'DELETE',
    ...head('delete', 'delete one', ONE),
    code: routeCode(['credential_id'], {
      async handle(call) {
        await remove(call);
        return ok({});
      },
    }),
  },
];
