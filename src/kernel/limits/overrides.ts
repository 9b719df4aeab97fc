import { collection } from '../store/collection.ts';
import type { Store, Tx } from '../store/types.ts';
import { pagesOf, readAll } from '../store/walk.ts';
import { limitErrors } from './errors.ts';
import type { Adjustment, Override } from './rules.ts';
import { Rules } from './rules.ts';
import { scopeKey, scopeValue } from './scope.ts';
import type { DeclaredLimit, Limit } from './table.ts';

/** Overrides by limit and scope. Cached, so that every node is notified of changes. */
export const limitOverrides = collection<Override>('kernel.limits', { cached: true });

const MOST_OVERRIDES = 10_000;

/** A change to one override; `null` removes the override of a field. */
export interface LimitChange {
  readonly name: string;
  readonly scope?: Readonly<Record<string, string>> | null;
  readonly limit?: number | null;
  readonly size?: number | null;
  readonly refillPerSecond?: number | null;
  readonly windowMs?: number | null;
  readonly mode?: Adjustment['mode'] | null;
}

/** The overrides of the limit tables. They are stored in the store, and this node always has them in memory. */
export class Overrides {
  readonly #store: Store;
  readonly #table: ReadonlyMap<string, DeclaredLimit>;
  readonly #standingClock: boolean;
  readonly #stopListening: () => void;
  /** Numbers from the configuration of services, in place of a row's numbers. */
  readonly #assumed = new Map<Limit, Adjustment>();
  /** Rules of the limits that were used since the overrides were read. */
  readonly #rules = new Map<Limit, Rules>();
  #byName: ReadonlyMap<string, readonly Override[]> = new Map();
  #loading: Promise<void> | undefined;
  #stale = false;
  #version = 0;
  #closed = false;

  constructor(
    store: Store,
    table: ReadonlyMap<string, DeclaredLimit>,
    standingClock: boolean,
    onError: (error: unknown) => void,
  ) {
    this.#store = store;
    this.#table = table;
    this.#standingClock = standingClock;
    this.#stopListening = store.onCommit(({ collections }) => {
      if (!collections.includes(limitOverrides.name)) return;
      this.load().catch((error) => this.#closed || onError(error));
    });
  }

  /** Changes whenever the rules in force may have changed. */
  get version(): number {
    return this.#version;
  }

  of(limit: Limit, scope: readonly string[]): ReturnType<Rules['of']> {
    return this.rulesOf(limit).of(scope);
  }

  rulesOf(limit: Limit): Rules {
    const known = this.#rules.get(limit);
    if (known) return known;
    if (this.#table.get(limit.name)?.limit !== limit)
      throw new Error(`the limit '${limit.name}' is in no service's table`);
    const row: Limit = { ...limit, ...this.#assumed.get(limit) };
    const rules = new Rules(row, this.#standingClock, this.list(limit.name));
    this.#rules.set(limit, rules);
    return rules;
  }

  /** Replaces numbers of a row for the lifetime of the process: values from configuration, which overrides take precedence over. */
  assume(limit: Limit, adjustment: Adjustment): void {
    this.#assumed.set(limit, adjustment);
    this.#replaceRules();
  }

  list(name: string): readonly Override[] {
    return this.#byName.get(name) ?? [];
  }

  /** Returns true if a transaction sees the same overrides of a limit as `seen`; for decisions based on them. */
  async areStored(tx: Tx, name: string, seen: readonly Override[]): Promise<boolean> {
    const stored: Override[] = [];
    // The prefix also matches limits with longer names.
    for await (const page of pagesOf(tx, limitOverrides, { prefix: name }))
      stored.push(...page.map(({ value }) => value).filter((each) => each.name === name));
    return JSON.stringify(stored) === JSON.stringify(seen);
  }

  /** Applies all changes or none. They are in force on this node when the promise resolves, on other nodes a moment later. */
  async apply(changes: readonly LimitChange[]): Promise<void> {
    await this.#store.transact((tx) => this.applyIn(tx, changes));
    await this.load();
  }

  /** Applies changes within a larger transaction. They are in force a moment after its commit, or as soon as `load` resolves. */
  async applyIn(tx: Tx, changes: readonly LimitChange[]): Promise<void> {
    const current = await tx.count(limitOverrides);
    // A list may change the same override several times; later changes see the result of earlier ones.
    const changed = new Map<string, Override | undefined>();
    const wakes = new Set<string>();
    let added = 0;
    for (const change of changes) {
      const limit = this.#table.get(change.name)?.limit as Limit;
      const scope = change.scope ? normalScope(limit, change.scope) : undefined;
      const key = keyOf(limit, scope);
      const isStored = !changed.has(key) && current > 0;
      const before = isStored ? (await tx.get(limitOverrides, key))?.value : changed.get(key);
      const after = changedBy({ ...before, name: limit.name, ...(scope && { scope }) }, change);
      changed.set(key, after);
      added += Number(after !== undefined) - Number(before !== undefined);
      if (limit.kind === 'quota' && limit.wakes !== undefined) wakes.add(limit.wakes);
    }
    // At the maximum, existing overrides can still be changed and removed.
    if (added > 0 && current + added > MOST_OVERRIDES)
      throw limitErrors.TooManyOverrides({ maximum: MOST_OVERRIDES, current });
    await tx.putAll(
      limitOverrides,
      [...changed].flatMap(([key, override]) => (override ? [[key, override] as const] : [])),
    );
    for (const [key, override] of changed) if (!override) await tx.delete(limitOverrides, key);
    for (const kind of wakes) await tx.wake({ kind, id: kind, dueAt: 0, payload: {} });
  }

  /** Reloads the overrides. Concurrent calls are coalesced, but every caller gets data that was read after its call. */
  load(): Promise<void> {
    if (this.#loading) {
      this.#stale = true;
      return this.#loading;
    }
    this.#loading = this.#loadUntilFresh().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #loadUntilFresh(): Promise<void> {
    do {
      this.#stale = false;
      const all = (await readAll(this.#store, limitOverrides)).map(({ value }) => value);
      this.#byName = Map.groupBy(all, ({ name }) => name);
      this.#replaceRules();
    } while (this.#stale);
  }

  close(): void {
    this.#closed = true;
    this.#stopListening();
  }

  #replaceRules(): void {
    this.#rules.clear();
    this.#version++;
  }
}

/** Returns undefined if nothing differs from the table. */
function changedBy({ name, scope, ...before }: Override, change: LimitChange): Override | undefined {
  const after: Record<string, number | string> = { ...before };
  for (const field of ['limit', 'size', 'refillPerSecond', 'windowMs', 'mode'] as const) {
    const value = change[field];
    if (value === null) delete after[field];
    else if (value !== undefined) after[field] = value;
  }
  return Object.keys(after).length > 0 ? { name, ...(scope && { scope }), ...after } : undefined;
}

/** Orders the parts as in the limit, so that the same scope always has the same key. */
function normalScope(limit: Limit, scope: Readonly<Record<string, string>>): Record<string, string> | undefined {
  const given = limit.scope.filter((part) => Object.hasOwn(scope, part));
  if (given.length === 0) return undefined;
  return Object.fromEntries(given.map((part) => [part, scopeValue(scope[part] as string)]));
}

function keyOf(limit: Limit, scope: Readonly<Record<string, string>> | undefined): string {
  if (!scope) return limit.name;
  return `${limit.name}?${scopeKey(Object.entries(scope).flat()).toLowerCase()}`;
}
