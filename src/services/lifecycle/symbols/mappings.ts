import type { Store } from '../../../kernel/store/index.ts';
import type { SymbolUpload } from './collections.ts';
import { Mapping } from './mapping.ts';
import { readUpload, uploadKey } from './store.ts';

interface Known {
  readonly bytes: number;
  readonly mapping: Promise<Mapping | undefined>;
}

/** Cache limit; the newest mapping is kept whatever its size. */
const MOST_KNOWN_BYTES = 64 * 1024 * 1024;

/** A cache of recently used mappings. Each is read once, because a completed upload does not change. */
export class Mappings {
  readonly #store: Store;
  readonly #known = new Map<string, Known>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** The mapping in an upload; resolves to undefined if the file is not a mapping. */
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

  /** All state was replaced: the same upload key may now have other content. */
  forget(): void {
    this.#known.clear();
  }

  /** Evicts the oldest entries. */
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
