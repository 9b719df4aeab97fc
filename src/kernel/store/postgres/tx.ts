import type { ChangeHooks, TransactionEffects } from '../commit-notifier.ts';
import { newEtag } from '../document.ts';
import { StoreError } from '../errors.ts';
import { searchableOf } from '../search/indexed.ts';
import { POSTGRES } from '../sql/dialect.ts';
import { deleteStatement, documentValues, preconditionFailed, refuseView, writeStatement } from '../sql/writes.ts';
import { TYPED_POSTGRES } from '../typed/dialect.ts';
import type { SpellingCache } from '../typed/spelling-cache.ts';
import type { TableWrites } from '../typed/types.ts';
import { type TypedTx, TypedWrites } from '../typed/writes.ts';
import type {
  Change,
  Collection,
  NewChange,
  NewWork,
  Page,
  Query,
  ReadLock,
  Stored,
  Tx,
  WorkItem,
  WriteCondition,
} from '../types.ts';
import { setValues, storable } from '../values.ts';
import { allAfter, forgetChanges, insertChange, newestOfAll } from './changes.ts';
import type { Connection } from './connection.ts';
import { ManyDocuments } from './many.ts';
import { runSteps } from './run-steps.ts';
import type { Table, Tables } from './table.ts';
import { removeWords, writeWords } from './word-index.ts';
import * as work from './work.ts';

const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';

/** Thrown when a concurrent transaction has created a document that this one found missing; the transaction is retried. */
export class ConcurrentCreation extends Error {}

export class PostgresTx implements Tx {
  readonly #connection: Connection;
  readonly #tables: Tables;
  readonly #effects: TransactionEffects;
  readonly #changeHooks: ChangeHooks;
  /** Keys that this transaction read and found missing: there was no row to lock. */
  readonly #absent = new Set<string>();
  /** Work items that this transaction has ended or taken from their holders. */
  readonly #endedItems = new Set<string>();
  readonly tables: TableWrites;
  #failure: unknown;
  #ended = false;

  constructor(
    connection: Connection,
    tables: Tables,
    effects: TransactionEffects,
    changeHooks: ChangeHooks,
    spellings: SpellingCache,
  ) {
    this.#tables = tables;
    this.#effects = effects;
    this.#changeHooks = changeHooks;
    this.#connection = {
      query: <Row extends readonly unknown[]>(...request: Parameters<Connection['query']>) =>
        this.#send<Row>(connection, request),
    };
    const run: TypedTx['run'] = (steps) => runSteps(this.#connection, steps);
    this.tables = new TypedWrites({ dialect: TYPED_POSTGRES, documents: this, spellings, run });
  }

  /** The first error of the database. The transaction fails then, even if its body has caught the error. */
  get failure(): unknown {
    return this.#failure;
  }

  end(): void {
    this.#ended = true;
  }

  hasEnded(item: WorkItem<unknown>): boolean {
    return this.#endedItems.has(item.id);
  }

  async get<T>(collection: Collection<T>, key: string, lock: ReadLock = 'update'): Promise<Stored<T> | undefined> {
    const found = await this.#tables.of(collection).get(this.#connection, key, lock);
    if (found) this.#absent.delete(address(collection, storable(key)));
    else if (lock !== 'none') this.#absent.add(address(collection, storable(key)));
    return found;
  }

  query<T>(collection: Collection<T>, query: Query): Promise<Page<T>> {
    return this.#tables.of(collection).query(this.#connection, query);
  }

  count<T>(collection: Collection<T>, query: Pick<Query, 'prefix' | 'filter'> = {}): Promise<number> {
    return this.#tables.of(collection).count(this.#connection, query);
  }

