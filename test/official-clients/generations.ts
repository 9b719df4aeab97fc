import type { Finished } from '../../src/kernel/http/server.ts';
import type { Bench } from '../support/jars.ts';

/**
 * The vendor has published its JavaScript clients in three generations. Their operation names, their waiting for long-running operations
 * and their credentials differ; these helpers let one test use all of them.
 */

// biome-ignore lint/suspicious/noExplicitAny: thirty clients side by side; their types would take longer to check than the rest of the tests
type Client = any;

/** `ms-rest` (packages `azure-arm-…`), `ms-rest-js` (`@azure/arm-…`, first majors), and core (all later ones). */
export type Generation = 'ms-rest' | 'ms-rest-js' | 'core';

export interface Major {
  /** The name under which it is installed; its version is in `test/package.json`. */
  readonly module: string;
  readonly generation: Generation;
  /** The api-version of the client, which its requests must carry. */
  readonly apiVersion: string;
  /** The name of the client class. */
  readonly client: string;
}

export const major = (
  module: string,
  generation: Generation,
  client: string,
  apiVersion: string,
): Major & { title: string } => ({
  module,
  generation,
  client,
  apiVersion,
  title: `${module} (${apiVersion})`,
});

/** A client with endpoint and credential; the whole process trusts the CA. */
export async function openClient(bench: Bench, { module, generation, client }: Major, subscription?: string) {
  const token = await bench.jar.token({ ttl: '30d' });
  const exported: Client = await importWithUntouchedDates(module);
  const Class = exported[client] ?? exported.default[client];
  const endpoint = bench.jar.httpsUrl;
  const first = subscription === undefined ? [] : [subscription];
  if (generation === 'ms-rest') return new Class(callbackCredential(token), ...first, endpoint, { ...FAST_POLLS });
  if (generation === 'ms-rest-js') return new Class(signer(token), ...first, { baseUri: endpoint, ...FAST_POLLS });
  const credential = { getToken: async () => ({ token, expiresOnTimestamp: Date.now() + 3_600_000 }) };
  return new Class(credential, ...first, { endpoint });
}

/** The first generation depends on a library that replaces `Date.parse` for the whole process, in which other tests run, too. */
async function importWithUntouchedDates(module: string): Promise<Client> {
  const restores = [Date, Date.prototype].map((owner) => {
    const before = Object.getOwnPropertyDescriptors(owner);
    return () => {
      for (const key of Reflect.ownKeys(owner)) if (!Object.hasOwn(before, key)) Reflect.deleteProperty(owner, key);
      Object.defineProperties(owner, before);
    };
  });
  try {
    return await import(module);
  } finally {
    for (const restore of restores) restore();
  }
}

/** Seconds between polls without a Retry-After; the client's default is 30. */
const FAST_POLLS = { longRunningOperationRetryTimeout: 0.02 };

interface WebResource {
  headers: Record<string, string> & { set?: (name: string, value: string) => void };
}

const sign = (request: WebResource, token: string): void => {
  if (request.headers.set) request.headers.set('authorization', `Bearer ${token}`);
  else request.headers.authorization = `Bearer ${token}`;
};

const callbackCredential = (token: string) => ({
  signRequest(request: WebResource, done: (error: Error | null) => void) {
    sign(request, token);
    done(null);
  },
});

const signer = (token: string) => ({
  async signRequest(request: WebResource) {
    sign(request, token);
    return request;
  },
});

/** The items of a list: the first generations return the first page as an array, core returns an iterator over all pages. */
export async function listed(list: Client): Promise<Client[]> {
  const found = await list;
  return Symbol.asyncIterator in found ? Array.fromAsync(found) : [...found];
}

export const names = async (list: Client): Promise<string[]> => (await listed(list)).map(({ name }) => name).sort();

/** Runs a long-running write until its end. Earlier generations poll by themselves. */
export function finish(operations: Client, method: string, ...parameters: unknown[]): Promise<Client> {
  const waiting = `begin${method[0]?.toUpperCase()}${method.slice(1)}AndWait`;
  if (typeof operations[waiting] === 'function') return operations[waiting](...parameters, { updateIntervalInMs: 20 });
  return operations[method === 'delete' && operations.deleteMethod ? 'deleteMethod' : method](...parameters);
}

/** The api-versions of the requests that a jar has answered. */
export class Versions {
  readonly #seen = new Set<string>();

  readonly observe = ({ call }: Finished): void => {
    // The service chooses the address of an operation, including its api-version.
    if (/\/operation(s|results)\//i.test(call.path)) return;
    const version = new URL(call.url, 'http://jar').searchParams.get('api-version');
    if (version !== null) this.#seen.add(version);
  };

  /** Returns the versions since the last call. */
  take(): string[] {
    const seen = [...this.#seen].sort();
    this.#seen.clear();
    return seen;
  }
}
