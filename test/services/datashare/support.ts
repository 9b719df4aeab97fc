import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fastFolder } from '../../support/fast-folder.ts';
import { type Bench, OTHER_SUBSCRIPTION, type Reply, SUBSCRIPTION } from '../../support/jars.ts';

export const VERSION = '2021-08-01';
export const PROVIDER_GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/giving`;
export const CONSUMER_GROUP = `/subscriptions/${OTHER_SUBSCRIPTION}/resourceGroups/taking`;
export const PROVIDER = `${PROVIDER_GROUP}/providers/Vendor.DataShare/accounts/giver`;
export const CONSUMER = `${CONSUMER_GROUP}/providers/Vendor.DataShare/accounts/taker`;
export const SHARE = `${PROVIDER}/shares/numbers`;
export const TAKEN = `${CONSUMER}/shareSubscriptions/numbers`;

/** The storage accounts of a jar: a temporary folder with files by `container/path`. */
export class StorageFolder {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  static async make(): Promise<StorageFolder> {
    return new StorageFolder(await mkdtemp(join(await fastFolder(), 'cloudjar-storage-')));
  }

  async write(account: string, path: string, content: string | Uint8Array): Promise<void> {
    const file = join(this.root, account, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  async delete(account: string, path: string): Promise<void> {
    await rm(join(this.root, account, path), { recursive: true, force: true });
  }

  /** Every file below a path, with its content as text. */
  async files(account: string, path: string): Promise<Record<string, string>> {
    const folder = join(this.root, account, path);
    const found: Record<string, string> = {};
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      found[relative(folder, file)] = await readFile(file, 'latin1');
    }
    return found;
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}

export type Ask = (method: string, path: string, body?: unknown) => Promise<Reply>;

/** Calls of one side of a share, with the token of a user there. */
export async function side(bench: Bench, user?: string): Promise<Ask> {
  const token = await bench.jar.token({ ...(user !== undefined && { user }), ttl: '365d' });
  return (method, path, body) => {
    const query = path.includes('api-version=') ? '' : `${path.includes('?') ? '&' : '?'}api-version=${VERSION}`;
    return bench.call(method, path + query, { token, ...(body !== undefined && { body }) });
  };
}

export const giver = (bench: Bench): Promise<Ask> => side(bench);
export const taker = (bench: Bench): Promise<Ask> => side(bench, 'other');

/** The body of the response; fails unless its status is one of these. */
export async function good(reply: Promise<Reply>, ...statuses: readonly number[]): Promise<Reply['body']> {
  const { status, body, text } = await reply;
  if (!(statuses.length === 0 ? [200, 201, 202] : statuses).includes(status)) throw new Error(`${status}: ${text}`);
  return body;
}

export const ACCOUNT_BODY = { location: 'eastus', identity: { type: 'SystemAssigned' } };

/** Creates both resource groups and both accounts. */
export async function makeAccounts(give: Ask, take: Ask): Promise<void> {
  const group = { location: 'eastus' };
  await good(give('PUT', `${PROVIDER_GROUP}?api-version=2021-04-01`, group));
  await good(take('PUT', `${CONSUMER_GROUP}?api-version=2021-04-01`, group));
  await good(give('PUT', PROVIDER, ACCOUNT_BODY), 200, 201);
  await good(take('PUT', CONSUMER, ACCOUNT_BODY), 200, 201);
}

export const place = (account: string, subscriptionId: string, group: string) => ({
  storageAccountName: account,
  resourceGroup: group,
  subscriptionId,
});
export const SOURCE = place('source', SUBSCRIPTION, 'giving');
export const TARGET = place('target', OTHER_SUBSCRIPTION, 'taking');

export interface Shared {
  readonly invitationId: string;
  readonly dataSetId: string;
}

/** Shares, accepts and maps a container. */
export async function shareContainer(give: Ask, take: Ask, container = 'data'): Promise<Shared> {
  await good(give('PUT', SHARE, { properties: { description: 'Figures', terms: 'Be kind', shareKind: 'CopyBased' } }));
  const dataSet = { kind: 'Container', properties: { ...SOURCE, containerName: container } };
  const { properties: set } = await good(give('PUT', `${SHARE}/dataSets/all`, dataSet));
  const invitation = { properties: { targetEmail: 'other@other.example' } };
  const { properties: sent } = await good(give('PUT', `${SHARE}/invitations/otto`, invitation));
  await good(
    take('PUT', TAKEN, { properties: { invitationId: sent.invitationId, sourceShareLocation: 'eastus' } }),
    201,
  );
  const mapping = {
    kind: 'Container',
    properties: { ...TARGET, dataSetId: set.dataSetId, containerName: 'copies' },
  };
  await good(take('PUT', `${TAKEN}/dataSetMappings/all`, mapping), 201);
  return { invitationId: sent.invitationId, dataSetId: set.dataSetId };
}

/** Runs one synchronization to its end. */
export async function synchronize(take: Ask, mode?: 'FullSync' | 'Incremental'): Promise<Reply['body']> {
  const { synchronizationId } = await good(
    take('POST', `${TAKEN}/synchronize`, mode === undefined ? {} : { synchronizationMode: mode }),
    202,
  );
  return ended(take, synchronizationId);
}

export async function ended(take: Ask, id: string): Promise<Reply['body']> {
  for (;;) {
    const { status, body, text } = await take('GET', `${TAKEN}/shareSubscriptionSynchronizations/${id}`);
    if (status === 200) return body;
    if (status !== 202) throw new Error(`${status}: ${text}`);
  }
}

export const detailsOf = async (ask: Ask, owner: string, synchronizationId: string): Promise<Reply['body'][]> =>
  (await good(ask('POST', `${owner}/listSynchronizationDetails`, { synchronizationId }))).value;
