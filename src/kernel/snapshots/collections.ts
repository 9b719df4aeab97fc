import { clockCollection } from '../clock/position.ts';
import { collection } from '../store/collection.ts';
import type { Collection } from '../store/types.ts';

/** The number of items of each kind in a snapshot. */
export interface Counts {
  readonly documents: number;
  /** Rows of typed tables; absent if there are none. */
  readonly rows?: number;
  readonly work: number;
  readonly changes: number;
  /** Documents by collection; collections without documents are left out. */
  readonly collections: Readonly<Record<string, number>>;
}

/** A finished snapshot. Its content is in chunks, whose keys begin with the id. */
export interface Snapshot {
  readonly id: string;
  readonly name: string;
  /** The jar's time of the snapshot, in milliseconds. */
  readonly takenAt: number;
  /** Engine and version of the jar that the snapshot was taken in. */
  readonly engine: string;
  readonly version: string;
  /** The oldest release that can restore it; absent if every release can. */
  readonly oldest?: string;
  /** True if it was imported from a file. */
  readonly imported: boolean;
  readonly chunks: number;
  /** Size of the content in bytes, and its stored size. */
  readonly bytes: number;
  readonly storedBytes: number;
  readonly counts: Counts;
  /** SHA-256 of the content. */
  readonly sha256: string;
  /** SHA-256 of the seed file that it was imported from. */
  readonly source?: string;
}

/** Content that belongs to no finished snapshot: it is being written, or is left over from a failure. */
export interface Draft {
  readonly node: string;
  /** In system time of that node, renewed while it writes. Absent if no node is writing. */
  readonly aliveAt?: number;
  /** The number of chunks already removed. */
  readonly removed?: number;
}

/** A piece of the content: gzip of complete lines, in base64. */
export interface Chunk {
  readonly data: string;
}

/** Snapshots survive a reset and the restore of another snapshot; none is part of a snapshot. */
export const snapshots = collection<Snapshot>('kernel.snapshots', { permanent: true });
/** The state that a reset restores if the seed is a snapshot file. Stored separately, because users cannot list, restore or delete it. */
export const seedSnapshots = collection<Snapshot>('kernel.seed_snapshots', { permanent: true });
export const drafts = collection<Draft>('kernel.snapshot_drafts', { permanent: true });
export const chunks = collection<Chunk>('kernel.snapshot_chunks', { permanent: true });

// biome-ignore lint/suspicious/noExplicitAny: collections of any document type are opened together
export const snapshotCollections: readonly Collection<any>[] = [snapshots, seedSnapshots, drafts, chunks];

/** Captured first, and consistent with all other state: the clock's document gives the time of the snapshot. */
export const CLOCK = clockCollection;

const CHUNK_DIGITS = 8;

export const chunkKey = (id: string, position: number): string =>
  `${id}/${String(position).padStart(CHUNK_DIGITS, '0')}`;
