import type { Jar } from '../../../kernel/service/index.ts';
import { storageOwners } from '../collections.ts';
import type { FileReader, FileStore } from './types.ts';

/** The platform limit for outgoing data of a subscription's storage accounts per second. It only measures unless a number is configured. */
const STORAGE_EGRESS = 'platform.storage-egress';

const BITS = 8;

/** The storage accounts of a subscription have reached their egress limit. */
export class EgressThrottled extends Error {
  readonly retryAfterSeconds: number;

  constructor(account: string, retryAfterSeconds: number) {
    super(`the storage account '${account}' has reached its egress limit; retry in ${retryAfterSeconds} s`);
    this.name = 'EgressThrottled';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

type EgressJar = Pick<Jar, 'limits' | 'store'>;

/** Counts the reads of a storage account for the subscription that owns it. */
export function metered(jar: EgressJar, account: string, store: FileStore): FileStore {
  let owner: Promise<string> | undefined;
  const subscription = (): Promise<string> => {
    owner ??= jar.store.get(storageOwners, account).then((found) => found?.value.subscriptionId.toLowerCase() ?? '');
    return owner;
  };
  return {
    list: (...about) => store.list(...about),
    stat: (...about) => store.stat(...about),
    put: (...about) => store.put(...about),
    draft: (...about) => store.draft(...about),
    remove: (...about) => store.remove(...about),
    forgetDrafts: (...about) => store.forgetDrafts(...about),
    async open(container, file) {
      const reader = await store.open(container, file);
      const read: FileReader['read'] = async (offset, into) => {
        await takeEgress(jar, account, await subscription(), into.length * BITS);
        await reader.read(offset, into);
      };
      return { read, close: () => reader.close() };
    },
  };
}

async function takeEgress({ limits }: EgressJar, account: string, subscription: string, bits: number): Promise<void> {
  const limit = limits.table.get(STORAGE_EGRESS)?.limit;
  if (limit?.kind !== 'bucket') return;
  const scope = [subscription];
  // A piece larger than the whole bucket costs exactly one full bucket, so that it does not wait forever.
  const cost = Math.max(1, Math.min(bits, limits.overrides.of(limit, scope).maximum));
  const { allowed, retryAfterSeconds } = await limits.take([{ limit, scope, cost }]);
  if (!allowed) throw new EgressThrottled(account, retryAfterSeconds);
}
