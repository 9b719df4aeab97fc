import { eq, type Reader, readAll, type Tx } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../jar.ts';
import { credentialKey, type GitCredential, gitCredentials } from './collections.ts';

/**
 * Git credentials of a principal. A second credential for the same provider needs a distinct name. One credential per provider is the
 * default, used to read repositories unless they name another.
 */

/** Per user; the real number is not published. */
const MOST_CREDENTIALS = 10;

/** The credentials of an owner in the workspace of the call. */
const placeOf = (call: Pick<PlatformCall, 'facts'>, owner: string): string => `${workspaceIn(call).id}/${owner}`;

/** From the oldest to the newest. */
export async function credentialsOf(
  reader: Reader,
  call: Pick<PlatformCall, 'facts'>,
  owner: string,
): Promise<readonly GitCredential[]> {
  const found = await readAll(reader, gitCredentials, { filter: eq('owner', placeOf(call, owner)) });
  return found.map(({ value }) => value).toSorted((one, other) => one.createdAt - other.createdAt);
}

/** A credential of this owner. Credentials of other owners are not found. */
export async function findCredential(
  reader: Reader,
  call: Pick<PlatformCall, 'facts'>,
  owner: string,
  id: string,
): Promise<GitCredential> {
  const found = (await reader.get(gitCredentials, credentialKey(workspaceIn(call).id, id)))?.value;
  if (found?.owner === owner) return found;
  throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `Git credential ${id.slice(0, 100)} does not exist.` });
}

/** In a transaction that changes credentials: reads those of the owner and locks them. */
export async function claimCredentials(tx: Tx, call: PlatformCall, owner: string): Promise<readonly GitCredential[]> {
  await tx.lock(`platform.git-credentials:${placeOf(call, owner)}`);
  return credentialsOf(tx, call, owner);
}

export async function putCredential(
  tx: Tx,
  call: PlatformCall,
  kind: 'create' | 'update',
  credential: GitCredential,
  all: readonly GitCredential[],
): Promise<void> {
  const others = all.filter(({ id }) => id !== credential.id);
  if (others.length >= MOST_CREDENTIALS)
    throw errors.INVALID_STATE({ reason: `A user may have at most ${MOST_CREDENTIALS} Git credentials.` });
  const same = others.filter(({ provider }) => provider === credential.provider);
  checkNames(credential, same);
  if (credential.isDefault)
    for (const other of same.filter(({ isDefault }) => isDefault)) await write(tx, { ...other, isDefault: false });
  await write(tx, credential);
  await record(tx, call, kind, credential);
}

function checkNames({ provider, name }: GitCredential, same: readonly GitCredential[]): void {
  if (same.length > 0 && name === undefined)
    throw errors.INVALID_STATE({
      reason: `Only one Git credential is supported at this time for each provider without a name of its own, and there is one for ${provider}. If you would like to update your credential, please use the PATCH endpoint.`,
    });
  if (same.some((other) => other.name === name))
    throw errors.INVALID_STATE({ reason: `A Git credential '${name}' for ${provider} already exists.` });
}

/** The oldest remaining credential becomes the default. */
export async function removeCredential(
  tx: Tx,
  call: PlatformCall,
  credential: GitCredential,
  all: readonly GitCredential[],
): Promise<void> {
  await tx.delete(gitCredentials, credentialKey(credential.workspaceId, credential.id));
  const next = all.find(({ id, provider }) => id !== credential.id && provider === credential.provider);
  if (credential.isDefault && next) await write(tx, { ...next, isDefault: true });
  await record(tx, call, 'delete', credential);
}

const write = async (tx: Tx, credential: GitCredential): Promise<void> => {
  await tx.put(gitCredentials, credentialKey(credential.workspaceId, credential.id), credential);
};

const record = (tx: Tx, call: PlatformCall, kind: string, { workspaceId, id, provider }: GitCredential) =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${workspaceId}/git-credentials/${id}`,
    outcome: 'Succeeded',
    at: call.jar.clock.now(),
    data: { provider },
  });

/**
 * The caller's authorization header for a repository, if any: from the credential that the caller names, otherwise from the provider's
 * default.
 */
export async function authorizationFor(
  call: Pick<PlatformCall, 'jar' | 'facts'>,
  provider: string,
  credentialId: string | undefined,
): Promise<string | undefined> {
  const { store, vault } = call.jar;
  const owner = callerIdentity(call).principal.id;
  const found =
    credentialId === undefined
      ? (await credentialsOf(store, call, owner))
          .filter((credential) => credential.provider === provider)
          .toSorted((one, other) => Number(other.isDefault) - Number(one.isDefault))[0]
      : await findCredential(store, call, owner, credentialId);
  if (found?.token === undefined) return undefined;
  // Providers that need only a token accept any user name.
  const pair = `${found.username ?? found.email ?? 'token'}:${vault.open(found.token)}`;
  return `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`;
}
