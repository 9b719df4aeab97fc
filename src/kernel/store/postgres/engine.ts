import { shortId } from '../../ids/index.ts';
import { atMost, every, later, nextTurn } from '../../time/timers.ts';
import { type CommitNotifier, TransactionEffects } from '../commit-notifier.ts';
import { StoreError } from '../errors.ts';
import { loadable } from '../loadable.ts';
import type { RequestOwner, RequestOwners } from '../request-owners.ts';
import { checkTableName, tableDefinitions } from '../typed/definitions.ts';
import { TYPED_POSTGRES } from '../typed/dialect.ts';
import { countRows, readNewestRows, readRows } from '../typed/reads.ts';
import { clearAfterWipes, SpellingCache } from '../typed/spelling-cache.ts';
import type { FunctionLibrary, TableReads } from '../typed/types.ts';
import type {
  CaptureBody,
  Change,
  ChangeHook,
  Collection,
  CommitNotice,
  Page,
  Query,
  StatePart,
  Store,
  Stored,
  StoreHealth,
  Tx,
  WorkQueue,
} from '../types.ts';
import { captureState } from './capture.ts';
import * as feed from './changes.ts';
import { Claims } from './claims.ts';
import { asStoreError, type Connection } from './connection.ts';
import type { Connections } from './connections.ts';
import { Listener } from './listener.ts';
import { Loader } from './load.ts';
import { freeNodeLeases } from './nodes.ts';
import { CHANNEL, hintNotice, type Notice } from './notices.ts';
import { runSteps } from './run-steps.ts';
import { Slots } from './slots.ts';
import { refresh, staleDocuments, versionedCollections } from './stale.ts';
import { Tables } from './table.ts';
import { Transactions } from './transactions.ts';
import { byDefinition, createLibrary, dropTypedTables, select } from './typed-reads.ts';
import * as work from './work.ts';

export interface PostgresStoreSettings {
  readonly node: string;
  readonly connections: Connections;
  readonly askers: RequestOwners;
  readonly limits: DatabaseLimits;
  readonly collections: readonly Collection<never>[];
  readonly notifier: CommitNotifier;
  readonly report: (error: unknown) => void;
}

/** Limits for the load on the database and for waiting times. */
export interface DatabaseLimits {
  readonly poolSize: number;
  /** A database that answers nothing for this long is considered unreachable. */
  readonly silenceMs: number;
  /** The maximum number of calls that wait for a connection. */
  readonly queue: number;
}

/** The share of the connections that transactions may use: reads must get through while transactions wait for one another. */
const SHARE_OF_TRANSACTIONS = 0.75;
/** Statements over typed tables may take long. They use separate connections, so that short reads do not wait for them. */
export const SELECT_CONNECTIONS = 2;
/** The longest wait for a connection, as a multiple of the silence after which the database is considered unreachable. */
const WAIT_FACTOR = 2;
/** How long closing waits for running calls. */
const CLOSE_MS = 2000;
/** The delay before the feed is read again if it has records that must not be returned yet. */
const HIDDEN_CHANGES_MS = 20;
/** How long queries may miss a document of an earlier release by a field that this release has changed. */
const EARLIER_WRITERS_MS = 2000;

const WITHOUT_LIMITS = { patient: true };

export class PostgresStore implements Store {
  readonly engine = 'postgres';
  readonly hasOtherWriters = true;
  readonly isInMemory = false;
  readonly work: WorkQueue;
  readonly tables: TableReads;
  readonly #settings: PostgresStoreSettings;
  readonly #tables: Tables;
  readonly #transactions: Transactions;
  readonly #reads: Slots;
  readonly #listener: Listener;
  readonly #running = new Set<Promise<unknown>>();
  /** The sender name in this node's notices; the node ignores notices under its own name. */
  #sender: string;
  #hint: { changes: boolean; work: boolean } | undefined;
  #cancelSecondLook: (() => void) | undefined;
  #stopFollowing = (): void => {};
  #closing: Promise<void> | undefined;

