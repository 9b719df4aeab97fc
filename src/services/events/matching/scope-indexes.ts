import { allOf, eq, type Filter, pagesOf, type Reader, type Stored, type Tx } from '../../../kernel/store/index.ts';
import { type EventSubscription, eventSubscriptions, scopes } from '../collections.ts';
import type { GridEvent } from '../event.ts';
import { type CompiledFilter, compileFilter } from './compile.ts';
import { FilterIndex } from './scope-index.ts';
import { type Spelling, spellingOf } from './spelling.ts';

/** The live subscriptions of one scope, indexed by their filters. */
export interface ScopeSubscriptions {
  readonly size: number;
  /** Subscriptions whose filters match the event, with their keys. */
  matching(event: GridEvent): readonly Match[];
}

interface Match {
  readonly key: string;
  readonly subscription: EventSubscription;
}

interface Entry {
  readonly etag: string;
  readonly compiled: CompiledFilter;
  readonly item: Match;
}

interface KnownScope extends ScopeSubscriptions {
  /** Etag of the scope's document: unchanged as long as its subscriptions are. */
  readonly etag: string;
  readonly entries: ReadonlyMap<string, Entry>;
}

/** Cache limits; beyond them the least recently used scopes are evicted. */
const MOST_SCOPES = 1000;
const MOST_SUBSCRIPTIONS = 100_000;

/** Holder of the indexes: the jar of the service; tests need only this part. */
export interface Indexed {
  readonly scopeIndexes: ScopeIndexes;
}

/** The subscriptions of a scope, unchanged until the transaction ends. Returns undefined if there are none. */
export async function subscriptionsOf(
  { scopeIndexes: memory }: Indexed,
  tx: Tx,
  scope: string,
): Promise<ScopeSubscriptions | undefined> {
  // A write to a subscription also writes this document, and therefore waits for this shared lock.
  const stored = await tx.get(scopes, scope, 'share');
  const remembered = memory.get(scope);
  if (!stored) {
    memory.forget(scope);
    return undefined;
  }
  if (remembered?.etag === stored.etag) return remembered;
  const fresh = await readScope(tx, scope, stored.etag, memory.spelling, remembered);
  memory.keep(scope, fresh);
  return fresh;
}

const withinScope = (scope: string): Filter => eq('scope', scope);

/** Compiles only the subscriptions that have changed since `before`. */
async function readScope(
  tx: Tx,
  scope: string,
  etag: string,
  spelling: Spelling,
  before: KnownScope | undefined,
): Promise<KnownScope> {
  const filter = allOf(withinScope(scope), eq('isLive', true));
  const entries = new Map<string, Entry>();
  let size = 0;
  for await (const page of pagesOf(tx, eventSubscriptions, { filter })) {
    size += page.length;
    for (const each of page) {
      const remembered = before?.entries.get(each.key);
      const entry = remembered?.etag === each.etag ? remembered : entryOf(each, spelling);
      if (entry) entries.set(each.key, entry);
    }
  }
  const index = new FilterIndex([...entries.values()], spelling);
  return { etag, entries, size, matching: (event) => index.matching(event) };
}

/** Returns undefined for a subscription without a destination, which delivers nothing. */
function entryOf({ key, etag, value }: Stored<EventSubscription>, spelling: Spelling): Entry | undefined {
  if (!value.live?.destination) return undefined;
  return { etag, compiled: compileFilter(value.live.filter, spelling), item: { key, subscription: value } };
}

/** Must be called with every write to a subscription of the scope, in the same transaction; `by` changes their number. */
export async function touchScope(tx: Tx, scope: string, by: -1 | 0 | 1): Promise<void> {
  const stored = await tx.get(scopes, scope);
  const subscriptions = Math.max((stored?.value.subscriptions ?? 0) + by, by < 0 ? 0 : 1);
  // Etags are never reused, so a recreated document is not mistaken for this one.
  if (subscriptions === 0) await tx.delete(scopes, scope);
  else await tx.put(scopes, scope, { subscriptions });
}

export interface Verdict {
  /** Id of the subscription. */
  readonly subscription: string;
  readonly matches: boolean;
  /** Why the event does not match. */
  readonly reason?: string;
}

/** Verdicts of up to `limit` subscriptions of a scope on an event, each with the first condition that the event does not meet. */
export async function explain(
  { scopeIndexes: { spelling } }: Indexed,
  reader: Reader,
  scope: string,
  event: GridEvent,
  limit: number,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for await (const page of pagesOf(reader, eventSubscriptions, { filter: withinScope(scope) })) {
    const wanted = page.slice(0, limit - verdicts.length);
    for (const { value } of wanted) verdicts.push(verdictOf(value, event, spelling));
    if (verdicts.length >= limit) break;
  }
  return verdicts;
}

function verdictOf({ id, live, provisioningState }: EventSubscription, event: GridEvent, spelling: Spelling): Verdict {
  const refused = (reason: string): Verdict => ({ subscription: id, matches: false, reason });
  if (!live) return refused(`the subscription is not in force: it is ${provisioningState}`);
  if (!live.destination) return refused('the subscription has no destination');
  const reason = compileFilter(live.filter, spelling).refusal(event);
  return reason === undefined ? { subscription: id, matches: true } : refused(reason);
}

/** Cache of scope indexes, least recently used first. */
export class ScopeIndexes {
  readonly spelling: Spelling;
  readonly #scopes = new Map<string, KnownScope>();
  #subscriptions = 0;

  /** `namespaces` are the aliases of the provider prefix `Vendor`. */
  constructor(namespaces: readonly string[]) {
    this.spelling = spellingOf(namespaces);
  }

  clear(): void {
    this.#scopes.clear();
    this.#subscriptions = 0;
  }

  get(scope: string): KnownScope | undefined {
    const found = this.#scopes.get(scope);
    if (found) {
      this.#scopes.delete(scope);
      this.#scopes.set(scope, found);
    }
    return found;
  }

  keep(scope: string, fresh: KnownScope): void {
    this.forget(scope);
    this.#scopes.set(scope, fresh);
    this.#subscriptions += fresh.size;
    for (const oldest of this.#scopes.keys()) {
      if (this.#scopes.size <= MOST_SCOPES && this.#subscriptions <= MOST_SUBSCRIPTIONS) return;
      if (oldest !== scope) this.forget(oldest);
    }
  }

  forget(scope: string): void {
    this.#subscriptions -= this.#scopes.get(scope)?.size ?? 0;
    this.#scopes.delete(scope);
  }
}
