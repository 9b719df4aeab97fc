import type { JarClock } from '../clock/types.ts';
import type { Collection, Store } from '../store/types.ts';
import { type Snapshot, snapshots } from './collections.ts';
import type { Drafts } from './drafts.ts';
import { snapshotErrors } from './errors.ts';
import { takeState } from './take.ts';

export interface Saved {
  readonly snapshot: Snapshot;
  readonly created: boolean;
}

interface SaveOptions {
  readonly store: Store;
  readonly clock: JarClock;
  readonly drafts: Drafts;
  readonly version: string;
  /** The oldest release that can read what this release writes. */
  readonly oldest: string | undefined;
}

/** Takes a consistent snapshot. The jar continues to run, except for a database in memory, where writers wait. */
export async function save(name: string, { store, clock, drafts, version, oldest }: SaveOptions): Promise<Saved> {
  return drafts.write(async (id) => {
    const taken = await takeState(id, { store, clock });
    const release = { version, ...(oldest !== undefined && { oldest }) };
    return publish({ id, name, ...release, engine: store.engine, imported: false, ...taken }, { store, drafts });
  });
}

/** Makes the snapshot visible and replaces an earlier one with the same name. */
export async function publish(
  snapshot: Snapshot,
  { store, drafts }: Pick<SaveOptions, 'store' | 'drafts'>,
  into: Collection<Snapshot> = snapshots,
): Promise<Saved> {
  const { id, name, source } = snapshot;
  const { current, isNew } = await store.transact(async (tx) => {
    if (!(await drafts.finish(tx, id))) throw snapshotErrors.SnapshotInterrupted({ name });
    const before = (await tx.get(into, name))?.value;
    // If two nodes import the same seed at once, the first one has generated its secrets, so the second is discarded.
    const isThere = source !== undefined && before?.source === source;
    if (isThere) await drafts.discard(tx, id);
    else {
      if (before) await drafts.discard(tx, before.id);
      await tx.put(into, name, snapshot);
    }
    return { current: isThere ? before : snapshot, isNew: before === undefined };
  });
  if (!isNew) await drafts.clean();
  return { snapshot: current, created: isNew };
}
