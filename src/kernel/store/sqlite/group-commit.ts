import { nextTurn } from '../../time/timers.ts';
import { StoreError } from '../errors.ts';
import type { Footprint } from '../news.ts';
import type { Database } from './database.ts';

/** A batch that grows while it runs must end some time, or its first callers wait for ever. */
const MOST_IN_A_BATCH = 1000;

/** Turns of the event loop for which a batch that grows is kept waiting. */
const MOST_TURNS = 8;

export interface CommitHooks {
  starting(): void;
  /** Has to call `answer`, which lets the callers go on. */
  committed(footprints: Footprint[], answer: () => void): void;
}

interface Job {
  readonly run: () => Promise<unknown>;
  readonly footprint: Footprint;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs transactions strictly one after another and commits those of one turn of the event loop together, since what a durable
 * commit costs is the wait for the disk. Each but the first is in a savepoint of its own: one that throws takes only itself back.
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

  /** The batch that is under way, if any: its writes are not to be seen yet. */
  get batch(): Promise<void> | undefined {
    return this.#batch;
  }

  submit<R>(footprint: Footprint, run: () => Promise<R>): Promise<R> {
    if (this.#closed) return Promise.reject(new StoreError('CLOSED', 'the store is closed'));
    return new Promise<R>((resolve, reject) => {
      // The result of a job is what its own `run` gave, which the list of jobs cannot express.
      this.#queue.push({ run, footprint, resolve: resolve as (result: unknown) => void, reject });
      if (!this.#batch) this.#schedule();
    });
  }

  /** Refuses what is new and waits for what is under way. */
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

  /** Waits while others join, turn by turn: what one transaction has to write, such as the last page of an index, others of its batch have too. */
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

  /** Gives what tells the callers, for when the batch no longer counts as running. */
  async #flush(): Promise<() => void> {
    const jobs: Job[] = [];
    const answers: (() => void)[] = [];
    const footprints: Footprint[] = [];
    try {
      this.#hooks.starting();
      this.#db.exec('BEGIN IMMEDIATE');
      while (jobs.length < MOST_IN_A_BATCH && jobs.length < this.#queue.length) {
        const job = this.#queue[jobs.length]!;
        jobs.push(job);
        answers.push(await (jobs.length === 1 ? this.#runFirst(job, footprints) : this.#runOne(job, footprints)));
      }
      this.#db.exec('COMMIT');
    } catch (error) {
      // Not one body's failure but the disk's or the file's: nothing of this batch has happened.
      if (jobs.length === 0) jobs.push(...this.#queue.slice(0, MOST_IN_A_BATCH));
      this.#queue = this.#queue.slice(jobs.length);
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      return () => {
        for (const job of jobs) job.reject(error);
      };
    }
    this.#queue = this.#queue.slice(jobs.length);
    return () =>
      this.#hooks.committed(footprints, () => {
        for (const answer of answers) answer();
      });
  }

  /** Nothing goes before the first: what it takes back is all there is. A savepoint would have SQLite keep a copy of every page that it changes. */
  async #runFirst(job: Job, footprints: Footprint[]): Promise<() => void> {
    try {
      const result = await job.run();
      footprints.push(job.footprint);
      return () => job.resolve(result);
    } catch (error) {
      if (!this.#db.inTransaction) throw error;
      this.#db.exec('ROLLBACK; BEGIN IMMEDIATE');
      return () => job.reject(error);
    }
  }

  /** Even a refusal is answered only after the commit: it may rest on what an earlier body of the batch has written. */
  async #runOne(job: Job, footprints: Footprint[]): Promise<() => void> {
    this.#savepoint.run();
    try {
      const result = await job.run();
      this.#release.run();
      footprints.push(job.footprint);
      return () => job.resolve(result);
    } catch (error) {
      // Some failures (a full disk) make SQLite take back everything by itself; then the batch is lost.
      if (!this.#db.inTransaction) throw error;
      this.#rollbackTo.run();
      this.#release.run();
      return () => job.reject(error);
    }
  }
}
