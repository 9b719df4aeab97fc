import { DocumentCache } from './cache.ts';
import type { ChangeHook, Collection, CommitNotice, NewChange, Tx } from './types.ts';

/** The effects of one transaction that caches, listeners and other nodes must be notified of; collected while it runs. */
export class TransactionEffects {
  changes = false;
  work = false;
  wiped = false;
  /** Keys written, per `cached` collection. */
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

/** Hooks that are called with change records before the commit. */
export class ChangeHooks {
  readonly #hooks: ChangeHook[] = [];

  add(hook: ChangeHook): void {
    this.#hooks.push(hook);
  }

  /** Returns undefined if no hook is asynchronous, as is usual. */
  run(tx: Tx, change: NewChange): Promise<void> | undefined {
    const pending = this.#hooks.map((hook) => hook(tx, change)).filter((each) => each !== undefined);
    return pending.length === 0 ? undefined : Promise.all(pending).then(() => undefined);
  }
}

/** Notifies the caches and the listeners of this node of commits. */
export class CommitNotifier {
  readonly changeHooks = new ChangeHooks();
  readonly #caches = new Map<string, DocumentCache>();
  readonly #listeners = new Set<(news: CommitNotice) => void>();
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

  /** Call after the commit and before the caller gets its answer, so that the caller's next read sees its own write. */
  invalidate(effects: TransactionEffects): void {
    if (effects.wiped) this.clearCaches();
    for (const [name, keys] of effects.cached) {
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

  /** Coalesces several commits into one notification. */
  announce(effectsList: readonly TransactionEffects[]): void {
    let changes = false;
    let work = false;
    const names = new Set<string>();
    for (const effects of effectsList) {
      changes ||= effects.changes || effects.wiped;
      work ||= effects.work || effects.wiped;
      for (const name of effects.wiped ? this.#caches.keys() : effects.cached.keys()) names.add(name);
      for (const callback of effects.callbacks) this.#guarded(callback);
    }
    if (changes || work || names.size > 0) this.notify({ changes, work, collections: [...names] });
  }

  notify(news: CommitNotice): void {
    for (const listener of this.#listeners) this.#guarded(() => listener(news));
  }

  listen(listener: (news: CommitNotice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The commit has happened: an exception in a callback must not look like a failed commit. */
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
