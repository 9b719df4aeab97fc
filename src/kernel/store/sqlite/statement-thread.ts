import { StoreError, type StoreErrorCode } from '../errors.ts';
import { type StatementThread, statementThread } from '../typed/library.ts';
import type { SelectBounds, Selected, Statement } from '../typed/types.ts';
import { Database } from './database.ts';
import { Selects } from './select.ts';

/** The URL from which a thread loads this file. */
export const STATEMENT_THREAD_MODULE = import.meta.url;

export type Request =
  /** Loads the functions of a library. */
  | { readonly of: 'library'; readonly name: string; readonly module: string }
  | { readonly of: 'select'; readonly statement: Statement; readonly bounds: SelectBounds };

export type Response =
  | { readonly of: 'ready' }
  | { readonly of: 'selected'; readonly selected: Selected }
  | { readonly of: 'refused'; readonly error: { readonly code: StoreErrorCode; readonly message: string } }
  | { readonly of: 'failed'; readonly message: string };

const thread = statementThread();
if (thread) serve(thread);

/** Answers requests one after another until the thread is terminated. */
function serve({ file, libraries, port, load }: StatementThread): void {
  const selects = new Selects(new Database(file, { mapped: true }));
  const answer = async (request: Request): Promise<Response> => {
    if (request.of === 'select') return { of: 'selected', selected: selects.run(request.statement, request.bounds) };
    await load(request.module);
    const library = libraries.get(request.name);
    if (!library) throw new Error(`the module of the library '${request.name}' does not define it`);
    selects.use(library);
    return { of: 'ready' };
  };
  port.on('message', (request) => {
    answer(request as Request).then(
      (response) => port.postMessage(response),
      (error) => port.postMessage(refusal(error)),
    );
  });
  port.postMessage({ of: 'ready' } satisfies Response);
}

/** Error classes do not survive the transfer to another thread. */
function refusal(error: unknown): Response {
  if (error instanceof StoreError) return { of: 'refused', error: { code: error.code, message: error.message } };
  return { of: 'failed', message: error instanceof Error ? error.message : String(error) };
}
