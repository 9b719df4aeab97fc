import type { Stored } from './types.ts';

type Entry = Stored<unknown> | undefined;

/** Documents kept per generation; up to twice as many of a collection are in memory. */
const GENERATION_SIZE = 5000;

/**
 * Caches documents of one collection, including the fact that a key has no document. Two generations approximate LRU: entries used since
 * the last turnover are kept, the others are evicted, and a hit costs one lookup.
 */
export class DocumentCache {
  #young = new Map<string, Entry>();
  #old = new Map<string, Entry>();
  #version = 0;

  /** Changes with every invalidation: a document that was read at an older version must not be cached. */
  get version(): number {
    return this.#version;
  }

  has(key: string): boolean {
    if (this.#young.has(key)) return true;
    if (!this.#old.has(key)) return false;
    this.#remember(key, this.#old.get(key));
    return true;
  }

  /** Call `has` first: it moves the entry to the young generation. */
  get(key: string): Entry {
    return this.#young.get(key);
  }

  /** Freezes the entry, because all readers share the same object. */
  keep(key: string, entry: Entry, version: number): void {
    if (version !== this.#version) return;
    if (entry) deepFreeze(entry);
    this.#remember(key, entry);
  }

  drop(key: string): void {
    this.#version++;
    this.#young.delete(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#version++;
    this.#young.clear();
    this.#old.clear();
  }

  #remember(key: string, entry: Entry): void {
    if (this.#young.size >= GENERATION_SIZE) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, entry);
  }
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const each of Object.values(value)) deepFreeze(each);
}
