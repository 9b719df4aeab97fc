import type { Collection } from '../../../kernel/store/index.ts';
import type { KeptSeed } from './collections.ts';

export interface GeneratedDocuments {
  readonly collection: Collection<unknown>;
  readonly documents: readonly (readonly [key: string, value: unknown])[];
}

/** One to two megabytes each. */
const MOST_KEPT = 2;

/**
 * Cache of generated companies. They depend only on the tenant, the seed and the time of the seed, so the repeated resets of test suites
 * with a virtual clock find them here. The state of the jar has no influence on them: the cache survives a reset.
 */
export class CompanyCache {
  readonly #kept = new Map<string, readonly GeneratedDocuments[]>();

  async of(
    tenantId: string,
    { section, at }: KeptSeed,
    generateCompanies: () => Promise<Iterable<GeneratedDocuments>>,
  ): Promise<readonly GeneratedDocuments[]> {
    const name = JSON.stringify([tenantId, at, section]);
    const documents = this.#kept.get(name) ?? [...(await generateCompanies())];
    // Reinserted, so that the least recently used entry is the first.
    this.#kept.delete(name);
    this.#kept.set(name, documents);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(oldest as string);
    return documents;
  }
}
