import type { FunctionLibrary } from './types.ts';

/** The data that a statement thread gets before it loads any module (`sqlite/statement-threads.ts`). Other threads do not have it. */
export interface StatementThread {
  /** The path of the database. */
  readonly file: string;
  /** Libraries of the modules loaded in this thread, by name. */
  readonly libraries: Map<string, FunctionLibrary>;
  readonly port: {
    on(event: 'message', listener: (message: unknown) => void): void;
    postMessage(message: unknown): void;
  };
  /** Loads a module by URL. */
  load(module: string): Promise<unknown>;
}

export const THREAD_KEY = 'cloudjar.statements';

/** Returns the data of the current thread; undefined outside of statement threads. */
export function statementThread(): StatementThread | undefined {
  const found: { [key: symbol]: StatementThread | undefined } = globalThis;
  return found[Symbol.for(THREAD_KEY)];
}

/**
 * Declares a library whose functions SQLite can call in a separate thread. `module` is the `import.meta.url` of the calling file: the
 * thread loads that file, and finds the library by name. This also works if a bundler merges several files.
 */
export function defineLibrary(library: FunctionLibrary & { readonly module: string }): FunctionLibrary {
  statementThread()?.libraries.set(library.name, library);
  return library;
}
