import type { Vault } from './kernel/auth/vault.ts';
import { ConfigError } from './kernel/config.ts';
import { uuid } from './kernel/ids.ts';
import { collection } from './kernel/store/collection.ts';
import type { Store, Tx } from './kernel/store/types.ts';

/** What the jar knows of itself; the same for all nodes on one store. */
export interface Self {
  readonly jarId: string;
  readonly seeded: boolean;
  /** Sealed by the jar's vault: whoever can open it has the right key. */
  readonly probe: string;
}

export const self = collection<Self>('kernel.self', { permanent: true });

const SELF = 'self';
const PROBE = 'cloudjar';

/** Who this store belongs to. `keySource` is where the vault's key is from, for the one who has to correct it. */
export async function identify(store: Store, vault: Vault, keySource: string): Promise<Self> {
  const known = (await store.get(self, SELF))?.value ?? (await introduce(store, vault));
  try {
    if (vault.open(known.probe) === PROBE) return known;
  } catch {
    // Sealed with another key.
  }
  throw new ConfigError(
    `${keySource} is not the key that this database was made with: copy secret.key from the data folder of the jar that made it, or set CLOUDJAR_SECRET_KEY to its content`,
  );
}

function introduce(store: Store, vault: Vault): Promise<Self> {
  return store.transact(async (tx) => {
    await tx.lock('kernel.self');
    const other = await tx.get(self, SELF);
    return other?.value ?? (await tx.put(self, SELF, { jarId: uuid(), seeded: false, probe: vault.seal(PROBE) })).value;
  });
}

/** Several nodes may start on an empty database at once; one of them seeds it. */
export async function seedOnce(store: Store, apply: (tx: Tx) => Promise<void>): Promise<void> {
  await store.transact(async (tx) => {
    await tx.lock('kernel.self');
    const current = (await tx.get(self, SELF))?.value;
    if (!current || current.seeded) return;
    await apply(tx);
    await tx.put(self, SELF, { ...current, seeded: true });
  });
}
