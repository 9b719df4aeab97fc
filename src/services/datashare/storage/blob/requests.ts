import type { Calls } from '../../../../kernel/outbound/index.ts';
import { StorageFailure } from '../../../../kernel/outbound/storage/index.ts';
import { pause } from '../../../../kernel/time/index.ts';
import { StorageProblem, storageProblem } from '../problem.ts';

/** Delays before the first, second, … retry of a request. Longer outages are handled by the retries of due work. */
const DELAYS_MS = [100, 400, 1600] as const;
const BUSY_STATUSES = new Set([408, 429]);
const REFUSED_STATUSES = new Set([401, 403]);

/** Sends a request to blob storage and retries transient failures a few times unless it is cancelled. Rejects with a `StorageProblem`. */
export async function retrying<R>(
  { account, calls }: { readonly account: string; readonly calls: Calls },
  request: () => Promise<R>,
): Promise<R> {
  for (const delay of DELAYS_MS) {
    try {
      return await request();
    } catch (error) {
      if (calls.areCancelled || !isPassing(error)) throw asProblem(error, account);
      await pause(delay);
    }
  }
  return request().catch((error) => {
    throw asProblem(error, account);
  });
}

export const answeredWith = (error: unknown, status: number, code?: string): boolean =>
  error instanceof StorageFailure &&
  error.answer?.status === status &&
  (code === undefined || error.answer.code === code);

/** 404 and 409 describe the request, so they are not transient. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof StorageFailure)) return false;
  const status = error.answer?.status;
  return status === undefined ? !error.isFinal : status >= 500 || BUSY_STATUSES.has(status);
}

function asProblem(error: unknown, account: string): unknown {
  if (error instanceof StorageProblem || !(error instanceof StorageFailure)) return error;
  const words = { account, reason: error.message };
  const options = { cause: error };
  if (REFUSED_STATUSES.has(error.answer?.status ?? 0)) return storageProblem('AccessDenied', words, options);
  return storageProblem(error.isFinal ? 'StorageRefused' : 'StorageFailed', words, options);
}