  constructor(settings: PostgresStoreSettings) {
    const { node, connections, askers, limits, collections, notifier, report } = settings;
    const { poolSize, queue, silenceMs } = limits;
    const size = Math.min(Math.ceil(poolSize * SHARE_OF_TRANSACTIONS), poolSize - 1);
    this.#settings = settings;
    this.#tables = new Tables(collections);
    const longestWaitMs = silenceMs * WAIT_FACTOR;
    this.#reads = new Slots({ size: poolSize - size, queue, longestWaitMs, askers });
    const slots = new Slots({ size, queue, longestWaitMs, askers });
    const committed = (effects: TransactionEffects) => askers.run(undefined, () => this.#committed(effects));
    const uncertain = (effects: TransactionEffects) => askers.run(undefined, () => this.#uncertain(effects));
    this.#sender = node;
    const { changeHooks } = notifier;
    const spellings = new SpellingCache();
    clearAfterWipes(spellings, notifier);
    this.#transactions = new Transactions({
      connections,
      slots,
      askers,
      sender: () => this.#sender,
      tables: this.#tables,
      spellings,
      changeHooks,
      committed,
      uncertain,
    });
    this.#listener = new Listener(connections, node, {
      notice: (notice) => this.#heard(notice),
      nodeDied: (dead) => this.#takeOver(dead),
      resumed: () => {
        notifier.clearCaches();
        notifier.notify({ changes: true, work: true, collections: notifier.cachedCollections });
      },
      failed: report,
    });
    this.work = this.#workQueue();
    this.tables = this.#tableReads(new Slots({ size: SELECT_CONNECTIONS, queue, longestWaitMs, askers }));
  }

  listen(): Promise<void> {
    return this.#listener.connect();
  }

  /** Recomputes the columns of documents that nodes of an earlier release have written, now and periodically. */
  async followEarlierWriters(): Promise<void> {
    const collections = new Map(versionedCollections(this.#settings.collections).map((each) => [each.name, each]));
    if (collections.size === 0) return;
    const look = async (): Promise<void> => {
      for (const { collection, key } of await this.#read(staleDocuments)) {
        const declared = collections.get(collection);
        if (!declared) continue;
        const { layout } = this.#tables.of(declared);
        await this.#track(() => this.#transactions.run((_, on) => refresh(on, layout, key)));
      }
    };
    await look();
    const again = (): void => {
      if (!this.#closing) look().catch((error: unknown) => this.#closing ?? this.#settings.report(error));
    };
    this.#stopFollowing = every(EARLIER_WRITERS_MS, again);
  }

  get<T>(collection: Collection<T>, key: string): Promise<Stored<T> | undefined> {
    return this.#read((on) => this.#tables.of(collection).get(on, key, 'none'));
  }

  query<T>(collection: Collection<T>, query: Query): Promise<Page<T>> {
    return this.#read((on) => this.#tables.of(collection).query(on, query));
  }

  count<T>(collection: Collection<T>, query: Pick<Query, 'prefix' | 'filter'> = {}): Promise<number> {
    return this.#read((on) => this.#tables.of(collection).count(on, query));
  }

  peek<T>(collection: Collection<T>, key: string): Stored<T> | undefined {
    if (!this.#listener.connected) return undefined;
    return this.#settings.notifier.cacheOf(collection).get(key) as Stored<T> | undefined;
  }

  async cached<T>(collection: Collection<T>, key: string): Promise<Stored<T> | undefined> {
    const cache = this.#settings.notifier.cacheOf(collection);
    if (!this.#listener.connected) return this.get(collection, key);
    if (cache.has(key)) return cache.get(key) as Stored<T> | undefined;
    const { version } = cache;
    const found = await this.get(collection, key);
    if (this.#listener.connected) cache.keep(key, found, version);
    return found;
  }

  transact<R>(body: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#track(() => this.#transactions.run((tx) => body(tx)));
  }

  onBehalfOf<R>(asker: RequestOwner | undefined, action: () => R): R {
    return this.#settings.askers.run(asker, action);
  }

  health(): StoreHealth {
    return this.#settings.connections.reach.health();
  }

  wipe(seed: (tx: Tx, load: (part: StatePart) => Promise<void>) => Promise<void>): Promise<void> {
    const tables = [...this.#tables.wipeable(), 'cloudjar.changes', 'cloudjar.work'];
    const replace = () =>
      this.#transactions.run(async (tx, on, effects) => {
        effects.wiped = true;
        // Waits for transactions that started on the old state, so that none of their writes appear in the new one.
        await on.query(`LOCK TABLE ${tables.join(', ')} IN EXCLUSIVE MODE`);
        // One round trip for all tables. TRUNCATE costs a file per table and index, and a running capture would see empty tables.
        await dropTypedTables(on);
        await on.query(tables.map((table) => `DELETE FROM ${table}`).join('; '));
        const loader = new Loader(on, this.#tables);
        await seed(tx, (part) => loader.load(part, loadable(this.#settings.collections, part)));
      }, WITHOUT_LIMITS);
    return this.#track(replace);
  }

  capture<R>(first: readonly Collection<never>[], body: CaptureBody<R>): Promise<R> {
    const { collections, connections } = this.#settings;
    const others = collections.filter((each) => !each.permanent && !first.includes(each));
    const layouts = [...first, ...others].map((each) => this.#tables.of(each).layout);
    return this.#track(async () => {
      try {
        return await body(captureState(connections, layouts), (within) => this.transact(within));
      } catch (error) {
        throw asStoreError(connections.url, error);
      }
    });
  }

  async changesAfter(cursor: string | undefined, limit: number): Promise<Change[]> {
    const { changes, hidden } = await this.#read((on) => feed.changesAfter(on, cursor, limit));
    if (hidden && changes.length < limit) this.#lookAgainSoon();
    return changes;
  }

  newestCursor(): Promise<string | undefined> {
    return this.#read((on) => feed.newestCursor(on));
  }

  onChange(hook: ChangeHook): void {
    this.#settings.notifier.changeHooks.add(hook);
  }

  onCommit(listener: (news: CommitNotice) => void): () => void {
    return this.#settings.notifier.listen(listener);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#cancelSecondLook?.();
    this.#stopFollowing();
    await atMost(CLOSE_MS, this.#quiet());
    await atMost(CLOSE_MS, this.#listener.close());
    await this.#settings.connections.close();
  }

  async #quiet(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  /** The items of a silent node become claimable again. A node that was only delayed finds its leases lost. */
  async #takeOver(dead: { readonly node: string; readonly beat: number }): Promise<void> {
    const freed = await this.#read((on) => freeNodeLeases(on, dead));
    if (freed === 0) return;
    this.#settings.notifier.notify({ changes: false, work: true, collections: [] });
    this.#hintOthers({ changes: false, work: true });
  }

  /**
   * Notifies the caches of this node first, then its listeners, then the other nodes; all commits of one turn of the event loop share a
   * notice.
   */
  #committed(effects: TransactionEffects): void {
    const { notifier } = this.#settings;
    notifier.invalidate(effects);
    notifier.announce([effects]);
    const { changes, work, wiped } = effects;
    if (changes || work || wiped) this.#hintOthers({ changes: changes || wiped, work: work || wiped });
  }

  /**
   * Invalidates the cached documents that the transaction wrote. The server may commit later than now, and then only its notice says so. A
   * node ignores notices under its own name, so this node takes a new name, and handles this notice like those of other nodes.
   */
  #uncertain(effects: TransactionEffects): void {
    this.#sender = shortId();
    const { notifier } = this.#settings;
    // Callbacks run only after a certain commit.
    effects.callbacks.length = 0;
    notifier.invalidate(effects);
    notifier.announce([effects]);
  }

  #hintOthers({ changes, work }: { readonly changes: boolean; readonly work: boolean }): void {
    if (!this.#hint) {
      this.#hint = { changes: false, work: false };
      nextTurn(() => this.#sendHint());
    }
    this.#hint.changes ||= changes;
    this.#hint.work ||= work;
  }

  #sendHint(): void {
    const hint = this.#hint;
    this.#hint = undefined;
    if (!hint || this.#closing) return;
    const payload = hintNotice(this.#sender, hint);
    this.#read((on) => on.query('SELECT pg_notify($1, $2)', [CHANNEL, payload], 'notify')).catch((error: unknown) => {
      // An unreachable database is reported once elsewhere, and the other nodes read the feed again when it is back.
      if (!(error instanceof StoreError && error.code === 'UNREACHABLE')) this.#settings.report(error);
    });
  }

  #heard(notice: Notice): void {
    if (notice.node === this.#sender) return;
    const { notifier } = this.#settings;
    if (notice.keys === 'all') notifier.clearCaches();
    else {
      const effects = new TransactionEffects();
      for (const [name, keys] of notice.keys) effects.cached.set(name, new Set(keys));
      notifier.invalidate(effects);
    }
    const collections = notice.keys === 'all' ? notifier.cachedCollections : [...notice.keys.keys()];
    notifier.notify({ changes: notice.changes, work: notice.work, collections });
  }

  /** The transaction that holds records back may end without a notice of its own. */
  #lookAgainSoon(): void {
    this.#cancelSecondLook ??= later(HIDDEN_CHANGES_MS, () => {
      this.#cancelSecondLook = undefined;
      if (!this.#closing) this.#settings.notifier.notify({ changes: true, work: false, collections: [] });
    });
  }

  #read<R>(read: (on: Connection) => Promise<R>): Promise<R> {
    const { connections } = this.#settings;
    return this.#track(() => this.#reads.run(() => connections.read(read)));
  }

  #track<R>(run: () => Promise<R>): Promise<R> {
    if (this.#closing) return Promise.reject(new StoreError('CLOSED', 'the store is closed'));
    const running = run();
    this.#running.add(running);
    const done = () => this.#running.delete(running);
    running.then(done, done);
    return running;
  }

  #tableReads(selects: Slots): TableReads {
    const { connections } = this.#settings;
    const made = new Map<string, Promise<void>>();
    const fresh = async (on: Connection, name: string) =>
      (await this.#tables.of(tableDefinitions).get(on, checkTableName(name), 'none'))?.value;
    const reading = <R>(read: (on: Connection) => Promise<R>): Promise<R> => byDefinition(() => this.#read(read));
    return {
      definition: async (name) => (await this.cached(tableDefinitions, checkTableName(name)))?.value,
      rows: (name, after, limit) =>
        reading(async (on) => runSteps(on, readRows(TYPED_POSTGRES, name, await fresh(on, name), after, limit))),
      newestRows: (name, before, limit) =>
        reading(async (on) => runSteps(on, readNewestRows(TYPED_POSTGRES, name, await fresh(on, name), before, limit))),
      count: (name) => reading(async (on) => runSteps(on, countRows(TYPED_POSTGRES, name, await fresh(on, name)))),
      sqlName: (name) => TYPED_POSTGRES.table(checkTableName(name)),
      use: (library) => {
        const making = made.get(library.postgres) ?? this.#makeLibrary(library);
        made.set(library.postgres, making);
        making.catch(() => made.delete(library.postgres));
        return making;
      },
      select: (statement, bounds) =>
        this.#track(() => selects.run(() => connections.read((on) => select(on, statement, bounds), WITHOUT_LIMITS))),
    };
  }

  #makeLibrary(library: FunctionLibrary): Promise<void> {
    return this.#track(() => this.#transactions.run((_, on) => createLibrary(on, library)));
  }

  #workQueue(): WorkQueue {
    const claims = new Claims(this.#settings.node);
    return {
      claim: (request) => this.#read((on) => claims.claim(on, request)),
      renew: (items, leaseMs) => this.#read((on) => work.renew(on, items, leaseMs)),
      nextDue: (kinds) => this.#read((on) => work.nextDue(on, kinds)),
      pending: (now, kinds) => this.#read((on) => work.pending(on, now, kinds)),
      due: (request) => this.#read((on) => work.due(on, request)),
      stats: () => this.#read((on) => work.stats(on)),
      byKind: (now) => this.#read((on) => work.byKind(on, now)),
      kinds: () => this.#read((on) => work.kinds(on)),
    };
  }
}
