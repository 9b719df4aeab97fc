import { wallNow } from '../../time/timers.ts';
import type { Calls } from '../calls.ts';
import type { OutboundAnswer, OutboundClient } from '../client.ts';
import { OutboundError, type OutboundFailure } from '../errors.ts';
import type { StorageAccount, StorageService } from './account.ts';
import { sharedKey, type Unsigned } from './sign.ts';

/** The failure of a request to a storage account; the message contains no secrets. */
export class StorageFailure extends Error {
  /** True if a retry cannot succeed until someone changes the configuration or the account. */
  readonly isFinal: boolean;
  /** The account's response; absent if there was none. */
  readonly answer?: { readonly status: number; readonly code: string; readonly said: string };

  constructor(message: string, isFinal: boolean, answer?: StorageFailure['answer'], options?: ErrorOptions) {
    super(message, options);
    this.isFinal = isFinal;
    if (answer) this.answer = answer;
  }
}

export interface StorageClientOptions {
  readonly outbound: Pick<OutboundClient, 'send'>;
  readonly account: StorageAccount;
  readonly calls: Calls;
  /** The account was configured by the operator of the jar, not by a user, so the guard does not check it. */
  readonly trusted?: boolean;
}

export interface Sent {
  readonly method: Unsigned['method'];
  /** Escaped, including the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** For calls with unusually long responses. */
  readonly maxBodyBytes?: number;
}

const VERSION = '2021-08-06';
const TIMEOUT_MS = 60_000;
/** The account is busy, or the request is not at fault. */
const PASSING_STATUSES = new Set([404, 408, 409, 429]);
const FINAL_FAILURES: ReadonlySet<OutboundFailure> = new Set(['Blocked', 'BadAddress']);

/** Signs and sends one request. Resolves with a response of any status; rejects with a `StorageFailure` if there is none. */
export async function sendToStorage(
  { outbound, account, calls, trusted = false }: StorageClientOptions,
  service: StorageService,
  { method, path, headers: given, body: content, maxBodyBytes }: Sent,
): Promise<OutboundAnswer> {
  const { endpoints, key, signature } = account;
  const endpoint = endpoints[service];
  if (endpoint === undefined)
    throw unreachable(new OutboundError('BadAddress', `it has no endpoint for its ${service}s`));
  const url = new URL(`${endpoint}/${path}`);
  const body = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  // The account compares this with real time, whatever the jar's clock shows.
  const headers = { ...given, 'x-ms-date': new Date(wallNow()).toUTCString(), 'x-ms-version': VERSION };
  const authorization = key && sharedKey({ ...account, key }, { method, url, headers, bytes: body?.length ?? 0 });
  if (signature !== undefined) url.search += `${url.search === '' ? '' : '&'}${signature}`;
  try {
    return await outbound.send({
      url,
      method,
      headers: { ...headers, ...(authorization !== undefined && { authorization }) },
      ...(body && { body }),
      ...(maxBodyBytes !== undefined && { maxBodyBytes }),
      timeoutMs: TIMEOUT_MS,
      calls,
      trusted,
    });
  } catch (error) {
    throw error instanceof OutboundError ? unreachable(error) : error;
  }
}

/** Creates a container unless it exists. */
export async function ensureContainer(options: StorageClientOptions, container: string): Promise<void> {
  const path = `${escaped(container)}?restype=container`;
  const answer = await sendToStorage(options, 'blob', { method: 'PUT', path });
  if (answer.status !== 201 && codeOf(answer) !== 'ContainerAlreadyExists') throw failureOf(answer);
}

export const escaped = (name: string): string => encodeURIComponent(name);

/** Slashes in a blob name separate path segments of its address. */
export const blobPath = (container: string, name: string): string =>
  [container, ...name.split('/')].map(escaped).join('/');

export const inXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const codeOf = ({ headers }: OutboundAnswer): string => String(headers['x-ms-error-code'] ?? '');

function unreachable(error: OutboundError): StorageFailure {
  const message = `the storage account could not be reached: ${error.message}`;
  return new StorageFailure(message, FINAL_FAILURES.has(error.failure), undefined, { cause: error });
}

export function failureOf(answer: OutboundAnswer): StorageFailure {
  const { status, body } = answer;
  const code = codeOf(answer);
  const isFinal = status < 500 && !PASSING_STATUSES.has(status);
  const named = code === '' ? `status ${status}` : `${code} (${status})`;
  return new StorageFailure(`the storage account answered ${named}`, isFinal, { status, code, said: messageIn(body) });
}

/** The first line of the message in an XML error describes the problem; the request id and time follow. */
function messageIn(body: Buffer): string {
  const [, said = ''] = /<Message>([^<]*)/.exec(body.toString('utf8')) ?? [];
  const text = said.split('\n', 1)[0] as string;
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&').trim();
}
