import type { StatePart } from '../../store/types.ts';
import { nextTurn } from '../../time/timers.ts';
import { CLOCK } from '../collections.ts';
import { type Line, readLine } from '../content.ts';
import { snapshotErrors } from '../errors.ts';
import { type ChunkReader, type Content, contentOf } from '../restore.ts';
import { type Place, placeOf } from './order.ts';

export interface Entry extends Place {
  readonly line: Line;
}

export type Batches = AsyncIterable<readonly Entry[]>;

const entryOf = (line: Line): Entry => ({ ...placeOf(line), line });

/** Stored content, one chunk at a time. */
export async function* storedEntries(on: ChunkReader, snapshot: Content): AsyncGenerator<readonly Entry[]> {
  for await (const text of contentOf(on, snapshot)) {
    // Small chunks are unpacked synchronously.
    await new Promise<void>(nextTurn);
    const entries: Entry[] = [];
    for (const each of text.split('\n')) {
      if (each === '') continue;
      const line = readLine(each);
      if (!line) throw snapshotErrors.SnapshotDamaged({ name: snapshot.name, reason: 'a line cannot be read' });
      entries.push(entryOf(line));
    }
    yield entries;
  }
}

/** The same, with the documents in another order of collections: reads the content once for each collection, so it is slow. */
export async function* reordered(
  open: () => Batches,
  collections: readonly string[],
): AsyncGenerator<readonly Entry[]> {
  const only = async function* (isWanted: (entry: Entry) => boolean): AsyncGenerator<readonly Entry[]> {
    for await (const batch of open()) yield batch.filter(isWanted);
  };
  for (const name of collections) yield* only(({ line }) => line.of === 'document' && line.collection === name);
  yield* only(({ line }) => line.of !== 'document');
}

/** The present state, as `store.capture` reads it. */
export async function* capturedEntries(parts: AsyncIterable<StatePart>): AsyncGenerator<readonly Entry[]> {
  for await (const part of parts) {
    if (part.of === 'documents') {
      const { collection } = part;
      // A snapshot stores its time separately.
      if (collection === CLOCK.name) continue;
      yield part.rows.map(([key, etag, body]) => entryOf({ of: 'document', collection, key, etag, body }));
    } else if (part.of === 'rows') yield part.rows.map((row) => entryOf({ of: 'row', table: part.table, row }));
    else if (part.of === 'work') yield part.rows.map((row) => entryOf({ of: 'work', row }));
    else yield part.rows.map((row) => entryOf({ of: 'change', row }));
  }
}

/** Reads entries one by one, and waits only for the next batch. Throws if `signal` was aborted before that batch. */
export class Cursor {
  readonly #batches: AsyncIterator<readonly Entry[]>;
  readonly #signal: AbortSignal | undefined;
  #batch: readonly Entry[] = [];
  #at = 0;

  constructor(batches: Batches, signal: AbortSignal | undefined) {
    this.#batches = batches[Symbol.asyncIterator]();
    this.#signal = signal;
  }

  /** Undefined before the first `step`, and at the end. */
  get current(): Entry | undefined {
    return this.#batch[this.#at];
  }

  /** Moves to the next entry. Await the result if there is one. */
  step(): Promise<void> | undefined {
    this.#at += 1;
    return this.#at < this.#batch.length ? undefined : this.#fill();
  }

  /** Closes the source, which may be in the middle. */
  async close(): Promise<void> {
    await this.#batches.return?.();
  }

  async #fill(): Promise<void> {
    do {
      this.#signal?.throwIfAborted();
      const { done, value } = await this.#batches.next();
      this.#at = 0;
      this.#batch = done ? [] : value;
      if (done) return;
    } while (this.#batch.length === 0);
  }
}
