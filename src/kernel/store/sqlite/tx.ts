import type { ChangeHooks, TransactionEffects } from '../commit-notifier.ts';
import { newEtag } from '../document.ts';
import { leaseLost, StoreError } from '../errors.ts';
import { SQLITE } from '../sql/dialect.ts';
import { deleteStatement, documentValues, preconditionFailed, refuseView, writeStatement } from '../sql/writes.ts';
import { TYPED_SQLITE } from '../typed/dialect.ts';
import type { SpellingCache } from '../typed/spelling-cache.ts';
import type { TableWrites } from '../typed/types.ts';
import { TypedWrites } from '../typed/writes.ts';
import type {
  Change,
  Collection,
  NewChange,
  NewWork,
  Page,
  Query,
  Stored,
  Tx,
  WorkItem,
  WriteCondition,
} from '../types.ts';
import { setValues, storable } from '../values.ts';
import { changesAfter, forgetChanges, newestCursor } from './changes.ts';
import type { Database } from './database.ts';
import { runSteps } from './run-steps.ts';
import type { Table, Tables } from './table.ts';
import type { WorkTable } from './work.ts';

const INSERT_CHANGE = 'INSERT INTO changes (source, kind, subject, outcome, at, data) VALUES (?, ?, ?, ?, ?, ?)';

/** One transaction. SQLite has one writer, so there is nothing to lock, and every call is complete when it returns. */
export class SqliteTx implements Tx {
  readonly #db: Database;
  readonly #tables: Tables;
  readonly #work: WorkTable;
  readonly #effects: TransactionEffects;
  readonly #changeHooks: ChangeHooks;
  readonly tables: TableWrites;
  #ended = false;

  constructor(
    db: Database,
    tables: Tables,
    work: WorkTable,
    effects: TransactionEffects,
    changeHooks: ChangeHooks,
    spellings: SpellingCache,
  ) {
    this.#db = db;
    this.#tables = tables;
    this.#work = work;
    this.#effects = effects;
    this.#changeHooks = changeHooks;
    this.tables = new TypedWrites({
      dialect: TYPED_SQLITE,
      documents: this,
      spellings,
      run: async (steps) => {
        this.#check();
        return runSteps(db, steps);
      },
    });
  }

  end(): void {
    this.#ended = true;
  }

  async get<T>(collection: Collection<T>, key: string): Promise<Stored<T> | undefined> {
    return this.#table(collection).get(key);
  }

  async query<T>(collection: Collection<T>, query: Query): Promise<Page<T>> {
    return this.#table(collection).query(query);
  }

  async count<T>(collection: Collection<T>, query: Pick<Query, 'prefix' | 'filter'> = {}): Promise<number> {
    return this.#table(collection).count(query);
  }

  async put<T>(collection: Collection<T>, key: string, value: T, condition?: WriteCondition): Promise<Stored<T>> {
    return this.#put(collection, key, value, condition);
  }

  async putAll<T>(collection: Collection<T>, documents: Iterable<readonly [string, T]>): Promise<void> {
    for (const [key, value] of documents) this.#put(collection, key, value);
  }

  async delete<T>(
    collection: Collection<T>,
    key: string,
    condition?: Pick<WriteCondition, 'ifMatch'>,
  ): Promise<boolean> {
    refuseView(collection);
    const { sql, words } = this.#table(collection);
    const stored = storable(key);
    const removeWords = words?.removal(stored);
    const removal = deleteStatement(sql, stored, condition?.ifMatch);
    if (this.#db.run(removal.sql, removal.values) === 0) {
      if (condition?.ifMatch !== undefined) throw preconditionFailed(collection, key);
      return false;
    }
    for (const set of sql.sets) this.#db.run(set.clear, [stored]);
    removeWords?.();
    this.#effects.wrote(collection, stored);
    return true;
  }

  async change(change: NewChange): Promise<void> {
    this.#check();
    const { source, kind, subject, outcome, at, data } = change;
    this.#db.run(INSERT_CHANGE, [source, kind, storable(subject), outcome, at, JSON.stringify(data)]);
    this.#effects.changes = true;
    const pending = this.#changeHooks.run(this, change);
    if (pending) await pending;
  }

  async newestChange(): Promise<string | undefined> {
    this.#check();
    return newestCursor(this.#db);
  }

  async changesAfter(cursor: string | undefined, limit: number): Promise<Change[]> {
    this.#check();
    return changesAfter(this.#db, cursor, limit);
  }

  async forgetChanges(upTo: string, limit: number): Promise<number> {
    this.#check();
    return forgetChanges(this.#db, upTo, limit);
  }

  async schedule(work: NewWork): Promise<string> {
    this.#check();
    this.#effects.work = true;
    return this.#work.schedule(work);
  }

  async wake(work: NewWork & { readonly id: string }): Promise<void> {
    this.#check();
    if (this.#work.wake(work)) this.#effects.work = true;
  }

  /** SQLite has one writer: earlier calls of `wake` are committed or belong to this transaction. */
  async settle(item: WorkItem<unknown>, next: () => Promise<number | undefined>): Promise<boolean> {
    this.#check();
    if (!this.#work.holds(item)) throw leaseLost(item);
    const dueAt = await next();
    this.#effects.work = true;
    if (dueAt === undefined) this.#work.complete(item);
    else this.#work.putBack(item, dueAt);
    return true;
  }

  async cancel(workId: string): Promise<boolean> {
    this.#check();
    this.#effects.work = true;
    return this.#work.cancel(workId);
  }

  async complete(item: WorkItem<unknown>): Promise<void> {
    this.#check();
    this.#effects.work = true;
    this.#work.complete(item);
  }

  async retry(item: WorkItem<unknown>, dueAt: number, reason: string): Promise<void> {
    this.#check();
    this.#effects.work = true;
    this.#work.retry(item, dueAt, reason);
  }

  async park(item: WorkItem<unknown>, reason: string): Promise<void> {
    this.#check();
    this.#effects.work = true;
    this.#work.park(item, reason);
  }

  async lock(): Promise<void> {
    this.#check();
  }

  afterCommit(callback: () => void): void {
    this.#check();
    this.#effects.callbacks.push(callback);
  }

  #put<T>(collection: Collection<T>, key: string, value: T, condition?: WriteCondition): Stored<T> {
    refuseView(collection);
    const { layout, sql, words } = this.#table(collection);
    const stored: Stored<T> = { key: storable(key), etag: newEtag(collection), value };
    const values = documentValues(layout, SQLITE, stored.key, stored.etag, JSON.stringify(value), value);
    const write = writeStatement(sql, values, condition);
    if (this.#db.run(write.sql, write.values) === 0) throw preconditionFailed(collection, key);
    const isNew = condition?.ifNoneMatch !== undefined;
    for (const [i, set] of layout.sets.entries()) {
      if (!isNew) this.#db.run(sql.sets[i]!.clear, [stored.key]);
      for (const each of setValues(set.source, value)) this.#db.run(sql.sets[i]!.add, [each, stored.key]);
    }
    words?.write(stored.key, value);
    this.#effects.wrote(collection, stored.key);
    return stored;
  }

  #table<T>(collection: Collection<T>): Table<T> {
    this.#check();
    return this.#tables.of(collection);
  }

  /** A call that was not awaited would otherwise run in another transaction. */
  #check(): void {
    if (this.#ended) throw new StoreError('CLOSED', 'the transaction is over');
  }
}
