import type { FunctionLibrary } from './types.ts';

/** What a thread that runs statements is given before it loads any module (`sqlite/statement-threads.ts`). No other thread has it. */
export interface StatementThread {
  /** The database. */
  readonly file: string;
  /** Libraries of modules that were loaded in this thread, by name. */
  readonly libraries: Map<string, FunctionLibrary>;
  readonly port: {
    on(event: 'message', listener: (message: unknown) => void): void;
    postMessage(message: unknown): void;
  };
  /** Loads a module, by its URL. */
  load(module: string): Promise<unknown>;
}

export const THREAD_KEY = 'cloudjar.statements';

/** That of the thread which this code runs in. */
export function statementThread(): StatementThread | undefined {
  const found: { [key: symbol]: StatementThread | undefined } = globalThis;
  return found[Symbol.for(THREAD_KEY)];
}

/**
 * Declares a library whose functions SQLite can call in a thread of their own. `module` is the `import.meta.url` of the file that calls this: the thread
 * loads it, and finds the library by its name. Bundling may put several files into one, and that works as well.
 */
export function defineLibrary(library: FunctionLibrary & { readonly module: string }): FunctionLibrary {
  statementThread()?.libraries.set(library.name, library);
  return library;
}
