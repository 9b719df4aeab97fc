import { wallNow } from '../../time/timers.ts';
import type { Calls } from '../calls.ts';
import type { OutboundAnswer, OutboundClient } from '../client.ts';
import { OutboundError, type OutboundFailure } from '../errors.ts';
import type { StorageAccount, StorageService } from './account.ts';
import { sharedKey, type Unsigned } from './sign.ts';

/** Why a storage account did not do what it was asked for, in words without secrets. */
export class StorageFailure extends Error {
  /** It will be the same the next time: somebody has to change something. */
  readonly isFinal: boolean;
  /** What the account answered; absent where it did not. */
  readonly answer?: { readonly status: number; readonly code: string; readonly said: string };

  constructor(message: string, isFinal: boolean, answer?: StorageFailure['answer'], options?: ErrorOptions) {
    super(message, options);
    this.isFinal = isFinal;
    if (answer) this.answer = answer;
  }
}

export interface Blob {
  readonly container: string;
  readonly name: string;
  readonly body: string;
  readonly contentType: string;
}

export interface MarkedBlob extends Blob {
  /** Kept with it, to be known again by. */
  readonly mark: string;
}

export interface QueueMessage {
  readonly queue: string;
  readonly text: string;
  /** -1 for ever. */
  readonly secondsToLive: number;
}

export interface StorageClientOptions {
  readonly outbound: Pick<OutboundClient, 'send'>;
  readonly account: StorageAccount;
  readonly calls: Calls;
  /** The account was configured by whoever runs the jar, not named by a user: the guard has no part in it. */
  readonly trusted?: boolean;
}

const VERSION = '2021-08-06';
const TIMEOUT_MS = 60_000;
const MARK = 'x-ms-meta-batch';
/** Busy, or not the fault of the request. */
const PASSING_STATUSES = new Set([404, 408, 409, 429]);
const FINAL_FAILURES: ReadonlySet<OutboundFailure> = new Set(['Blocked', 'BadAddress']);

interface Sent {
  readonly method: Unsigned['method'];
  /** Escaped, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Blobs and queue messages by the protocol of storage accounts, through the jar's one way out. It tries nothing again: that is up to its callers and the jar's clock. */
export class StorageClient {
  readonly #options: StorageClientOptions;

  constructor(options: StorageClientOptions) {
    this.#options = options;
  }

  async ensureContainer(container: string): Promise<void> {
    const answer = await this.#send('blob', { method: 'PUT', path: `${escaped(container)}?restype=container` });
    if (answer.status !== 201 && codeOf(answer) !== 'ContainerAlreadyExists') throw failureOf(answer);
  }

  /** False, and nothing written, where there is another blob of that name. One with the same mark is this one, written before. */
  async writeNew(blob: MarkedBlob): Promise<boolean> {
    const answer = await this.#put(blob, { 'if-none-match': '*' });
    if (answer.status === 201) return true;
    if (answer.status !== 412 && codeOf(answer) !== 'BlobAlreadyExists') throw failureOf(answer);
    const existing = await this.#send('blob', { method: 'HEAD', path: pathOf(blob) });
    if (existing.status !== 200) throw failureOf(existing);
    return existing.headers[MARK] === blob.mark;
  }

  /** Whatever was there before. */
  async overwrite(blob: Blob | MarkedBlob): Promise<void> {
    const answer = await this.#put(blob, {});
    if (answer.status !== 201) throw failureOf(answer);
  }

  async putMessage({ queue, text, secondsToLive }: QueueMessage): Promise<void> {
    const body = `<?xml version="1.0" encoding="utf-8"?><QueueMessage><MessageText>${inXml(text)}</MessageText></QueueMessage>`;
    const path = `${escaped(queue)}/messages?messagettl=${secondsToLive}`;
    const headers = { 'content-type': 'application/xml; charset=utf-8' };
    const answer = await this.#send('queue', { method: 'POST', path, headers, body });
    if (answer.status !== 201) throw failureOf(answer);
  }

  #put(blob: Blob | MarkedBlob, condition: Readonly<Record<string, string>>): Promise<OutboundAnswer> {
    const { body, contentType } = blob;
    const own = {
      'content-type': contentType,
      'x-ms-blob-type': 'BlockBlob',
      ...('mark' in blob && { [MARK]: blob.mark }),
    };
    return this.#send('blob', { method: 'PUT', path: pathOf(blob), headers: { ...own, ...condition }, body });
  }

  async #send(service: StorageService, { method, path, headers: given, body: text }: Sent): Promise<OutboundAnswer> {
    const { outbound, account, calls, trusted = false } = this.#options;
    const { endpoints, key, signature } = account;
    const endpoint = endpoints[service];
    if (endpoint === undefined)
      throw unreachable(new OutboundError('BadAddress', `it has no endpoint for its ${service}s`));
    const url = new URL(`${endpoint}/${path}`);
    const body = text === undefined ? undefined : Buffer.from(text, 'utf8');
    // The other side goes by its own clock, whatever this jar's shows.
    const headers = { ...given, 'x-ms-date': new Date(wallNow()).toUTCString(), 'x-ms-version': VERSION };
    const authorization = key && sharedKey({ ...account, key }, { method, url, headers, bytes: body?.length ?? 0 });
    if (signature !== undefined) url.search += `${url.search === '' ? '' : '&'}${signature}`;
    try {
      return await outbound.send({
        url,
        method,
        headers: { ...headers, ...(authorization !== undefined && { authorization }) },
        ...(body && { body }),
        timeoutMs: TIMEOUT_MS,
        calls,
        trusted,
      });
    } catch (error) {
      throw error instanceof OutboundError ? unreachable(error) : error;
    }
  }
}

const escaped = (name: string): string => encodeURIComponent(name);

/** A slash in the name of a blob is part of its address. */
const pathOf = ({ container, name }: Blob): string => [container, ...name.split('/')].map(escaped).join('/');

const inXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const codeOf = ({ headers }: OutboundAnswer): string => String(headers['x-ms-error-code'] ?? '');

function unreachable(error: OutboundError): StorageFailure {
  const message = `the storage account could not be reached: ${error.message}`;
  return new StorageFailure(message, FINAL_FAILURES.has(error.failure), undefined, { cause: error });
}

function failureOf(answer: OutboundAnswer): StorageFailure {
  const { status, body } = answer;
  const code = codeOf(answer);
  const isFinal = status < 500 && !PASSING_STATUSES.has(status);
  const named = code === '' ? `status ${status}` : `${code} (${status})`;
  return new StorageFailure(`the storage account answered ${named}`, isFinal, { status, code, said: messageIn(body) });
}

/** The first line of the message in an error's XML says what is wrong; what follows is the request's number and time. */
function messageIn(body: Buffer): string {
  const [, said = ''] = /<Message>([^<]*)/.exec(body.toString('utf8')) ?? [];
  const text = said.split('\n', 1)[0] as string;
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&').trim();
}
