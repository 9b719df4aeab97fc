import { readFileSync } from 'node:fs';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import { nodeHttp, nodeHttps } from '../kernel/http/node-http.ts';
import { CliError } from './errors.ts';
import type { FoundJar } from './find-jar.ts';
import { isRunning } from './jar-file.ts';
import { inOptionNames, type OptionNames } from './own-words.ts';
import { RefusedByJar, WrongAdminKey } from './refused.ts';

export { RefusedByJar } from './refused.ts';

/** Calls the control API of the jar that was found; errors become one line for the user. */
export interface ControlClient {
  readonly jar: FoundJar;
  get(path: string): Promise<unknown>;
  /** Reads a list through all of its pages, or until it has `most` items. */
  list<T>(path: string, most?: number): Promise<List<T>>;
  post(path: string, body?: unknown): Promise<unknown>;
  put(path: string, body?: unknown): Promise<unknown>;
  patch(path: string, body: unknown): Promise<unknown>;
  delete(path: string): Promise<unknown>;
  /** The unparsed answer, because its numbers can have more digits than a double keeps. */
  postForText(path: string, body: unknown): Promise<string>;
  /** Posts lines of JSON. */
  postLines(path: string, lines: string): Promise<unknown>;
}

export interface List<T> {
  readonly value: readonly T[];
  /** Present if the list has more items. */
  readonly nextLink?: string;
}

/** The control API's maximum page size. */
const LARGEST_PAGE = 1000;

/** `names` maps the fields of a request to the options that set them, for error messages. */
export function controlClient(jar: FoundJar, names: OptionNames = {}): ControlClient {
  const raw = async (method: string, path: string, options: SendOptions): Promise<RawAnswer> => {
    const headers = { authorization: `Bearer ${await keyOf(jar)}` };
    return send(jar, method, path, { ...options, headers });
  };
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> =>
    readAnswer(jar, await raw(method, path, { body }), names);
  return {
    jar,
    get: (path) => ask('GET', path),
    async list<T>(path: string, most = Number.POSITIVE_INFINITY) {
      const value: T[] = [];
      let nextLink: string | undefined = path;
      while (nextLink !== undefined && value.length < most) {
        // The link contains the address by which the jar was reached; here its path is used with the jar's own address.
        const url: URL = new URL(nextLink, jar.url);
        url.searchParams.set('$top', String(Math.min(most - value.length, LARGEST_PAGE)));
        const page = (await ask('GET', url.pathname + url.search)) as List<T>;
        value.push(...page.value);
        nextLink = page.nextLink;
      }
      return { value, ...(nextLink !== undefined && { nextLink }) };
    },
    post: (path, body) => ask('POST', path, body),
    put: (path, body) => ask('PUT', path, body),
    patch: (path, body) => ask('PATCH', path, body),
    delete: (path) => ask('DELETE', path),
    async postForText(path, body) {
      const answer = await raw('POST', path, { body });
      readAnswer(jar, answer, names);
      return answer.text;
    },
    postLines: async (path, lines) => readAnswer(jar, await raw('POST', path, { lines }), names),
  };
}

/** If there is no key, there is usually no jar either; then the error about the missing jar is thrown instead. */
export async function keyOf(jar: FoundJar): Promise<string> {
  try {
    return jar.adminKey();
  } catch (error) {
    await send(jar, 'GET', '/_jar/health');
    throw error;
  }
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as NDJSON. */
  readonly lines?: string;
}

/** Sends one request. It has no time limit unless the jar has one: advancing the clock takes as long as the work that falls due. */
export async function send(jar: FoundJar, method: string, path: string, options: SendOptions = {}): Promise<RawAnswer> {
  const { body, lines } = options;
  const text = lines ?? (body === undefined ? undefined : JSON.stringify(body));
  const headers = {
    ...options.headers,
    ...(text !== undefined && {
      'content-type': lines === undefined ? 'application/json' : 'application/x-ndjson',
      'content-length': String(Buffer.byteLength(text)),
    }),
  };
  try {
    const request = await openRequest(jar, method, path, headers);
    return await new Promise((resolve, reject) => {
      request.once('error', reject).once('response', (response) => {
        let received = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          received += part;
        });
        response.once('error', reject);
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: received }),
        );
      });
      if (jar.patienceMs !== undefined) {
        request.setTimeout(jar.patienceMs, () => void request.destroy(new Error('it does not answer')));
      }
      request.end(text);
    });
  } catch (error) {
    throw new CliError(explain(jar, error), 1, { cause: error });
  }
}

/** Opens a request; the caller writes its body and ends it. */
export async function openRequest(
  jar: FoundJar,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<ClientRequest> {
  const url = new URL(path, jar.url);
  if (url.protocol !== 'https:') return nodeHttp.request(url, { method, headers });
  return nodeHttps().request(url, { method, headers, ca: trusted(jar) });
}

/** The CA of the jar's folder, if there is one, in addition to Node's own: the address may belong to another jar. */
function trusted({ folder }: FoundJar): string[] | undefined {
  try {
    return [readFileSync(join(folder, 'ca.pem'), 'utf8'), ...getCACertificates('default')];
  } catch {
    return undefined;
  }
}

export function explain(jar: FoundJar, error: unknown): string {
  const { code, message } = (error instanceof AggregateError ? error.errors[0] : error) as NodeJS.ErrnoException;
  const from = jar.source === undefined ? '' : ` (from ${jar.source})`;
  if (code === 'ECONNREFUSED') {
    const gone = jar.file && !isRunning(jar.file) ? `; process ${jar.file.pid}, which ran it, has ended` : '';
    return `no jar answers at ${jar.url}${from}${gone}: start one with npx cloudjar start, or choose another with --url or --data`;
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code ?? '')) {
    // After the semicolon Node adds advice that does not apply here.
    const [reason] = message.split(';', 1);
    return `the certificate of ${jar.url}${from} is not trusted: ${reason}; give the jar's folder with --data, or trust its CA with NODE_EXTRA_CA_CERTS`;
  }
  return `no jar answers at ${jar.url}${from}: ${message}`;
}

export function readAnswer(jar: FoundJar, { status, text }: RawAnswer, names: OptionNames = {}): unknown {
  if (status === 204) return undefined;
  const body = parse(text);
  if (status >= 200 && status < 300 && body !== undefined) return body;
  const error = (body as { error?: { code?: unknown; message?: unknown; target?: unknown } } | undefined)?.error;
  if (typeof error?.message !== 'string') {
    throw new CliError(
      `the server at ${jar.url} is not a jar (status ${status}); give the jar's address with --url or its folder with --data`,
    );
  }
  if (error.code === 'AdminKeyWrong' || error.code === 'AdminKeyMissing') {
    const advice = process.env.CLOUDJAR_ADMIN_KEY
      ? "set it to the jar's key, or unset it and give the jar's folder with --data"
      : 'set CLOUDJAR_ADMIN_KEY or --data';
    throw new WrongAdminKey(`the jar at ${jar.url} requires another admin key than ${keySource(jar)}; ${advice}`);
  }
  const target = typeof error.target === 'string' ? error.target : undefined;
  throw inOptionNames(new RefusedByJar(error.message, { code: String(error.code), target, status }), names);
}

/** Where the sent admin key comes from. */
export const keySource = ({ folder }: Pick<FoundJar, 'folder'>): string =>
  process.env.CLOUDJAR_ADMIN_KEY ? 'CLOUDJAR_ADMIN_KEY' : join(folder, 'admin.key');

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
