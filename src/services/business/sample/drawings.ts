import type { Collection } from '../../../kernel/store/index.ts';
import type { KeptSeed } from './collections.ts';

export interface DrawnDocuments {
  readonly collection: Collection<unknown>;
  readonly documents: readonly (readonly [key: string, value: unknown])[];
}

/** A megabyte or two each. */
const MOST_KEPT = 2;

/**
 * The companies that were drawn up last. They follow from the tenant, the seed and the time of the seed alone, so a reset on a virtual
 * clock, as test suites do it again and again, finds them here. The state of the jar has no part in them: they outlive its replacement.
 */
export class Drawings {
  readonly #kept = new Map<string, readonly DrawnDocuments[]>();

  async of(
    tenantId: string,
    { section, at }: KeptSeed,
    drawUp: () => Promise<Iterable<DrawnDocuments>>,
  ): Promise<readonly DrawnDocuments[]> {
    const name = JSON.stringify([tenantId, at, section]);
    const documents = this.#kept.get(name) ?? [...(await drawUp())];
    // Set anew, so that the one that was used longest ago is the first.
    this.#kept.delete(name);
    this.#kept.set(name, documents);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(oldest as string);
    return documents;
  }
}
