import type { Store } from '../../../kernel/store/index.ts';
import type { SymbolUpload } from './collections.ts';
import { Mapping } from './mapping.ts';
import { readUpload, uploadKey } from './store.ts';

interface Known {
  readonly bytes: number;
  readonly mapping: Promise<Mapping | undefined>;
}

/** The newest of them stays, however large. */
const MOST_KNOWN_BYTES = 64 * 1024 * 1024;

/** The mappings that were used lately. Each is read once: an upload that is there to be used does not change. */
export class Mappings {
  readonly #store: Store;
  readonly #known = new Map<string, Known>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** What is in an upload; undefined where that is no mapping. */
  of(upload: SymbolUpload): Promise<Mapping | undefined> {
    const key = uploadKey(upload);
    const found = this.#known.get(key);
    if (found) return found.mapping;
    this.#makeRoom(upload.bytes);
    const mapping = readUpload({ store: this.#store }, upload).then((file) => Mapping.read(file));
    const known = { bytes: upload.bytes, mapping };
    this.#known.set(key, known);
    mapping.catch(() => {
      if (this.#known.get(key) === known) this.#known.delete(key);
    });
    return mapping;
  }

  /** All state was replaced: an upload of before may have another content when it is used again. */
  forget(): void {
    this.#known.clear();
  }

  /** Forgets the oldest. */
  #makeRoom(bytes: number): void {
    let inAll = bytes;
    for (const each of this.#known.values()) inAll += each.bytes;
    for (const [key, each] of this.#known) {
      if (inAll <= MOST_KNOWN_BYTES) return;
      this.#known.delete(key);
      inAll -= each.bytes;
    }
  }
}
