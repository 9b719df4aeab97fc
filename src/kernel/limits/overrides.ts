import { collection } from '../store/collection.ts';
import type { Store, Tx } from '../store/types.ts';
import { pagesOf, readAll } from '../store/walk.ts';
import { limitErrors } from './errors.ts';
import type { Adjustment, Override } from './rules.ts';
import { Rules } from './rules.ts';
import { scopeKey, scopeValue } from './scope.ts';
import type { DeclaredLimit, Limit } from './table.ts';

/** By limit and scope. Cached, so that every node hears of a change. */
export const limitOverrides = collection<Override>('kernel.limits', { cached: true });

const MOST_OVERRIDES = 10_000;

/** A change to one override; `null` puts a field back to what it would be without. */
export interface LimitChange {
  readonly name: string;
  readonly scope?: Readonly<Record<string, string>> | null;
  readonly limit?: number | null;
  readonly size?: number | null;
  readonly refillPerSecond?: number | null;
  readonly windowMs?: number | null;
  readonly mode?: Adjustment['mode'] | null;
}

/** What differs from the tables, kept in the store and known to this node at every moment. */
export class Overrides {
  readonly #store: Store;
  readonly #table: ReadonlyMap<string, DeclaredLimit>;
  readonly #standingClock: boolean;
  readonly #stopListening: () => void;
  /** What the configuration of a service says in place of a row's number. */
  readonly #assumed = new Map<Limit, Adjustment>();
  /** Of the limits that were asked for since the overrides were read. */
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

  /** Changes whenever what is in force may have changed. */
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

  /** Puts other numbers into a row for as long as this process runs: what configuration says, below every override. */
  assume(limit: Limit, adjustment: Adjustment): void {
    this.#assumed.set(limit, adjustment);
    this.#replaceRules();
  }

  list(name: string): readonly Override[] {
    return this.#byName.get(name) ?? [];
  }

  /** Whether the store has just these of a limit, to a transaction that decides by them. */
  async areStored(tx: Tx, name: string, seen: readonly Override[]): Promise<boolean> {
    const stored: Override[] = [];
    // Other limits may begin with the same name.
    for await (const page of pagesOf(tx, limitOverrides, { prefix: name }))
      stored.push(...page.map(({ value }) => value).filter((each) => each.name === name));
    return JSON.stringify(stored) === JSON.stringify(seen);
  }

  /** All or none of them; in force on this node when it resolves, on others a moment later. */
  async apply(changes: readonly LimitChange[]): Promise<void> {
    await this.#store.transact((tx) => this.applyIn(tx, changes));
    await this.load();
  }

  /** In a transaction that has more to write. The changes are in force a moment after its commit, or as soon as `load` resolves. */
  async applyIn(tx: Tx, changes: readonly LimitChange[]): Promise<void> {
    const current = await tx.count(limitOverrides);
    // Later changes of a list see what earlier ones have made of the same override.
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
    // Who is at the end may still change and remove what there is.
    if (added > 0 && current + added > MOST_OVERRIDES)
      throw limitErrors.TooManyOverrides({ maximum: MOST_OVERRIDES, current });
    await tx.putAll(
      limitOverrides,
      [...changed].flatMap(([key, override]) => (override ? [[key, override] as const] : [])),
    );
    for (const [key, override] of changed) if (!override) await tx.delete(limitOverrides, key);
    for (const kind of wakes) await tx.wake({ kind, id: kind, dueAt: 0, payload: {} });
  }

  /** Reads them anew. Several calls at once share what is read, but never something that was read before they asked. */
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

/** Undefined where nothing differs from the table any more. */
function changedBy({ name, scope, ...before }: Override, change: LimitChange): Override | undefined {
  const after: Record<string, number | string> = { ...before };
  for (const field of ['limit', 'size', 'refillPerSecond', 'windowMs', 'mode'] as const) {
    const value = change[field];
    if (value === null) delete after[field];
    else if (value !== undefined) after[field] = value;
  }
  return Object.keys(after).length > 0 ? { name, ...(scope && { scope }), ...after } : undefined;
}

/** The parts in the limit's order, so that the same scope always has the same key. */
function normalScope(limit: Limit, scope: Readonly<Record<string, string>>): Record<string, string> | undefined {
  const given = limit.scope.filter((part) => Object.hasOwn(scope, part));
  if (given.length === 0) return undefined;
  return Object.fromEntries(given.map((part) => [part, scopeValue(scope[part] as string)]));
}

function keyOf(limit: Limit, scope: Readonly<Record<string, string>> | undefined): string {
  if (!scope) return limit.name;
  return `${limit.name}?${scopeKey(Object.entries(scope).flat()).toLowerCase()}`;
}
