import { processTime } from '../../time/timers.ts';
import { CommitNotifier, reportAsWarning, TransactionEffects } from '../commit-notifier.ts';
import { StoreError } from '../errors.ts';
import { loadable } from '../loadable.ts';
import type { StoreOptions } from '../options.ts';
import type { RequestOwner } from '../request-owners.ts';
import { checkTableName, tableDefinitions } from '../typed/definitions.ts';
import { TYPED_SQLITE } from '../typed/dialect.ts';
import { countRows, readNewestRows, readRows } from '../typed/reads.ts';
import { clearAfterWipes, SpellingCache } from '../typed/spelling-cache.ts';
import type { TableReads } from '../typed/types.ts';
import type {
  CaptureBody,
  CaptureWrite,
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
import { changesAfter, newestCursor } from './changes.ts';
import { Database } from './database.ts';
import { GroupCommit } from './group-commit.ts';
import { Loader } from './load.ts';
import { runSteps } from './run-steps.ts';
import { Statements } from './statements.ts';
import { Tables } from './table.ts';
import { SqliteTx } from './tx.ts';
import { WorkTable } from './work.ts';
import { WorkReads } from './work-reads.ts';

export interface SqliteOptions extends StoreOptions {
  /** The path of the database; in memory if absent. The caller must hold the lock of its folder (see `openFolder`). */
  readonly file?: string;
  /** The clock of leases, in milliseconds. It belongs to this process, which is the only possible holder of leases. */
  readonly leaseClock?: () => number;
  /** Called when an existing file is found to be damaged or incomplete: at start, or later when the whole file has been read. */
  readonly damaged?: (reason: string) => void;
}

export class SqliteStore implements Store {
  readonly engine = 'sqlite';
  readonly hasOtherWriters = false;
  readonly isInMemory: boolean;
  readonly work: WorkQueue;
  readonly tables: TableReads;
  readonly #writer: Database;
  readonly #reader: Database;
  readonly #readTables: Tables;
  readonly #writeTables: Tables;
  readonly #commits: GroupCommit;
  readonly #notifier: CommitNotifier;
  readonly #spellings = new SpellingCache();
  readonly #statements: Statements;
  readonly #workTable: WorkTable;
  readonly #file: string | undefined;
  readonly #collections: readonly Collection<never>[];
  /** Cancels the integrity check of the file. */
  stopChecking = (): void => {};
  #snapshot = false;
  #closing: Promise<void> | undefined;

  constructor(writer: Database, options: SqliteOptions) {
    const { file, collections, leaseClock = processTime, report = reportAsWarning } = options;
    const declared = new Map(collections.map((each) => [each.name, each]));
    this.#file = file;
    this.isInMemory = file === undefined;
    this.#writer = writer;
    this.#reader = file === undefined ? writer : new Database(file, { mapped: true });
    this.#collections = collections;
    this.#writeTables = new Tables(writer, declared);
    this.#readTables = file === undefined ? this.#writeTables : new Tables(this.#reader, declared);
    this.#notifier = new CommitNotifier(collections, report);
    clearAfterWipes(this.#spellings, this.#notifier);
    this.#workTable = new WorkTable(writer, leaseClock);
    this.#workTable.voidAllLeases();
    this.#commits = new GroupCommit(writer, {
      starting: () => this.#endSnapshot(),
      committed: (effectsList, answer) => {
        for (const effects of effectsList) this.#notifier.invalidate(effects);
        answer();
        this.#notifier.announce(effectsList);
      },
    });
    this.work = this.#workQueue(new WorkReads(this.#reader, leaseClock));
    this.#statements = new Statements(file, writer, (read) => this.#read(read), report);
    this.tables = this.#tableReads();
  }

  get<T>(collection: Collection<T>, key: string): Promise<Stored<T> | undefined> {
    return this.#read(() => this.#readTables.of(collection).get(key));
  }

  query<T>(collection: Collection<T>, query: Query): Promise<Page<T>> {
    return this.#read(() => this.#readTables.of(collection).query(query));
  }

  count<T>(collection: Collection<T>, query: Pick<Query, 'prefix' | 'filter'> = {}): Promise<number> {
    return this.#read(() => this.#readTables.of(collection).count(query));
  }

  peek<T>(collection: Collection<T>, key: string): Stored<T> | undefined {
    return this.#notifier.cacheOf(collection).get(key) as Stored<T> | undefined;
  }

  cached<T>(collection: Collection<T>, key: string): Promise<Stored<T> | undefined> {
    const cache = this.#notifier.cacheOf(collection);
    if (cache.has(key)) return Promise.resolve(cache.get(key) as Stored<T> | undefined);
    return this.#read(() => {
      const { version } = cache;
      const found = this.#readTables.of(collection).get(key);
      cache.keep(key, found, version);
      return found;
    });
  }

  /** Ignores the asker: no call waits here for longer than a commit takes. */
  onBehalfOf<R>(_asker: RequestOwner | undefined, action: () => R): R {
    return action();
  }

  health(): StoreHealth {
    return { reachable: true };
  }

  transact<R>(body: (tx: Tx) => Promise<R>): Promise<R> {
    const effects = new TransactionEffects();
    return this.#commits.submit(effects, () => this.#runBody(effects, body));
  }

  async wipe(seed: (tx: Tx, load: (part: StatePart) => Promise<void>) => Promise<void>): Promise<void> {
    const effects = new TransactionEffects();
    effects.wiped = true;
    const loader = new Loader(this.#writer, this.#writeTables);
    const load = async (part: StatePart) => loader.load(part, loadable(this.#collections, part));
    const emptied = this.#collections.filter((each) => !each.permanent);
    const work = async () => {
      for (const [name] of this.#writer.rows(`SELECT key FROM ${this.#writeTables.of(tableDefinitions).layout.table}`))
        this.#writer.exec(`DROP TABLE ${TYPED_SQLITE.table(String(name))}`);
      for (const collection of emptied) {
        const { layout, words } = this.#writeTables.of(collection);
        if (this.#empty(layout.table)) words?.empty();
        for (const { table } of layout.sets) this.#empty(table);
      }
      // The numbering of change records continues, so that a cursor from before the wipe sorts before all later records.
      for (const table of ['changes', 'work']) this.#empty(table);
      await this.#runBody(effects, (tx) => seed(tx, load));
    };
    try {
      await this.#commits.submit(effects, work);
    } finally {
      this.#workTable.forgetOrder();
    }
  }

  /** Most tables of most jars are empty, and checking costs less than deleting from them and their indexes. */
  #empty(table: string): boolean {
    if (!this.#writer.row(`SELECT 1 FROM ${table} LIMIT 1`)) return false;
    this.#writer.run(`DELETE FROM ${table}`);
    return true;
  }

  async capture<R>(first: readonly Collection<never>[], body: CaptureBody<R>): Promise<R> {
    const others = this.#collections.filter((each) => !each.permanent && !first.includes(each));
    const layouts = [...first, ...others].map((each) => this.#readTables.of(each).layout);
    if (this.#file === undefined) {
      const effects = new TransactionEffects();
      const write: CaptureWrite = (within) => this.#runBody(effects, within);
      return this.#commits.submit(effects, () => body(captureState(this.#writer, layouts), write));
    }
    if (this.#closing) throw new StoreError('CLOSED', 'the store is closed');
    const view = new Database(this.#file);
    try {
      view.exec('BEGIN');
      return await body(captureState(view, layouts), (within) => this.transact(within));
    } finally {
      view.close();
    }
  }

  changesAfter(cursor: string | undefined, limit: number): Promise<Change[]> {
    return this.#read(() => changesAfter(this.#reader, cursor, limit));
  }

  newestCursor(): Promise<string | undefined> {
    return this.#read(() => newestCursor(this.#reader));
  }

  onChange(hook: ChangeHook): void {
    this.#notifier.changeHooks.add(hook);
  }

  onCommit(listener: (news: CommitNotice) => void): () => void {
    return this.#notifier.listen(listener);
  }

  close(): Promise<void> {
    this.stopChecking();
    this.#closing ??= this.#commits.close().then(async () => {
      await this.#statements.close();
      if (this.#reader !== this.#writer) this.#reader.close();
      this.#writer.close();
    });
    return this.#closing;
  }

  async #runBody<R>(effects: TransactionEffects, body: (tx: Tx) => Promise<R>): Promise<R> {
    const tx = new SqliteTx(
      this.#writer,
      this.#writeTables,
      this.#workTable,
      effects,
      this.#notifier.changeHooks,
      this.#spellings,
    );
    try {
      return await body(tx);
    } finally {
      tx.end();
    }
  }

  /**
   * Reads committed data. A file has a separate connection for reads; a database in memory has only one connection, whose readers wait
   * until a batch ends.
   */
  #read<R>(read: () => R): Promise<R> {
    if (this.#closing) return Promise.reject(new StoreError('CLOSED', 'the store is closed'));
    const { batch } = this.#commits;
    if (this.#reader === this.#writer) {
      if (batch) return batch.then(() => this.#read(read));
    } else if (!batch && !this.#snapshot) {
      this.#reader.exec('BEGIN');
      this.#snapshot = true;
    }
    try {
      return Promise.resolve(read());
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Nothing can change between batches, so all reads share one read transaction and avoid the locks of separate ones, which are half the
   * cost of a read. It ends before a batch commits, because a checkpoint cannot pass a reader.
   */
  #endSnapshot(): void {
    if (!this.#snapshot) return;
    this.#reader.exec('COMMIT');
    this.#snapshot = false;
  }

  #tableReads(): TableReads {
    const stored = (name: string) => this.#readTables.of(tableDefinitions).get(checkTableName(name))?.value;
    return {
      definition: async (name) => (await this.cached(tableDefinitions, checkTableName(name)))?.value,
      rows: (name, after, limit) =>
        this.#read(() => runSteps(this.#reader, readRows(TYPED_SQLITE, name, stored(name), after, limit))),
      newestRows: (name, before, limit) =>
        this.#read(() => runSteps(this.#reader, readNewestRows(TYPED_SQLITE, name, stored(name), before, limit))),
      count: (name) => this.#read(() => runSteps(this.#reader, countRows(TYPED_SQLITE, name, stored(name)))),
      sqlName: (name) => TYPED_SQLITE.table(checkTableName(name)),
      use: async (library) => this.#statements.use(library),
      select: (statement, bounds) => this.#statements.select(statement, bounds),
    };
  }

  #workQueue(reads: WorkReads): WorkQueue {
    const write = <R>(run: () => R): Promise<R> => this.#commits.submit(new TransactionEffects(), async () => run());
    return {
      claim: (request) => write(() => this.#workTable.claim(request)),
      renew: (items, leaseMs) => write(() => this.#workTable.renew(items, leaseMs)),
      nextDue: (kinds) => this.#read(() => reads.nextDue(kinds)),
      pending: (now, kinds) => this.#read(() => reads.pending(now, kinds)),
      due: (request) => this.#read(() => reads.due(request)),
      stats: () => this.#read(() => reads.stats()),
      byKind: (now) => this.#read(() => reads.byKind(now)),
      kinds: () => this.#read(() => reads.kinds()),
    };
  }
}
