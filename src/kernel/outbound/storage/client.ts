import type { OutboundAnswer } from '../client.ts';
import {
  blobPath,
  codeOf,
  ensureContainer,
  escaped,
  failureOf,
  inXml,
  type Sent,
  type StorageClientOptions,
  sendToStorage,
} from './request.ts';

export interface Blob {
  readonly container: string;
  readonly name: string;
  readonly body: string;
  readonly contentType: string;
}

export interface MarkedBlob extends Blob {
  /** Stored with the blob to recognise it later. */
  readonly mark: string;
}

export interface QueueMessage {
  readonly queue: string;
  readonly text: string;
  /** -1 means for ever. */
  readonly secondsToLive: number;
}

const MARK = 'x-ms-meta-batch';

/**
 * Writes blobs and queue messages by the protocol of storage accounts, through the outbound client. It does not retry: callers do, by the
 * jar's clock.
 */
export class StorageClient {
  readonly #options: StorageClientOptions;

  constructor(options: StorageClientOptions) {
    this.#options = options;
  }

  ensureContainer(container: string): Promise<void> {
    return ensureContainer(this.#options, container);
  }

  /**
   * Returns false and writes nothing if another blob with this name exists. A blob with the same mark is this blob, written by an earlier
   * attempt.
   */
  async writeNew(blob: MarkedBlob): Promise<boolean> {
    const answer = await this.#put(blob, { 'if-none-match': '*' });
    if (answer.status === 201) return true;
    if (answer.status !== 412 && codeOf(answer) !== 'BlobAlreadyExists') throw failureOf(answer);
    const existing = await this.#blob({ method: 'HEAD', path: pathOf(blob) });
    if (existing.status !== 200) throw failureOf(existing);
    return existing.headers[MARK] === blob.mark;
  }

  /** Creates or replaces the blob. */
  async overwrite(blob: Blob | MarkedBlob): Promise<void> {
    const answer = await this.#put(blob, {});
    if (answer.status !== 201) throw failureOf(answer);
  }

  async putMessage({ queue, text, secondsToLive }: QueueMessage): Promise<void> {
    const body = `<?xml version="1.0" encoding="utf-8"?><QueueMessage><MessageText>${inXml(text)}</MessageText></QueueMessage>`;
    const path = `${escaped(queue)}/messages?messagettl=${secondsToLive}`;
    const headers = { 'content-type': 'application/xml; charset=utf-8' };
    const answer = await sendToStorage(this.#options, 'queue', { method: 'POST', path, headers, body });
    if (answer.status !== 201) throw failureOf(answer);
  }

  #put(blob: Blob | MarkedBlob, condition: Readonly<Record<string, string>>): Promise<OutboundAnswer> {
    const { body, contentType } = blob;
    const own = {
      'content-type': contentType,
      'x-ms-blob-type': 'BlockBlob',
      ...('mark' in blob && { [MARK]: blob.mark }),
    };
    return this.#blob({ method: 'PUT', path: pathOf(blob), headers: { ...own, ...condition }, body });
  }

  #blob(sent: Sent): Promise<OutboundAnswer> {
    return sendToStorage(this.#options, 'blob', sent);
  }
}

const pathOf = ({ container, name }: Blob): string => blobPath(container, name);
