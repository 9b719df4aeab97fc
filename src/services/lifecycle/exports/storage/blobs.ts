import { wallNow } from '../../../../kernel/clock/timers.ts';
import type { Calls } from '../../../../kernel/outbound/calls.ts';
import type { OutboundAnswer, OutboundClient } from '../../../../kernel/outbound/client.ts';
import { OutboundError, type OutboundFailure } from '../../../../kernel/outbound/errors.ts';
import type { StorageAccount } from './connection-string.ts';
import { sharedKey, type Unsigned } from './sign.ts';

/** Why a storage account could not be written to, in words without secrets. */
export class StorageFailure extends Error {
  /** It will be the same the next time: somebody has to change something. */
  readonly isFinal: boolean;
  readonly status: number | undefined;
  constructor(message: string, isFinal: boolean, status?: number) {
    super(message);
    this.isFinal = isFinal;
    this.status = status;
  }
}

export interface Blob {
  readonly container: string;
  readonly name: string;
  readonly body: string;
  readonly contentType: string;
  /** Kept with it, to be known again by. */
  readonly mark: string;
}

const VERSION = '2021-08-06';
const TIMEOUT_MS = 60_000;
const MARK = 'x-ms-meta-batch';
/** Busy, or not the fault of the request. */
const PASSING_STATUSES = new Set([404, 408, 409, 429]);
const FINAL_FAILURES: ReadonlySet<OutboundFailure> = new Set(['Blocked', 'BadAddress']);

/** Writes blobs by the protocol of storage accounts, through the jar's one way out and its guard. */
export class BlobStorage {
  readonly #outbound: OutboundClient;
  readonly #account: StorageAccount;
  readonly #calls: Calls;

  constructor(outbound: OutboundClient, account: StorageAccount, calls: Calls) {
    this.#outbound = outbound;
    this.#account = account;
    this.#calls = calls;
  }

  async ensureContainer(container: string): Promise<void> {
    const answer = await this.#send('PUT', `${container}?restype=container`);
    if (answer.status !== 201 && codeOf(answer) !== 'ContainerAlreadyExists') throw failureOf(answer);
  }

  /** False, and nothing written, where there is another one of that name. One with the same mark is this one, written before. */
  async writeNew(blob: Blob): Promise<boolean> {
    const answer = await this.#put(blob, { 'if-none-match': '*' });
    if (answer.status === 201) return true;
    if (answer.status !== 412 && codeOf(answer) !== 'BlobAlreadyExists') throw failureOf(answer);
    const existing = await this.#send('HEAD', `${blob.container}/${blob.name}`);
    if (existing.status !== 200) throw failureOf(existing);
    return existing.headers[MARK] === blob.mark;
  }

  /** Whatever was there before. */
  async overwrite(blob: Blob): Promise<void> {
    const answer = await this.#put(blob, {});
    if (answer.status !== 201) throw failureOf(answer);
  }

  #put(
    { container, name, body, contentType, mark }: Blob,
    condition: Readonly<Record<string, string>>,
  ): Promise<OutboundAnswer> {
    const headers = { 'content-type': contentType, 'x-ms-blob-type': 'BlockBlob', [MARK]: mark, ...condition };
    return this.#send('PUT', `${container}/${name}`, headers, Buffer.from(body, 'utf8'));
  }

  async #send(
    method: Unsigned['method'],
    path: string,
    given: Readonly<Record<string, string>> = {},
    body?: Buffer,
  ): Promise<OutboundAnswer> {
    const { endpoint, key, signature } = this.#account;
    const url = new URL(`${endpoint}/${path}`);
    // The other side goes by its own clock, whatever this jar's shows.
    const headers = { ...given, 'x-ms-date': new Date(wallNow()).toUTCString(), 'x-ms-version': VERSION };
    const authorization =
      key && sharedKey({ ...this.#account, key }, { method, url, headers, bytes: body?.length ?? 0 });
    if (signature !== undefined) url.search += `${url.search === '' ? '' : '&'}${signature}`;
    try {
      return await this.#outbound.send({
        url,
        method,
        headers: { ...headers, ...(authorization !== undefined && { authorization }) },
        ...(body && { body }),
        timeoutMs: TIMEOUT_MS,
        calls: this.#calls,
      });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw new StorageFailure(
        `the storage account could not be reached: ${error.message}`,
        FINAL_FAILURES.has(error.failure),
      );
    }
  }
}

const codeOf = ({ headers }: OutboundAnswer): string => String(headers['x-ms-error-code'] ?? '');

function failureOf(answer: OutboundAnswer): StorageFailure {
  const { status } = answer;
  const code = codeOf(answer);
  const isFinal = status < 500 && !PASSING_STATUSES.has(status);
  const said = code === '' ? `status ${status}` : `${code} (${status})`;
  return new StorageFailure(`the storage account answered ${said}`, isFinal, status);
}
