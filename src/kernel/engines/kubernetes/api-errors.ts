import { EngineUnavailable } from '../types.ts';

/** The API server rejected a request. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  /** `AlreadyExists`, `NotFound`, `Invalid` and so on; empty if the response is not a `Status` of the API server. */
  readonly reason: string;

  constructor(status: number, reason: string, message: string) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}

/** The request itself is at fault (the manifest, a quota, a policy of the cluster) and would be rejected again. */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 413, 422]);

export const isRefusal = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && REFUSALS.has(error.status);

export const isNotFound = (error: unknown): boolean => error instanceof ApiProblem && error.status === 404;

export const isConflict = (error: unknown): boolean => error instanceof ApiProblem && error.status === 409;

export const isGone = (error: unknown): boolean => error instanceof ApiProblem && error.status === 410;

/** Maps errors of the client library, the network and the server to the two types that callers distinguish. */
export function asProblem(error: unknown, what: string): ApiProblem | EngineUnavailable {
  if (error instanceof ApiProblem || error instanceof EngineUnavailable) return error;
  const { code, statusCode, body } = error as { code?: unknown; statusCode?: unknown; body?: unknown };
  const status = typeof code === 'number' ? code : statusCode;
  if (typeof status === 'number') return problemOf(status, body, what);
  return new EngineUnavailable(`${what}: ${reasonOf(error)}`, { cause: error });
}

/** Failures that do not depend on the request, so it can be retried. */
const isPassing = (status: number): boolean => status === 401 || status === 408 || status === 429 || status >= 500;

export function problemOf(status: number, body: unknown, what: string): ApiProblem | EngineUnavailable {
  const { reason = '', message = '' } = statusOf(body);
  const said = `${what}: ${message || `the API server returned ${status}`}`;
  return isPassing(status) ? new EngineUnavailable(said) : new ApiProblem(status, reason, said);
}

function statusOf(body: unknown): { reason?: string; message?: string } {
  if (typeof body === 'object' && body !== null) return body;
  try {
    const parsed: unknown = JSON.parse(String(body));
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  return [message, cause?.message || cause?.code].filter(Boolean).join(': ') || String(error);
}

/** Runs a request; throws only `ApiProblem` and `EngineUnavailable`. */
export async function asking<T>(what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw asProblem(error, what);
  }
}
