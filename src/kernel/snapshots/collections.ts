import { clockCollection } from '../clock/position.ts';
import { collection } from '../store/collection.ts';
import type { Collection } from '../store/types.ts';

/** How many there are of everything in a snapshot. */
export interface Counts {
  readonly documents: number;
  /** Of typed tables; absent where there are none. */
  readonly rows?: number;
  readonly work: number;
  readonly changes: number;
  /** Documents by collection; those without any are left out. */
  readonly collections: Readonly<Record<string, number>>;
}

/** A finished snapshot. Its content is in chunks, which the id leads to. */
export interface Snapshot {
  readonly id: string;
  readonly name: string;
  /** The time in the jar, in milliseconds, at the moment that the snapshot shows. */
  readonly takenAt: number;
  /** Of the jar that it was taken in. */
  readonly engine: string;
  readonly version: string;
  /** The oldest release that can restore it; any where it is absent. */
  readonly oldest?: string;
  /** Came in as a file. */
  readonly imported: boolean;
  readonly chunks: number;
  /** Bytes of the content, and of what is kept of it. */
  readonly bytes: number;
  readonly storedBytes: number;
  readonly counts: Counts;
  /** SHA-256 of the content. */
  readonly sha256: string;
  /** SHA-256 of the file that a seed was read from. */
  readonly source?: string;
}

/** Content that belongs to no finished snapshot: one that is being taken, or what is left of one. */
export interface Draft {
  readonly node: string;
  /** By the system's clock of that node, renewed while it works. Absent when nobody does. */
  readonly aliveAt?: number;
  /** How many of its chunks are removed already. */
  readonly removed?: number;
}

/** A piece of the content: gzip of whole lines, in base64. */
export interface Chunk {
  readonly data: string;
}

/** They survive a reset, and a restore of another one; none is part of a snapshot. */
export const snapshots = collection<Snapshot>('kernel.snapshots', { permanent: true });
/** What a reset goes back to, where the seed is a snapshot file. Apart from the others: it is nobody's to list, restore or delete. */
export const seedSnapshots = collection<Snapshot>('kernel.seed_snapshots', { permanent: true });
export const drafts = collection<Draft>('kernel.snapshot_drafts', { permanent: true });
export const chunks = collection<Chunk>('kernel.snapshot_chunks', { permanent: true });

// biome-ignore lint/suspicious/noExplicitAny: collections of any document type are opened together
export const snapshotCollections: readonly Collection<any>[] = [snapshots, seedSnapshots, drafts, chunks];

/** Read at the same moment as all else: the time of a snapshot. */
export const CLOCK = clockCollection;

const CHUNK_DIGITS = 8;

export const chunkKey = (id: string, position: number): string =>
  `${id}/${String(position).padStart(CHUNK_DIGITS, '0')}`;
