import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import type { JarClock } from '../clock/types.ts';
import type { ApiError } from '../http/errors.ts';
import { StoreError } from '../store/errors.ts';
import type { Collection, ReadLock, StatePart, Store, Stored, Tx } from '../store/types.ts';
import { atMost } from '../time/timers.ts';
import type { Worker } from '../work/index.ts';
import { type Chunk, chunkKey, chunks, type Snapshot, snapshots } from './collections.ts';
import { partsOf, readLine } from './content.ts';
import { snapshotErrors } from './errors.ts';
import { sameCounts, Tally } from './tally.ts';

export interface Restored {
  readonly snapshot: Snapshot;
  /** The jar's time after the restore. */
  readonly now: number;
  /** Whether the clock was set to the time of the snapshot; the system clock cannot be set. */
  readonly clockMoved: boolean;
  /** Skipped documents of collections that this release does not have, counted by collection. */
  readonly skipped: Readonly<Record<string, number>>;
}

export interface RestoreOptions {
  readonly store: Store;
  readonly clock: JarClock;
  readonly worker: Pick<Worker, 'pause' | 'resume'>;
  /** Returns true if the collection can be loaded. */
  readonly knows: (collection: string) => boolean;
  /** The collection of the snapshot, if it is not one of the users' snapshots. */
  readonly from?: Collection<Snapshot>;
  /** The time to set instead of the snapshot's time. */
  readonly time?: number | undefined;
  /** Called first within the transaction; if it throws, nothing changes. */
  readonly first?: (tx: Tx) => Promise<void>;
  forget(): Promise<void>;
}

/** Handlers that run longer than this continue without their leases, so that their results are refused. */
const WAIT_FOR_HANDLERS_MS = 10_000;

const SMALL_BYTES = 16 * 1024;

const unpack = promisify(gunzip);

/**
 * Replaces all state, including the clock, in one transaction, so that readers see the state before or after it. No work starts meanwhile:
 * on this node because the worker pauses, on other nodes because the transaction locks the table of due work.
 */
export async function restore(snapshot: Snapshot, options: RestoreOptions): Promise<Restored> {
  const { store, clock, worker } = options;
  const quiet = worker.pause();
  try {
    await atMost(WAIT_FOR_HANDLERS_MS, quiet);
    let done: Pick<Restored, 'clockMoved' | 'skipped'> = { clockMoved: false, skipped: {} };
    await store.wipe(async (tx, load) => {
      done = await replaceState(tx, load, snapshot, options);
    });
    await options.forget();
    return { snapshot, now: clock.now(), ...done };
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'UNFIT') throw error;
    throw snapshotErrors.SnapshotDamaged({ name: snapshot.name, reason: error.message }, { cause: error });
  } finally {
    worker.resume();
  }
}

async function replaceState(
  tx: Tx,
  load: (part: StatePart) => Promise<void>,
  snapshot: Snapshot,
  { clock, knows, from = snapshots, time, first }: RestoreOptions,
): Promise<Pick<Restored, 'clockMoved' | 'skipped'>> {
  const { name, id, takenAt } = snapshot;
  await first?.(tx);
  // Locked until the end, so that the snapshot cannot be replaced or deleted meanwhile.
  const current = await tx.get(from, name, 'share');
  if (current?.value.id !== id) throw damaged(name, 'it was replaced or deleted meanwhile');
  const loaded = new Tally();
  const skipped: Record<string, number> = {};
  for await (const text of contentOf(tx, snapshot)) {
    for (const part of partsIn(text, name)) {
      loaded.add(part);
      if (part.of !== 'documents' || knows(part.collection)) await load(part);
      else skipped[part.collection] = (skipped[part.collection] ?? 0) + part.rows.length;
    }
  }
  if (!sameCounts(loaded.counts(), snapshot.counts)) throw damaged(name, 'its content is not complete');
  const moveTo = time ?? takenAt;
  const clockMoved = await clock.restore(tx, moveTo);
  await tx.change({
    source: 'control',
    kind: 'restore',
    subject: `/_jar/snapshots/${name}`,
    outcome: 'Succeeded',
    at: clockMoved ? moveTo : clock.now(),
    data: { snapshot: name, takenAt: new Date(takenAt).toISOString(), clockMoved },
  });
  return { clockMoved, skipped };
}

function partsIn(text: string, name: string): StatePart[] {
  const lines = text.split('\n').slice(0, -1);
  return partsOf(
    lines.map((line) => {
      const read = readLine(line);
      if (!read) throw damaged(name, 'a line of its content cannot be read');
      return read;
    }),
  );
}

export interface ChunkReader {
  get(collection: typeof chunks, key: string, lock?: ReadLock): Promise<Stored<Chunk> | undefined>;
}

/** Where content is stored, and the name that errors give. */
export type Content = Pick<Snapshot, 'id' | 'name' | 'chunks'>;

/** The stored chunks: gzip members, which concatenated make a valid gzip file. */
export async function* packedContentOf(on: ChunkReader, snapshot: Content): AsyncGenerator<Buffer> {
  for (let position = 0; position < snapshot.chunks; position++) yield packedChunk(on, snapshot, position);
}

async function packedChunk(on: ChunkReader, { id, name, chunks: count }: Content, position: number): Promise<Buffer> {
  const chunk = await on.get(chunks, chunkKey(id, position), 'none');
  if (!chunk) throw damaged(name, `part ${position + 1} of ${count} is missing`);
  return Buffer.from(chunk.value.data, 'base64');
}

/** Unpacks the next chunk while the current one is loaded. */
export async function* contentOf(on: ChunkReader, snapshot: Content): AsyncGenerator<string> {
  const unpackChunk = async (position: number): Promise<string> => {
    const packed = await packedChunk(on, snapshot, position);
    try {
      // Unpacking a small chunk synchronously is faster than using another thread.
      const bytes = packed.length < SMALL_BYTES ? gunzipSync(packed) : await unpack(packed);
      return bytes.toString('utf8');
    } catch (error) {
      throw damaged(snapshot.name, error instanceof Error ? error.message : String(error));
    }
  };
  let next = snapshot.chunks === 0 ? undefined : unpackChunk(0);
  for (let position = 1; next !== undefined; position++) {
    const text = await next;
    next = position < snapshot.chunks ? unpackChunk(position) : undefined;
    // Prevents an unhandled rejection if the consumer stops early.
    next?.catch(() => {});
    yield text;
  }
}

const damaged = (name: string, reason: string): ApiError => snapshotErrors.SnapshotDamaged({ name, reason });
