import { type ControlClient, RefusedByJar } from '../control-client.ts';
import { CliError } from '../errors.ts';
import { batchesOf, type RowBatch } from './batches.ts';
import { type DatasetAnswer, rowsPath, type TableAnswer, tablesOf } from './find.ts';
import { counted, type RowProgress, rowsText } from './progress.ts';
import type { RowSource } from './rows.ts';

export interface ImportOptions {
  readonly file: string;
  readonly batch: number;
  readonly skip: number;
  readonly replace: boolean;
}

export interface Imported {
  /** Rows of the file that are stored, without the skipped ones. */
  readonly imported: number;
  readonly skipped: number;
  /** Rows that --replace removed. */
  readonly removed: number;
  /** Rows of the table after the last batch. */
  readonly rows: number;
  readonly batches: number;
}

interface BatchAnswer {
  readonly stored: number;
  readonly removed: number;
  readonly rows: number;
  readonly pushedRows: number;
}

export interface ImportTarget {
  readonly client: ControlClient;
  readonly dataset: DatasetAnswer;
  readonly table: TableAnswer;
}

/**
 * Sends the rows of a file in batches; while one batch is stored, the next is read. An error message says how many rows are stored and how
 * to continue.
 */
export async function importRows(
  target: ImportTarget,
  source: RowSource,
  options: ImportOptions,
  progress: RowProgress,
): Promise<Imported> {
  const run = new ImportRun(target, source, options);
  const interrupt = (): void => run.interrupt();
  process.once('SIGINT', interrupt);
  try {
    let sending: Promise<void> = Promise.resolve();
    try {
      for await (const batch of batchesOf(source, { rows: options.batch, skip: options.skip })) {
        await sending;
        run.stopIfInterrupted();
        sending = run.send(batch);
        // Awaited when the next batch is ready; until then its rejection would be unhandled.
        sending.catch(() => {});
        const share = source.bytes ? source.bytesRead() / source.bytes : undefined;
        progress.update(share, run.done.imported, source.bytesRead());
      }
    } finally {
      await sending;
    }
    await run.finish();
    return run.done;
  } catch (error) {
    throw await run.explain(error);
  } finally {
    progress.clear();
    process.off('SIGINT', interrupt);
  }
}

class ImportRun {
  readonly #target: ImportTarget;
  readonly #source: RowSource;
  readonly #options: ImportOptions;
  #done: Imported;
  #pushed: number;
  #isInterrupted = false;
  /** The batch whose answer is awaited. */
  #underway: RowBatch | undefined;

  constructor(target: ImportTarget, source: RowSource, options: ImportOptions) {
    this.#target = target;
    this.#source = source;
    this.#options = options;
    this.#done = { imported: 0, skipped: options.skip, removed: 0, rows: target.table.rows, batches: 0 };
    this.#pushed = target.table.pushedRows;
  }

  get done(): Imported {
    return this.#done;
  }

  interrupt(): void {
    this.#isInterrupted = true;
  }

  stopIfInterrupted(): void {
    if (this.#isInterrupted) throw new CliError('interrupted');
  }

  async send(batch: RowBatch): Promise<void> {
    const { client, dataset, table } = this.#target;
    // The old rows are removed in the transaction that stores the first batch: an error in that batch leaves the table unchanged.
    const replace = this.#options.replace && this.#done.batches === 0 ? '?replace=true' : '';
    this.#underway = batch;
    const answer = (await client.postLines(rowsPath(dataset.id, table.name) + replace, batch.text)) as BatchAnswer;
    this.#underway = undefined;
    this.#note(answer);
  }

  /** A file without rows also replaces the rows of the table. */
  async finish(): Promise<void> {
    if (this.#options.replace && this.#done.batches === 0) await this.send({ text: '', places: [] });
  }

  #note({ stored, removed, rows, pushedRows }: BatchAnswer): void {
    const { imported, batches, removed: before } = this.#done;
    this.#done = {
      ...this.#done,
      imported: imported + stored,
      removed: before + removed,
      rows,
      batches: batches + 1,
    };
    this.#pushed = pushedRows;
  }

  async explain(error: unknown): Promise<unknown> {
    if (!(error instanceof CliError)) return error;
    const batch = this.#underway;
    const message = batch && error instanceof RefusedByJar ? this.#inFile(error.message, batch) : error.message;
    const isUnsure = batch !== undefined && !(error instanceof RefusedByJar) && !(await this.#findOut(batch));
    return new CliError(`${message}; ${isUnsure ? this.#unsure(batch) : this.#sure()}`, error.exitCode, {
      cause: error,
    });
  }

  /** The jar numbers the rows of a batch; messages show the line or row of the file. */
  #inFile(message: string, { places }: RowBatch): string {
    const [whole, number] = /^Row (\d+)\b/.exec(message) ?? [];
    const place = number === undefined ? undefined : places[Number(number) - 1];
    if (whole === undefined || place === undefined) return message.replace(/\.$/, '');
    const rest = message.slice(whole.length).replace(/\.$/, '');
    return `${this.#options.file}, ${this.#source.place} ${place}${rest}`;
  }

  /**
   * A batch without an answer may have been stored. The jar counts all rows ever pushed; if that number matches neither the state before
   * nor the state after the batch, another client has pushed rows as well. Returns true if the outcome is known.
   */
  async #findOut({ places }: RowBatch): Promise<boolean> {
    const { client, dataset, table } = this.#target;
    try {
      const now = (await tablesOf(client, dataset.id)).find(({ name }) => name === table.name);
      if (now?.pushedRows === this.#pushed) return true;
      if (now?.pushedRows !== this.#pushed + places.length) return false;
      this.#note({ stored: places.length, removed: 0, rows: now.rows, pushedRows: now.pushedRows });
      return true;
    } catch {
      return false;
    }
  }

  #sure(): string {
    const { imported, skipped } = this.#done;
    if (imported === 0)
      return skipped === 0 ? 'nothing was stored' : `no more rows were stored; continue with --skip ${skipped}`;
    const without = this.#options.replace ? ' and without --replace' : '';
    return `${rowsText(imported)} ${imported === 1 ? 'is' : 'are'} stored; continue with --skip ${skipped + imported}${without}`;
  }

  #unsure({ places }: RowBatch): string {
    const { imported, skipped } = this.#done;
    const before = skipped + imported;
    const next = `it is unknown whether the next ${counted(places.length)} are`;
    const how = 'cloudjar datasets show prints the number of rows in the table';
    return `${rowsText(imported)} ${imported === 1 ? 'is' : 'are'} stored, and ${next}: ${how}; continue with --skip ${before} or --skip ${before + places.length}`;
  }
}
