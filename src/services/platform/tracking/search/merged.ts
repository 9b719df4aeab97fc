import type { ComparePlaces, Place } from './sort.ts';

/** Merges several ordered streams into one, in slices of about `size`. */
export async function* merged<P extends Place>(
  streams: readonly AsyncGenerator<readonly P[]>[],
  compare: ComparePlaces,
  size: number,
): AsyncGenerator<readonly P[], undefined, undefined> {
  if (streams.length === 1) {
    yield* streams[0]!;
    return undefined;
  }
  const heads: Head<P>[] = [];
  for (const stream of streams) {
    const head = new Head(stream);
    if (await head.fill()) heads.push(head);
  }
  let slice: P[] = [];
  while (heads.length > 0) {
    let first = heads[0]!;
    for (const head of heads) if (compare(head.place, first.place) < 0) first = head;
    slice.push(first.place);
    if (!first.advance() && !(await first.fill())) heads.splice(heads.indexOf(first), 1);
    if (slice.length < size) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
  return undefined;
}

class Head<P> {
  readonly #stream: AsyncGenerator<readonly P[]>;
  #slice: readonly P[] = [];
  #at = 0;

  constructor(stream: AsyncGenerator<readonly P[]>) {
    this.#stream = stream;
  }

  get place(): P {
    return this.#slice[this.#at]!;
  }

  /** Returns false at the end of the slice. */
  advance(): boolean {
    return ++this.#at < this.#slice.length;
  }

  /** Reads the next non-empty slice; returns false at the end of the stream. */
  async fill(): Promise<boolean> {
    for (;;) {
      const { value, done } = await this.#stream.next();
      if (done) return false;
      if (value.length === 0) continue;
      this.#slice = value;
      this.#at = 0;
      return true;
    }
  }
}
