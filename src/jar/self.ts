import type { Vault } from '../kernel/auth/vault.ts';
import { ConfigError } from '../kernel/config/config.ts';
import { uuid } from '../kernel/ids/index.ts';
import { collection } from '../kernel/store/collection.ts';
import type { Reader, Store, Tx } from '../kernel/store/types.ts';

/** Identity of the jar; the same for all nodes on one store. */
export interface Self {
  readonly jarId: string;
  readonly seeded: boolean;
  /** Sealed by the jar's vault: a key that opens it is the correct key. */
  readonly probe: string;
}

export const self = collection<Self>('kernel.self', { permanent: true });

const SELF = 'self';
const PROBE = 'cloudjar';

/** Reads the identity of the store, or creates it. `keySource` says where the vault's key comes from, for the error message. */
export async function identify(store: Store, vault: Vault, keySource: string): Promise<Self> {
  const known = (await store.get(self, SELF))?.value ?? (await createIdentity(store, vault));
  try {
    if (vault.open(known.probe) === PROBE) return known;
  } catch {
    // Sealed with a different key.
  }
  throw new ConfigError(
    `${keySource} is not the key of this database: copy secret.key from the data folder of the jar that created it, or set CLOUDJAR_SECRET_KEY to its content`,
  );
}

function createIdentity(store: Store, vault: Vault): Promise<Self> {
  return store.transact(async (tx) => {
    await tx.lock('kernel.self');
    const other = await tx.get(self, SELF);
    return other?.value ?? (await tx.put(self, SELF, { jarId: uuid(), seeded: false, probe: vault.seal(PROBE) })).value;
  });
}

export const isSeeded = async (on: Pick<Reader, 'get'>): Promise<boolean> =>
  (await on.get(self, SELF, 'none'))?.value.seeded === true;

/** Called in the transaction that creates the first state. */
export async function markSeeded(tx: Tx): Promise<void> {
  const current = (await tx.get(self, SELF))?.value;
  if (current && !current.seeded) await tx.put(self, SELF, { ...current, seeded: true });
}

/** The sections of the seed that the state has received. Part of the state: a reset replaces it, and a snapshot restores its own. */
export const seededSections = collection<{ readonly names: readonly string[] }>('kernel.seeded');

const SECTIONS = 'sections';
/** A state without this list has received all sections except those of services that were added later. */
const SECTIONS_ADDED_LATER: ReadonlySet<string> = new Set(['lifecycle']);

/** Called after seeding. */
export const noteSeeded = (tx: Tx, names: readonly string[]): Promise<unknown> =>
  tx.put(seededSections, SECTIONS, { names });

/**
 * Seeds the sections that the state has not received: all if it is empty, otherwise those of services that are new to it. If several nodes
 * start at once, only one of them does it.
 */
export async function seedMissing(
  store: Store,
  names: readonly string[],
  prepare: (missing: readonly string[]) => Promise<(tx: Tx, missing: readonly string[]) => Promise<void>>,
): Promise<void> {
  const isMissing = (had: readonly string[]): string[] => names.filter((name) => !had.includes(name));
  const missing = isMissing(await sectionsHad(store, names));
  if (missing.length === 0) return;
  const apply = await prepare(missing);
  await store.transact(async (tx) => {
    await tx.lock('kernel.self');
    const current = (await tx.get(self, SELF))?.value;
    if (!current) return;
    const had = await sectionsHad(tx, names);
    // Another node may have seeded first.
    const left = isMissing(had);
    if (left.length > 0) await apply(tx, left);
    await noteSeeded(tx, [...had, ...left]);
    if (!current.seeded) await tx.put(self, SELF, { ...current, seeded: true });
  });
}

async function sectionsHad(on: Pick<Reader, 'get'>, names: readonly string[]): Promise<readonly string[]> {
  const noted = await on.get(seededSections, SECTIONS, 'none');
  if (noted) return noted.value.names;
  const current = (await on.get(self, SELF, 'none'))?.value;
  return current ? hadBeforeLists(current, names) : [];
}

const hadBeforeLists = ({ seeded }: Self, names: readonly string[]): readonly string[] =>
  seeded ? names.filter((name) => !SECTIONS_ADDED_LATER.has(name)) : [];
