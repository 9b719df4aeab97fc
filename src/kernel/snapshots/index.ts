import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Vault } from '../auth/vault.ts';
import type { JarClock } from '../clock/types.ts';
import { StoreError } from '../store/errors.ts';
import type { StoredWork } from '../store/options.ts';
import { oldestToRead } from '../store/release.ts';
import { withStoreCollections } from '../store/typed/definitions.ts';
import type { Collection, Store, Tx } from '../store/types.ts';
import { readAll } from '../store/walk.ts';
import { Gate } from '../values/gate.ts';
import type { Worker } from '../work/index.ts';
import { type Snapshot, snapshots } from './collections.ts';
import type { Comparison } from './compare/index.ts';
import { CHANGES, isRows, type Place, WORK } from './compare/order.ts';
import { Drafts } from './drafts.ts';
import { refuseTooOld, snapshotErrors } from './errors.ts';
import type { Imported } from './import.ts';
import type { Restored } from './restore.ts';
import type { Saved } from './save.ts';
import type { SeedFile } from './seed.ts';

export { type Snapshot, snapshotCollections, snapshots as savedSnapshots } from './collections.ts';
export type { ComparedItem, Comparison } from './compare/index.ts';
export type { Place } from './compare/order.ts';
export type { ChangedField } from './compare/veil.ts';
export { snapshotErrors } from './errors.ts';
export type { Imported } from './import.ts';
export { type LeftOutSecrets, leftOutLine } from './left-out-line.ts';
export type { Restored } from './restore.ts';
export type { Saved } from './save.ts';
export type { SeedFile } from './seed.ts';

export interface SnapshotOptions {
  readonly store: Store;
  readonly clock: JarClock;
  readonly vault: Vault;
  readonly worker: Pick<Worker, 'pause' | 'resume'>;
  readonly version: string;
  /** All collections that the store was opened with. */
  readonly collections: readonly Collection<never>[];
  readonly work?: readonly StoredWork[];
  /** Clears state outside of the store that is derived from its content. */
  forget(): Promise<void>;
  /** Called with errors that no caller waits for. */
  readonly report: (error: unknown) => void;
  /** Called with warnings for the log. */
  readonly warn?: (line: string) => void;
  /** How long a node of a shared database may be without a heartbeat before its unfinished content is removed. */
  readonly abandonedAfterMs?: number;
}

/** Named snapshots of all state. */
export interface Snapshots {
  list(): Promise<Snapshot[]>;
  get(name: string): Promise<Snapshot>;
  save(name: string): Promise<Saved>;
  restore(name: string): Promise<Restored>;
  delete(name: string): Promise<void>;
  /** Compares two snapshots, or a snapshot with the present state. A comparison begins when all earlier ones are complete. */
  compare(options: CompareSnapshots): Promise<Compared>;
  /** Exports a snapshot as a file: for jars with the same secret key, or for any jar. */
  content(name: string, form?: FileForm): Promise<{ snapshot: Snapshot; file: Readable }>;
  /** Imports a snapshot from a file. */
  accept(name: string, file: Readable, options?: { readonly passphrase?: string | undefined }): Promise<Imported>;
  /** Restores the seed if it is a snapshot file. `first` is called within the transaction; if it throws, nothing changes. */
  restoreSeed(file: SeedFile, first: (tx: Tx) => Promise<void>): Promise<Restored>;
}

export interface CompareSnapshots {
  readonly from: string;
  /** Undefined compares with the present state. */
  readonly to?: string | undefined;
  readonly collection?: string | undefined;
  /** Reads the place from which to continue, once the snapshots are known. */
  readonly after?: (of: ComparedSnapshots) => Place | undefined;
  readonly limit: number;
  /** Aborted when nobody waits for the result any more. */
  readonly signal?: AbortSignal | undefined;
}

export interface ComparedSnapshots {
  readonly from: Snapshot;
  /** Undefined: the present state. */
  readonly to: Snapshot | undefined;
}

export interface Compared extends Comparison, ComparedSnapshots {}

