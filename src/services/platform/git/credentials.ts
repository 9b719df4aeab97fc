import { ok } from '../../../kernel/http/index.ts';
import { numericId } from '../../../kernel/ids/index.ts';
import { eq, type Reader, readAll, type Tx } from '../../../kernel/store/index.ts';
import { completeFields, type FieldRules, readFields } from '../engine/fields.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, routeCode, standingIn, workspaceIn } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { credentialKey, type GitCredential, gitCredentials } from './collections.ts';
import { providerOf } from './providers.ts';

/** Git credentials of the caller. Nobody has those of others, administrators included. */

const FIELDS: FieldRules = {
  git_provider: { type: 'string', required: true },
  git_username: { type: 'string', most: 1000 },
  git_email: { type: 'string', most: 1000 },
  personal_access_token: { type: 'string', most: 10_000 },
  name: { type: 'string', most: 1000 },
  is_default_for_provider: { type: 'boolean' },
};

const view = ({ id, provider, username, email, name, isDefault }: GitCredential) => ({
  credential_id: Number(id),
  git_provider: provider,
  ...(username !== undefined && { git_username: username }),
  ...(email !== undefined && { git_email: email }),
  ...(name !== undefined && { name }),
  is_default_for_provider: isDefault,
});

const ownerIn = (call: Pick<PlatformCall, 'facts'>): string =>
  `${workspaceIn(call).id}/${standingIn(call).principal.id}`;

async function credentialsOf(reader: Reader, call: Pick<PlatformCall, 'facts'>): Promise<readonly GitCredential[]> {
  const found = await readAll(reader, gitCredentials, { filter: eq('owner', ownerIn(call)) });
  return found.map(({ value }) => value);
}

/** What is sent, as it is stored. */
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

/** Several of a user for one provider would have to be told apart by repositories, which name none. */
async function checkProvider(tx: Tx, call: PlatformCall, provider: string, id: string): Promise<void> {
  await tx.lock(`platform.git-credentials:${ownerIn(call)}`);
  const others = (await credentialsOf(tx, call)).filter((other) => other.id !== id);
  if (others.some((other) => other.provider === provider))
    throw errors.INVALID_STATE({
      reason: `Only one Git credential is supported at this time for each provider, and there is one for ${provider}. If you would like to update your credential, please use the PATCH endpoint.`,
    });
}

async function write(tx: Tx, call: PlatformCall, kind: string, credential: GitCredential): Promise<void> {
  const key = credentialKey(credential.workspaceId, credential.id);
  if (kind === 'delete') await tx.delete(gitCredentials, key);
  else await tx.put(gitCredentials, key, credential);
  await tx.change({
    source: 'platform',
    kind,
    subject: `/${credential.workspaceId}/git-credentials/${credential.id}`,
    outcome: 'Succeeded',
    at: call.jar.clock.now(),
    data: { provider: credential.provider },
  });
}

async function find(reader: Reader, call: PlatformCall): Promise<GitCredential> {
  const id = String(call.params.credential_id);
  const found = (await reader.get(gitCredentials, credentialKey(workspaceIn(call).id, id)))?.value;
  if (found?.owner === standingIn(call).principal.id) return found;
  throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `Git credential ${id.slice(0, 100)} does not exist.` });
}

async function create(call: PlatformCall): Promise<GitCredential> {
  const sent = completeFields(FIELDS, readFields(FIELDS, call.body ?? {}));
  const provider = providerOf(String(sent.git_provider), 'git_provider');
  const credential: GitCredential = {
    id: numericId(),
    workspaceId: workspaceIn(call).id,
    owner: standingIn(call).principal.id,
    provider,
    isDefault: true,
    createdAt: call.jar.clock.now(),
    ...membersOf(call, sent),
  };
  await call.jar.store.transact(async (tx) => {
    await checkProvider(tx, call, provider, credential.id);
    await write(tx, call, 'create', credential);
  });
  return credential;
}

const update = (call: PlatformCall): Promise<void> => {
  const sent = readFields(FIELDS, call.body ?? {});
  const said = typeof sent.git_provider === 'string' ? providerOf(sent.git_provider, 'git_provider') : undefined;
  const members = membersOf(call, sent);
  return call.jar.store.transact(async (tx) => {
    const before = await find(tx, call);
    const provider = said ?? before.provider;
    await checkProvider(tx, call, provider, before.id);
    await write(tx, call, 'update', { ...before, ...members, provider });
  });
};

/** How the caller authenticates to a repository of the provider: the header, or nothing. */
export async function authorizationFor(
  call: Pick<PlatformCall, 'jar' | 'facts'>,
  provider: string,
): Promise<string | undefined> {
  const { store, vault } = call.jar;
  const found = (await credentialsOf(store, call)).find((credential) => credential.provider === provider);
  if (found?.token === undefined) return undefined;
  // Providers that ask for a token alone take any name beside it.
  const pair = `${found.username ?? found.email ?? 'token'}:${vault.open(found.token)}`;
  return `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`;
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
      handle: async (call) => ok({ credentials: (await credentialsOf(call.jar.store, call)).map(view) }),
    }),
  },
  {
    method: 'GET',
    ...head('get', 'read one', ONE),
    code: routeCode(['credential_id'], { handle: async (call) => ok(view(await find(call.jar.store, call))) }),
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
        await call.jar.store.transact(async (tx) => write(tx, call, 'delete', await find(tx, call)));
        return ok({});
      },
    }),
  },
];
