import { DocumentCache } from './cache.ts';
import type { ChangeHook, Collection, CommitNews, NewChange, Tx } from './types.ts';

/** What one transaction did that others want to know of, collected while it runs. */
export class Footprint {
  changes = false;
  work = false;
  wiped = false;
  /** Keys written, by `cached` collection. */
  readonly cached = new Map<string, Set<string>>();
  readonly callbacks: (() => void)[] = [];

  wrote(collection: Collection<never>, key: string): void {
    if (!collection.cached) return;
    const keys = this.cached.get(collection.name);
    if (keys) keys.add(key);
    else this.cached.set(collection.name, new Set([key]));
  }

  get isEmpty(): boolean {
    return !this.changes && !this.work && !this.wiped && this.cached.size === 0;
  }
}

/** Those who want to hear of change records before they are committed. */
export class ChangeHooks {
  readonly #hooks: ChangeHook[] = [];

  add(hook: ChangeHook): void {
    this.#hooks.push(hook);
  }

  /** Gives nothing to wait for where none of them has anything to do, as is the rule. */
  tell(tx: Tx, change: NewChange): Promise<void> | undefined {
    const pending = this.#hooks.map((hook) => hook(tx, change)).filter((each) => each !== undefined);
    return pending.length === 0 ? undefined : Promise.all(pending).then(() => undefined);
  }
}

/** Brings commits to the caches and the listeners of this node. */
export class Announcer {
  readonly changeHooks = new ChangeHooks();
  readonly #caches = new Map<string, DocumentCache>();
  readonly #listeners = new Set<(news: CommitNews) => void>();
  readonly #report: (error: unknown) => void;

  constructor(collections: readonly Collection<never>[], report: (error: unknown) => void) {
    this.#report = report;
    for (const each of collections) if (each.cached) this.#caches.set(each.name, new DocumentCache());
  }

  cacheOf(collection: Collection<never>): DocumentCache {
    const cache = this.#caches.get(collection.name);
    if (!cache) throw new Error(`collection '${collection.name}' is not declared as cached`);
    return cache;
  }

  /** To be called after the commit and before its caller is answered, so that a caller's next read sees what it wrote. */
  invalidate(footprint: Footprint): void {
    if (footprint.wiped) this.clearCaches();
    for (const [name, keys] of footprint.cached) {
      const cache = this.#caches.get(name);
      if (cache) for (const key of keys) cache.drop(key);
    }
  }

  clearCaches(): void {
    for (const cache of this.#caches.values()) cache.clear();
  }

  get cachedCollections(): string[] {
    return [...this.#caches.keys()];
  }

  /** Several commits make one piece of news. */
  announce(footprints: readonly Footprint[]): void {
    let changes = false;
    let work = false;
    const names = new Set<string>();
    for (const footprint of footprints) {
      changes ||= footprint.changes || footprint.wiped;
      work ||= footprint.work || footprint.wiped;
      for (const name of footprint.wiped ? this.#caches.keys() : footprint.cached.keys()) names.add(name);
      for (const callback of footprint.callbacks) this.#guarded(callback);
    }
    if (changes || work || names.size > 0) this.tell({ changes, work, collections: [...names] });
  }

  tell(news: CommitNews): void {
    for (const listener of this.#listeners) this.#guarded(() => listener(news));
  }

  listen(listener: (news: CommitNews) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The commit has happened: whatever a callback throws must not look like its failure. */
  #guarded(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#report(error);
    }
  }
}

export function reportAsWarning(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}
