import type { StatePart } from '../store/types.ts';
import type { Counts } from './collections.ts';

/** Counts the items of a snapshot while it is written or read. */
export class Tally {
  #rows = 0;
  #work = 0;
  #changes = 0;
  readonly #collections = new Map<string, number>();

  add(part: StatePart): void {
    if (part.of === 'documents') this.document(part.collection, part.rows.length);
    else if (part.of === 'rows') this.row(part.rows.length);
    else if (part.of === 'work') this.work(part.rows.length);
    else this.change(part.rows.length);
  }

  document(collection: string, count = 1): void {
    this.#collections.set(collection, (this.#collections.get(collection) ?? 0) + count);
  }

  /** Counts rows of typed tables. */
  row(count = 1): void {
    this.#rows += count;
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
    const rows = this.#rows > 0 && { rows: this.#rows };
    return { documents, ...rows, work: this.#work, changes: this.#changes, collections };
  }
}

/** Whether the totals are equal; the collections are not compared. */
export function sameCounts(one: Omit<Counts, 'collections'>, other: Omit<Counts, 'collections'>): boolean {
  const { documents, rows = 0, work, changes } = one;
  const isSame = documents === other.documents && rows === (other.rows ?? 0);
  return isSame && work === other.work && changes === other.changes;
}
