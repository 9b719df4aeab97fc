import { JarError } from './error.ts';
import type { Answer, Send } from './send.ts';

/** The control API of a jar, for the test helpers. Paths begin with `/_jar`. */
export interface Control {
  ask<T>(method: string, path: string, body?: object): Promise<T>;
  /** Posts bytes that are not JSON. */
  post<T>(path: string, body: Uint8Array, contentType: string): Promise<T>;
  /** Reads a list through all of its pages. */
  list<T>(path: string): Promise<T[]>;
  bytes(path: string): Promise<Buffer<ArrayBuffer>>;
}

interface ListPage<T> {
  readonly value: readonly T[];
  readonly nextLink?: string;
}

export function controlOf(send: Send): Control {
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return parsedBody<T>(accepted(await send(method, path, text, text && 'application/json'), path), path);
  };
  return {
    ask,
    post: async <T>(path: string, body: Uint8Array, contentType: string) =>
      parsedBody<T>(accepted(await send('POST', path, body, contentType), path), path),
    async list<T>(path: string) {
      const all: T[] = [];
      for (let next: string | undefined = path; next !== undefined; ) {
        const page: ListPage<T> = await ask('GET', next);
        all.push(...page.value);
        // The link contains the address by which the jar was reached; only its path is used.
        next = page.nextLink && new URL(page.nextLink).pathname + new URL(page.nextLink).search;
      }
      return all;
    },
    bytes: async (path) => accepted(await send('GET', path), path).bytes,
  };
}

function accepted(answer: Answer, path: string): Answer {
  const { status } = answer;
  if (status >= 200 && status < 300) return answer;
  const { error } = (parsed(answer) ?? {}) as {
    readonly error?: { readonly message?: unknown; readonly code?: unknown; readonly target?: unknown };
  };
  if (typeof error?.message !== 'string') throw notAJar(path, status);
  throw new JarError(error.message, {
    status,
    code: String(error.code),
    ...(typeof error.target === 'string' && { target: error.target }),
  });
}

/** The parsed JSON of an answer; undefined if it has no body. */
export function parsedBody<T>(answer: Answer, path: string): T {
  if (answer.bytes.length === 0) return undefined as T;
  const value = parsed(answer);
  if (value === undefined) throw notAJar(path, answer.status);
  return value as T;
}

const notAJar = (path: string, status: number): JarError =>
  new JarError(`${path} answers ${status}, but not like a jar: another server listens there`, {
    status,
    code: 'NotAJar',
  });

function parsed({ bytes }: Answer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
