import type { Worker } from 'node:worker_threads';
import { after, atMost } from '../../time/timers.ts';
import { StoreError } from '../errors.ts';
import { THREAD_KEY } from '../typed/library.ts';
import type { FunctionLibrary, SelectBounds, Selected, Statement } from '../typed/types.ts';
import { type Request, type Response, STATEMENT_THREAD_MODULE } from './statement-thread.ts';

/** A thread is terminated if its statement has not ended this long after its time limit. */
const GRACE_MS = 1000;
const CLOSE_MS = 2000;

/** Publishes the thread's data to the modules that it loads. */
const START = `
  const { parentPort, workerData } = require('node:worker_threads');
  const load = (module) => import(module);
  globalThis[Symbol.for('${THREAD_KEY}')] = { file: workerData.file, libraries: new Map(), port: parentPort, load };
  load(workerData.module).catch((error) => parentPort.postMessage({ of: 'failed', message: String(error) }));`;

/**
 * A program bundled into one file cannot be loaded in a thread, because that would start the program again. When run from sources, and in
 * the release build, the store's code is in files that only define things.
 */
export const canHaveThreads = /\.ts$|\/chunks\//.test(STATEMENT_THREAD_MODULE);

/** The code cannot be loaded in a thread. */
export class NoThread extends Error {}

/**
 * Runs statements in a thread with its own connection, so that a long statement delays only the statements after it. The thread starts with
 * the first statement and runs until the store is closed, or until a statement has to be terminated.
 */
export class StatementThreads {
  readonly #file: string;
  readonly #libraries = new Map<string, string>();
  #thread: Worker | undefined;
  #told = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** For libraries that have a module. */
  use({ name }: FunctionLibrary, module: string): void {
    this.#libraries.set(name, module);
  }

  select(statement: Statement, bounds: SelectBounds): Promise<Selected> {
    const run = (): Promise<Selected> => this.#run(statement, bounds);
    const running = this.#last.then(run, run);
    this.#last = running;
    return running;
  }

  /** Does not wait indefinitely for a statement that never returns to JavaScript. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#thread) await atMost(CLOSE_MS, this.#thread.terminate());
  }

  async #run(statement: Statement, bounds: SelectBounds): Promise<Selected> {
    const thread = await this.#prepared();
    const response = await ask(thread, { of: 'select', statement, bounds }, bounds.timeMs + GRACE_MS);
    if (response === 'silent') {
      this.#end(thread);
      throw new StoreError('TOO_LONG', 'the statement exceeded its time limit');
    }
    if (response.of === 'selected') return response.selected;
    throw this.#closed ? closed() : errorOf(response);
  }

  /** Returns a thread that has loaded all libraries. */
  async #prepared(): Promise<Worker> {
    if (this.#closed) throw closed();
    const thread = this.#thread ?? (await this.#start());
    for (const [name, module] of this.#libraries) {
      if (this.#told.has(name)) continue;
      const response = await ask(thread, { of: 'library', name, module });
      if (response.of !== 'ready') throw this.#closed ? closed() : new NoThread(errorOf(response).message);
      this.#told.add(name);
    }
    return thread;
  }

  async #start(): Promise<Worker> {
    const { Worker } = process.getBuiltinModule('node:worker_threads');
    const thread = new Worker(START, {
      eval: true,
      workerData: { file: this.#file, module: STATEMENT_THREAD_MODULE },
    });
    this.#thread = thread;
    this.#told = new Set();
    // After the thread has ended for any reason, the next statement starts a new one.
    thread.once('exit', () => this.#forget(thread));
    thread.on('error', () => this.#forget(thread));
    const response = await ask(thread);
    if (response.of === 'ready') return thread;
    this.#end(thread);
    throw this.#closed ? closed() : new NoThread(errorOf(response).message);
  }

  #forget(thread: Worker): void {
    if (this.#thread === thread) this.#thread = undefined;
  }

  /** Not awaited: the thread ends when SQLite returns to JavaScript, which may take long. */
  #end(thread: Worker): void {
    this.#forget(thread);
    void thread.terminate();
  }
}

/** Sends the request, if any, and resolves with the thread's next message. Keeps the process alive meanwhile. */
function ask(thread: Worker, request?: Request): Promise<Response>;
function ask(thread: Worker, request: Request, timeMs: number): Promise<Response | 'silent'>;
function ask(thread: Worker, request?: Request, timeMs?: number): Promise<Response | 'silent'> {
  const { promise, resolve } = Promise.withResolvers<Response | 'silent'>();
  const cancel = timeMs === undefined ? () => {} : after(timeMs, () => resolve('silent'));
  const failed = (error: unknown): void => resolve({ of: 'failed', message: String(error) });
  const ended = (): void => failed('the thread of statements has ended');
  thread.ref();
  thread.once('message', resolve).once('error', failed).once('exit', ended);
  if (request) thread.postMessage(request);
  return promise.finally(() => {
    cancel();
    thread.off('message', resolve).off('error', failed).off('exit', ended);
    thread.unref();
  });
}

function errorOf(response: Response): Error {
  if (response.of !== 'refused') return new Error(response.of === 'failed' ? response.message : `got ${response.of}`);
  const { code, message } = response.error;
  return new StoreError(code, message);
}

const closed = (): StoreError => new StoreError('CLOSED', 'the store is closed');
