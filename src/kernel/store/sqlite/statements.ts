import type { FunctionLibrary, SelectBounds, Selected, Statement } from '../typed/types.ts';
import { Database } from './database.ts';
import { Selects } from './select.ts';
import { canHaveThreads, NoThread, StatementThreads } from './statement-threads.ts';

/**
 * Runs statements over typed tables: in a separate thread if the database is a file, otherwise in this thread, where a long statement
 * blocks everything else.
 */
export class Statements {
  readonly #file: string | undefined;
  readonly #writer: Database;
  readonly #read: <R>(read: () => R) => Promise<R>;
  readonly #libraries = new Map<string, FunctionLibrary>();
  readonly #report: (error: unknown) => void;
  readonly #threads: StatementThreads | undefined;
  #threadsFail = false;
  #connection: Database | undefined;
  #selects: Selects | undefined;

  /** `read` runs its argument once committed data can be read on the store's own connections. */
  constructor(
    file: string | undefined,
    writer: Database,
    read: <R>(read: () => R) => Promise<R>,
    report: (error: unknown) => void,
  ) {
    this.#report = report;
    this.#file = file;
    this.#writer = writer;
    this.#read = read;
    this.#threads = file !== undefined && canHaveThreads ? new StatementThreads(file) : undefined;
  }

  use(library: FunctionLibrary): void {
    this.#libraries.set(library.name, library);
    if (library.module !== undefined) this.#threads?.use(library, library.module);
  }

  async select(statement: Statement, bounds: SelectBounds): Promise<Selected> {
    const threads = this.#fitThreads && !this.#threadsFail ? this.#threads : undefined;
    if (!threads) return this.#read(() => this.#here().run(statement, bounds));
    try {
      return await threads.select(statement, bounds);
    } catch (error) {
      if (!(error instanceof NoThread)) throw error;
      this.#report(error);
      this.#threadsFail = true;
      return this.select(statement, bounds);
    }
  }

  async close(): Promise<void> {
    await this.#threads?.close();
    this.#connection?.close();
  }

  /** Functions without a module cannot be loaded in another thread. */
  get #fitThreads(): boolean {
    for (const { module } of this.#libraries.values()) if (module === undefined) return false;
    return true;
  }

  #here(): Selects {
    if (!this.#selects) {
      if (this.#file !== undefined) this.#connection = new Database(this.#file, { mapped: true });
      this.#selects = new Selects(this.#connection ?? this.#writer);
    }
    for (const library of this.#libraries.values()) this.#selects.use(library);
    return this.#selects;
  }
}
