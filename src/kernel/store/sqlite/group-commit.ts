import { nextTurn } from '../../time/timers.ts';
import type { TransactionEffects } from '../commit-notifier.ts';
import { StoreError } from '../errors.ts';
import type { Database } from './database.ts';

/** Limits a batch that grows while it runs; otherwise its first callers could wait for ever. */
const MOST_IN_A_BATCH = 1000;

/** The maximum number of event loop turns that a growing batch is delayed. */
const MOST_TURNS = 8;

export interface CommitHooks {
  starting(): void;
  /** Must call `answer`, which resolves the callers' promises. */
  committed(effectsList: TransactionEffects[], answer: () => void): void;
}

interface Job {
  readonly run: () => Promise<unknown>;
  readonly effects: TransactionEffects;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs transactions strictly one after another, and commits those of one turn of the event loop together, because the main cost of a
 * durable commit is the wait for the disk. Each but the first has a savepoint of its own, so that a transaction that throws is rolled back
 * alone.
 */
export class GroupCommit {
  readonly #db: Database;
  readonly #hooks: CommitHooks;
  readonly #savepoint;
  readonly #release;
  readonly #rollbackTo;
  #queue: Job[] = [];
  #scheduled = false;
  #closed = false;
  #batch: Promise<void> | undefined;

  constructor(db: Database, hooks: CommitHooks) {
    this.#db = db;
    this.#hooks = hooks;
    this.#savepoint = db.prepare('SAVEPOINT one');
    this.#release = db.prepare('RELEASE one');
    this.#rollbackTo = db.prepare('ROLLBACK TO one');
  }

  /** The running batch, if any: its writes must not be visible yet. */
  get batch(): Promise<void> | undefined {
    return this.#batch;
  }

  submit<R>(effects: TransactionEffects, run: () => Promise<R>): Promise<R> {
    if (this.#closed) return Promise.reject(new StoreError('CLOSED', 'the store is closed'));
    return new Promise<R>((resolve, reject) => {
      // A job's result is that of its own `run`; the type of the queue cannot express that.
      this.#queue.push({ run, effects, resolve: resolve as (result: unknown) => void, reject });
      if (!this.#batch) this.#schedule();
    });
  }

  /** Rejects new work and waits for running work to finish. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#batch || this.#queue.length > 0) {
      if (this.#batch) await this.#batch;
      else await new Promise<void>((resolve) => nextTurn(resolve));
    }
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#gather(this.#queue.length, MOST_TURNS);
  }

  /**
   * Waits turn by turn while more transactions are submitted: transactions of one batch share page writes, such as the last page of an
   * index.
   */
  #gather(known: number, turns: number): void {
    nextTurn(() => {
      const count = this.#queue.length;
      if (count > known && turns > 1) return this.#gather(count, turns - 1);
      this.#scheduled = false;
      void this.#runBatch();
    });
  }

  async #runBatch(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#batch = promise;
    const finish = await this.#flush();
    this.#batch = undefined;
    finish();
    resolve();
    if (this.#queue.length > 0) this.#schedule();
  }

  /** Returns the function that answers the callers; it is called after the batch is no longer marked as running. */
  async #flush(): Promise<() => void> {
    const jobs: Job[] = [];
    const answers: (() => void)[] = [];
    const effectsList: TransactionEffects[] = [];
    try {
      this.#hooks.starting();
      this.#db.exec('BEGIN IMMEDIATE');
      while (jobs.length < MOST_IN_A_BATCH && jobs.length < this.#queue.length) {
        const job = this.#queue[jobs.length]!;
        jobs.push(job);
        answers.push(await (jobs.length === 1 ? this.#runFirst(job, effectsList) : this.#runOne(job, effectsList)));
      }
      this.#db.exec('COMMIT');
    } catch (error) {
      // A failure of the disk or the file, not of one body: nothing of this batch was committed.
      if (jobs.length === 0) jobs.push(...this.#queue.slice(0, MOST_IN_A_BATCH));
      this.#queue = this.#queue.slice(jobs.length);
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      return () => {
        for (const job of jobs) job.reject(error);
      };
    }
    this.#queue = this.#queue.slice(jobs.length);
    return () =>
      this.#hooks.committed(effectsList, () => {
        for (const answer of answers) answer();
      });
  }

  /**
   * Nothing precedes the first transaction of a batch, so ROLLBACK undoes only that one if it fails. With a savepoint, SQLite would keep a
   * copy of every page that it changes.
   */
  async #runFirst(job: Job, effectsList: TransactionEffects[]): Promise<() => void> {
    try {
      const result = await job.run();
      effectsList.push(job.effects);
      return () => job.resolve(result);
    } catch (error) {
      if (!this.#db.inTransaction) throw error;
      this.#db.exec('ROLLBACK; BEGIN IMMEDIATE');
      return () => job.reject(error);
    }
  }

  /** A rejection, too, is answered only after the commit: it may depend on what an earlier body of the batch has written. */
  async #runOne(job: Job, effectsList: TransactionEffects[]): Promise<() => void> {
    this.#savepoint.run();
    try {
      const result = await job.run();
      this.#release.run();
      effectsList.push(job.effects);
      return () => job.resolve(result);
    } catch (error) {
      // After some failures (a full disk) SQLite rolls back the whole transaction itself; the batch fails then.
      if (!this.#db.inTransaction) throw error;
      this.#rollbackTo.run();
      this.#release.run();
      return () => job.reject(error);
    }
  }
}
