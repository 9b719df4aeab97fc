import type { StatePart } from '../store/types.ts';
import type { Counts } from './collections.ts';

/** Counts what goes into a snapshot, or comes out of one. */
export class Tally {
  #work = 0;
  #changes = 0;
  readonly #collections = new Map<string, number>();

  add(part: StatePart): void {
    if (part.of === 'documents') this.document(part.collection, part.rows.length);
    else if (part.of === 'work') this.work(part.rows.length);
    else this.change(part.rows.length);
  }

  document(collection: string, count = 1): void {
    this.#collections.set(collection, (this.#collections.get(collection) ?? 0) + count);
  }

  work(count = 1): void {
    this.#work += count;
  }

  change(count = 1): void {
    this.#changes += count;
  }

  counts(): Counts {
    const collections: Record<string, number> = {};
    let documents = 0;
    for (const [name, count] of this.#collections) {
      collections[name] = count;
      documents += count;
    }
    return { documents, work: this.#work, changes: this.#changes, collections };
  }
}