  async put<T>(collection: Collection<T>, key: string, value: T, condition?: WriteCondition): Promise<Stored<T>> {
    refuseView(collection);
    const table = this.#tables.of(collection);
    const { layout, sql } = table;
    const stored: Stored<T> = { key: storable(key), etag: newEtag(collection), value };
    const values = documentValues(layout, POSTGRES, stored.key, stored.etag, JSON.stringify(value), value);
    const believedAbsent = this.#absent.delete(address(collection, stored.key));
    const unconditional = condition?.ifMatch === undefined && condition?.ifNoneMatch === undefined;
    const creates = believedAbsent && unconditional;
    const write = writeStatement(sql, values, creates ? { ifNoneMatch: '*' } : condition);
    const { count } = await this.#connection.query(write.sql, write.values, table.nameOf(nameOf(write.sql, sql)));
    if (count === 0) throw creates ? this.#concurrentCreation() : preconditionFailed(collection, key);
    const areNew = creates || condition?.ifNoneMatch !== undefined;
    await this.#putSets(table, stored, { areNew });
    if (layout.search) {
      const written = { key: stored.key, searchable: searchableOf(collection, value) };
      await writeWords(this.#connection, layout, [written], { areNew });
    }
    this.#effects.wrote(collection, stored.key);
    return stored;
  }

  async putAll<T>(collection: Collection<T>, documents: Iterable<readonly [string, T]>): Promise<void> {
    refuseView(collection);
    const { layout } = this.#tables.of(collection);
    const bodies = new Map<string, T>();
    for (const [key, value] of documents) {
      // A document found missing may have been created meanwhile; only a separate write detects that.
      if (this.#absent.has(address(collection, storable(key)))) await this.put(collection, key, value);
      else bodies.set(storable(key), value);
    }
    // Sorted by key, so that two transactions with the same documents cannot deadlock.
    const ordered = [...bodies].sort(([one], [other]) => (one < other ? -1 : 1));
    let many = new ManyDocuments(layout);
    for (const [key, value] of ordered) {
      many.add(key, newEtag(collection), JSON.stringify(value), value);
      this.#effects.wrote(collection, key);
      if (!many.isFull) continue;
      await many.upsert(this.#connection);
      many = new ManyDocuments(layout);
    }
    if (!many.isEmpty) await many.upsert(this.#connection);
  }

  async delete<T>(
    collection: Collection<T>,
    key: string,
    condition?: Pick<WriteCondition, 'ifMatch'>,
  ): Promise<boolean> {
    refuseView(collection);
    const { sql, layout } = this.#tables.of(collection);
    const stored = storable(key);
    const removal = deleteStatement(sql, stored, condition?.ifMatch);
    const { count } = await this.#connection.query(removal.sql, removal.values);
    if (count === 0) {
      if (condition?.ifMatch !== undefined) throw preconditionFailed(collection, key);
      return false;
    }
    for (const set of sql.sets) await this.#connection.query(set.clear, [stored]);
    if (layout.search) await removeWords(this.#connection, layout.search.words, [stored]);
    this.#effects.wrote(collection, stored);
    return true;
  }

  async change(change: NewChange): Promise<void> {
    await insertChange(this.#connection, change);
    this.#effects.changes = true;
    const pending = this.#changeHooks.run(this, change);
    if (pending) await pending;
  }

  newestChange(): Promise<string | undefined> {
    return newestOfAll(this.#connection);
  }

  changesAfter(cursor: string | undefined, limit: number): Promise<Change[]> {
    return allAfter(this.#connection, cursor, limit);
  }

  forgetChanges(upTo: string, limit: number): Promise<number> {
    return forgetChanges(this.#connection, upTo, limit);
  }

  schedule(item: NewWork): Promise<string> {
    this.#effects.work = true;
    if (item.id !== undefined) this.#endedItems.add(item.id);
    return work.schedule(this.#connection, item);
  }

  async wake(item: NewWork & { readonly id: string }): Promise<void> {
    if (await work.wake(this.#connection, item)) this.#effects.work = true;
  }

  async settle(item: WorkItem<unknown>, next: () => Promise<number | undefined>): Promise<boolean> {
    await work.checkLease(this.#connection, item);
    if (!(await work.quiet(this.#connection, item))) return false;
    const dueAt = await next();
    this.#effects.work = true;
    this.#endedItems.add(item.id);
    if (dueAt === undefined) await work.complete(this.#connection, item);
    else await work.putBack(this.#connection, item, dueAt);
    return true;
  }

  cancel(workId: string): Promise<boolean> {
    this.#effects.work = true;
    this.#endedItems.add(workId);
    return work.cancel(this.#connection, workId);
  }

  complete(item: WorkItem<unknown>): Promise<void> {
    this.#effects.work = true;
    this.#endedItems.add(item.id);
    return work.complete(this.#connection, item);
  }

  retry(item: WorkItem<unknown>, dueAt: number, reason: string): Promise<void> {
    this.#effects.work = true;
    this.#endedItems.add(item.id);
    return work.retry(this.#connection, item, dueAt, reason);
  }

  park(item: WorkItem<unknown>, reason: string): Promise<void> {
    this.#effects.work = true;
    this.#endedItems.add(item.id);
    return work.park(this.#connection, item, reason);
  }

  async lock(name: string): Promise<void> {
    await this.#connection.query(LOCK, [storable(name)], 'lock');
  }

  afterCommit(callback: () => void): void {
    this.#check();
    this.#effects.callbacks.push(callback);
  }

  async #putSets<T>(
    { layout, sql }: Table<T>,
    { key, value }: Stored<T>,
    { areNew }: { readonly areNew: boolean },
  ): Promise<void> {
    for (const [i, set] of layout.sets.entries()) {
      if (!areNew) await this.#connection.query(sql.sets[i]!.clear, [key]);
      const values = setValues(set.source, value);
      if (values.length === 0) continue;
      await this.#connection.query(`INSERT INTO ${set.table} (value, key) SELECT unnest($1::text[]), $2`, [
        values,
        key,
      ]);
    }
  }

  /** Another transaction created the document after this one had found it missing. */
  #concurrentCreation(): ConcurrentCreation {
    const error = new ConcurrentCreation('a document was created meanwhile');
    this.#failure ??= error;
    return error;
  }

  async #send<Row extends readonly unknown[]>(connection: Connection, request: Parameters<Connection['query']>) {
    this.#check();
    try {
      return await connection.query<Row>(...request);
    } catch (error) {
      this.#failure ??= error;
      throw error;
    }
  }

  #check(): void {
    if (this.#ended) throw new StoreError('CLOSED', 'the transaction is over');
  }
}

function address(collection: Collection<never>, key: string): string {
  return `${collection.name}\n${key}`;
}

function nameOf(text: string, sql: Table<never>['sql']): string {
  if (text === sql.upsert) return 'upsert';
  if (text === sql.insert) return 'insert';
  return text === sql.update ? 'update' : 'update-if';
}
