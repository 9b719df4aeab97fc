import type { Position } from '../clock/position.ts';
import type { JarClock } from '../clock/types.ts';
import { readDocument } from '../store/document.ts';
import type { CaptureBody, Collection, StatePart, Store } from '../store/types.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { CLOCK, type Snapshot, snapshots } from './collections.ts';
import { linesOf } from './content.ts';
import type { Drafts } from './drafts.ts';
import { snapshotErrors } from './errors.ts';
import { Tally } from './tally.ts';

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
    const takeAll: CaptureBody<Omit<Snapshot, 'id' | 'name' | 'version' | 'oldest' | 'engine' | 'imported'>> = async (
      parts,
      write,
    ) => {
      const writer = new ChunkWriter(id);
      const tally = new Tally();
      const positions = new Map<string, Position>();
      let takenAt: number | undefined;
      try {
        for await (const part of parts) {
          if (isPositions(part)) {
            for (const [key, etag, body] of part.rows) positions.set(key, readDocument(CLOCK, key, etag, body));
            continue;
          }
          takenAt ??= clock.timeBy((key) => positions.get(key));
          tally.add(part);
          await writer.add(linesOf(part), write);
        }
        takenAt ??= clock.timeBy((key) => positions.get(key));
        return { takenAt, counts: tally.counts(), ...(await writer.finish(write)) };
      } finally {
        await writer.settled();
      }
    };
    const taken = await store.capture([CLOCK], takeAll);
    const release = { version, ...(oldest !== undefined && { oldest }) };
    return publish({ id, name, ...release, engine: store.engine, imported: false, ...taken }, { store, drafts });
  });
}

function isPositions(part: StatePart): part is Extract<StatePart, { of: 'documents' }> {
  return part.of === 'documents' && part.collection === CLOCK.name;
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
