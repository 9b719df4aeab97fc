import type { Position } from '../clock/position.ts';
import type { JarClock } from '../clock/types.ts';
import { readDocument } from '../store/document.ts';
import type { CaptureBody, Collection, StatePart, Store } from '../store/types.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { CLOCK, type Snapshot } from './collections.ts';
import { linesOf } from './content.ts';
import { Tally } from './tally.ts';

export type Taken = Pick<Snapshot, 'takenAt' | 'counts' | 'chunks' | 'bytes' | 'storedBytes' | 'sha256'>;

interface TakeOptions {
  readonly store: Store;
  readonly clock: JarClock;
  /** Collections whose documents come first, in this order. */
  readonly first?: readonly Collection<never>[];
  readonly signal?: AbortSignal | undefined;
}

/** Writes the present state to the chunks of `id`, which must be a draft. */
export async function takeState(id: string, { store, clock, first = [], signal }: TakeOptions): Promise<Taken> {
  const takeAll: CaptureBody<Taken> = async (parts, write) => {
    const writer = new ChunkWriter(id);
    const tally = new Tally();
    const positions = new Map<string, Position>();
    let takenAt: number | undefined;
    try {
      for await (const part of parts) {
        signal?.throwIfAborted();
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
  return store.capture([CLOCK, ...first], takeAll);
}

function isPositions(part: StatePart): part is Extract<StatePart, { of: 'documents' }> {
  return part.of === 'documents' && part.collection === CLOCK.name;
}