export interface FileForm {
  /** Encrypts the file; any jar can open it with the passphrase. */
  readonly passphrase?: string | undefined;
  /** Leaves out all secrets. */
  readonly portable?: boolean | undefined;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const NAMES_IN_A_MESSAGE = 10;

export function createSnapshots(options: SnapshotOptions): Snapshots {
  const { store, clock, worker, vault, version } = options;
  const { collections } = withStoreCollections(options);
  const drafts = new Drafts(store, options.abandonedAfterMs);
  // Each reads whole snapshots. Those that wait are not limited in number: they end with the connections of their clients.
  const comparisons = new Gate({ running: 1, waiting: Number.POSITIVE_INFINITY });
  const known = new Map(collections.map((each) => [each.name, each]));
  const keyCheck = (): string => createHash('sha256').update(vault.deriveKey('snapshot key check')).digest('hex');
  // Removes content that a crash has left behind.
  drafts.clean().catch((error) => {
    if (!(error instanceof StoreError && error.code === 'CLOSED')) options.report(error);
  });

  const list = async (): Promise<Snapshot[]> => {
    return (await readAll(store, snapshots)).map(({ value }) => value);
  };
  const get = async (name: string): Promise<Snapshot> => {
    const found = (await store.get(snapshots, checkName(name)))?.value;
    if (found) return found;
    const { items } = await store.query(snapshots, { limit: NAMES_IN_A_MESSAGE });
    const names = items.map((item) => item.key).join(', ') || 'none yet';
    throw snapshotErrors.SnapshotNotFound({ name, known: names });
  };
  const compare = async ({ from: first, to: second, after, ...rest }: CompareSnapshots): Promise<Compared> => {
    const from = await get(first);
    const to = second === undefined ? undefined : await get(second);
    for (const each of [from, to]) refuseTooOld(each?.oldest, version);
    checkCollection(rest.collection, [from, to], known);
    const { compareContents } = await loadCode();
    const request = { from, to, after: after?.({ from, to }), ...rest };
    try {
      return { from, to, ...(await compareContents(request, { store, vault, clock, drafts, collections: known })) };
    } catch (error) {
      for (const each of [from, to]) {
        if (!each || (await store.get(snapshots, each.name))?.value.id === each.id) continue;
        throw snapshotErrors.SnapshotReplaced({ name: each.name }, { cause: error });
      }
      throw error;
    }
  };

  return {
    list,
    get,
    async save(name) {
      checkNewName(name);
      const { save } = await loadCode();
      const oldest = oldestToRead(options);
      return save(name, { store, clock, drafts, version, oldest });
    },
    async restore(name) {
      const snapshot = await get(name);
      refuseTooOld(snapshot.oldest, version);
      const { restore } = await loadCode();
      const { forget } = options;
      return restore(snapshot, { store, clock, worker, forget, knows: (collection) => known.has(collection) });
    },
    async delete(name) {
      await get(name);
      await store.transact(async (tx) => {
        const found = await tx.get(snapshots, name);
        if (!found) return;
        await tx.delete(snapshots, name);
        await drafts.discard(tx, found.value.id);
      });
      await drafts.clean();
    },
    async compare(request) {
      const { signal } = request;
      try {
        return await comparisons.pass(() => compare(request), signal);
      } catch (error) {
        if (!signal?.aborted) throw error;
        throw new StoreError('ABANDONED', 'the client disconnected before the comparison was complete', {
          cause: error,
        });
      }
    },
    async content(name, { passphrase, portable = false } = {}) {
      if (portable && passphrase !== undefined) throw snapshotErrors.PassphraseOrPortable();
      const snapshot = await get(name);
      const { encryptedFile, fileOf, portableFile } = await loadCode();
      const travel = { store, vault, collections: known };
      if (passphrase !== undefined) return { snapshot, file: await encryptedFile(snapshot, passphrase, travel) };
      return { snapshot, file: portable ? portableFile(snapshot, travel) : fileOf(store, snapshot, keyCheck()) };
    },
    async accept(name, file, { passphrase } = {}) {
      checkNewName(name);
      const { importFile } = await loadCode();
      const key = { vault, keyCheck: keyCheck(), passphrase };
      return importFile(name, file, { store, drafts, version, collections: known, ...key });
    },
    async restoreSeed(file, first) {
      const { restoreSeed } = await loadCode();
      const { forget, warn = () => {} } = options;
      const state = { store, clock, worker, forget, knows: (collection: string) => known.has(collection) };
      const key = { vault, keyCheck: keyCheck(), version };
      return restoreSeed(file, { ...state, ...key, drafts, collections: known, first, warn });
    },
  };
}

const loadCode = () => import('./code.ts');

/** A misspelt name must not look like a collection without differences. */
function checkCollection(
  name: string | undefined,
  of: readonly (Snapshot | undefined)[],
  known: ReadonlyMap<string, unknown>,
): void {
  if (name === undefined || known.has(name) || isRows(name) || name === WORK || name === CHANGES) return;
  if (of.some((snapshot) => snapshot && Object.hasOwn(snapshot.counts.collections, name))) return;
  throw snapshotErrors.UnknownCollection({ name: name.slice(0, 100) }, { target: 'collection' });
}

/** The address below `/_jar/snapshots` that is not a snapshot. */
const RESERVED = 'compare';

function checkNewName(name: string): void {
  if (checkName(name) === RESERVED) throw snapshotErrors.ReservedSnapshotName({ name }, { target: 'name' });
}

function checkName(name: string): string {
  if (!NAME.test(name)) throw snapshotErrors.BadSnapshotName({ name: name.slice(0, 100) }, { target: 'name' });
  return name;
}
