import type { OutboundAnswer } from '../client.ts';
import {
  blobPath,
  ensureContainer,
  escaped,
  failureOf,
  inXml,
  type Sent,
  type StorageClientOptions,
  StorageFailure,
  sendToStorage,
} from './request.ts';
import { readXml, textAt, type XmlElement, XmlError } from './xml.ts';

export interface BlobHead {
  readonly name: string;
  readonly size: number;
  /** Without the quotes used in headers. */
  readonly etag: string;
}

export interface ListedBlob extends BlobHead {
  /** True for an entry without content that represents a folder, in accounts with hierarchical namespaces. */
  readonly isFolder: boolean;
}

export interface BlobList {
  readonly blobs: readonly ListedBlob[];
  /** The marker of the next page; absent on the last one. */
  readonly next?: string;
}

/** A name that XML cannot contain is percent-encoded and marked as such. */
interface ListOptions {
  readonly prefix?: string;
  readonly marker?: string;
  readonly limit: number;
}

export interface UncommittedBlock {
  readonly id: string;
  readonly size: number;
}

/** The maximum size of a page: names of 1,024 characters, each escaped, with a few hundred bytes of properties. */
const MOST_LIST_BYTES = 16 * 1024 * 1024;
const XML = { 'content-type': 'application/xml; charset=utf-8' };
const BYTES = 'application/octet-stream';

/** Reads and writes blobs of any size in pieces, by the protocol of storage accounts. Like `StorageClient`, it does not retry. */
export class BlobClient {
  readonly #options: StorageClientOptions;

  constructor(options: StorageClientOptions) {
    this.#options = options;
  }

  /** Lists a page of the blobs in a container. Rejects with code `ContainerNotFound` if the container does not exist. */
  async list(container: string, { prefix, marker, limit }: ListOptions): Promise<BlobList> {
    const query = ['restype=container', 'comp=list', `maxresults=${limit}`, 'include=metadata'];
    if (prefix) query.push(`prefix=${escaped(prefix)}`);
    if (marker) query.push(`marker=${escaped(marker)}`);
    const path = `${escaped(container)}?${query.join('&')}`;
    const answer = await this.#send({ method: 'GET', path, maxBodyBytes: MOST_LIST_BYTES }, 200);
    const list = xmlIn(answer);
    const blobs = list.children.find(({ name }) => name === 'Blobs')?.children ?? [];
    const next = textAt(list, 'NextMarker');
    return { blobs: blobs.filter(({ name }) => name === 'Blob').map(listedBlob), ...(next && { next }) };
  }

  async head(container: string, name: string): Promise<BlobHead | undefined> {
    const answer = await sendToStorage(this.#options, 'blob', { method: 'HEAD', path: blobPath(container, name) });
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw failureOf(answer);
    return { name, size: Number(answer.headers['content-length'] ?? 0), etag: etagOf(answer) };
  }

  /** Reads `length` bytes from `offset`, if the blob still has this etag; otherwise the response is 412. */
  async read(container: string, { name, etag }: BlobHead, offset: number, length: number): Promise<Buffer> {
    const answer = await this.#send(
      {
        method: 'GET',
        path: blobPath(container, name),
        headers: { 'x-ms-range': `bytes=${offset}-${offset + length - 1}`, 'if-match': `"${etag}"` },
        maxBodyBytes: length,
      },
      206,
    );
    if (answer.truncated || answer.body.length !== length) {
      throw new StorageFailure(`the storage account sent ${answer.body.length} bytes instead of ${length}`, false);
    }
    return answer.body;
  }

  /** Creates or replaces a blob; returns its etag. */
  async write(container: string, name: string, body: Uint8Array): Promise<string> {
    const headers = { 'content-type': BYTES, 'x-ms-blob-type': 'BlockBlob' };
    return etagOf(await this.#send({ method: 'PUT', path: blobPath(container, name), headers, body }, 201));
  }

  /** The block is not visible before `commitBlocks`. All block ids of a blob have the same length. */
  async putBlock(container: string, name: string, id: string, body: Uint8Array): Promise<void> {
    const path = `${blobPath(container, name)}?comp=block&blockid=${escaped(base64(id))}`;
    await this.#send({ method: 'PUT', path, headers: { 'content-type': BYTES }, body }, 201);
  }

  async uncommittedBlocks(container: string, name: string): Promise<readonly UncommittedBlock[]> {
    const path = `${blobPath(container, name)}?comp=blocklist&blocklisttype=uncommitted`;
    const answer = await sendToStorage(this.#options, 'blob', { method: 'GET', path, maxBodyBytes: MOST_LIST_BYTES });
    if (answer.status === 404) return [];
    if (answer.status !== 200) throw failureOf(answer);
    const uncommitted = xmlIn(answer).children.find((child) => child.name === 'UncommittedBlocks')?.children ?? [];
    return uncommitted.map((block) => ({
      id: Buffer.from(textAt(block, 'Name') ?? '', 'base64').toString('latin1'),
      size: Number(textAt(block, 'Size') ?? 0),
    }));
  }

  /** Creates the blob from these blocks in this order; returns its etag. The same blocks can be committed again. */
  async commitBlocks(container: string, name: string, ids: Iterable<string>): Promise<string> {
    const blocks = Array.from(ids, (id) => `<Latest>${inXml(base64(id))}</Latest>`).join('');
    const body = `<?xml version="1.0" encoding="utf-8"?><BlockList>${blocks}</BlockList>`;
    const headers = { ...XML, 'x-ms-blob-content-type': BYTES };
    const path = `${blobPath(container, name)}?comp=blocklist`;
    return etagOf(await this.#send({ method: 'PUT', path, headers, body }, 201));
  }

  /** Does nothing if the blob does not exist. */
  async delete(container: string, name: string): Promise<void> {
    const headers = { 'x-ms-delete-snapshots': 'include' };
    const path = blobPath(container, name);
    const answer = await sendToStorage(this.#options, 'blob', { method: 'DELETE', path, headers });
    if (answer.status !== 202 && answer.status !== 404) throw failureOf(answer);
  }

  ensureContainer(container: string): Promise<void> {
    return ensureContainer(this.#options, container);
  }

  async #send(sent: Sent, expected: number): Promise<OutboundAnswer> {
    const answer = await sendToStorage(this.#options, 'blob', sent);
    if (answer.status !== expected) throw failureOf(answer);
    return answer;
  }
}

const base64 = (id: string): string => Buffer.from(id, 'latin1').toString('base64');

const unquoted = (etag: string): string => etag.replace(/^"(.*)"$/, '$1');

const etagOf = ({ headers }: OutboundAnswer): string => unquoted(String(headers.etag ?? ''));

function listedBlob(blob: XmlElement): ListedBlob {
  const name = blob.children.find((child) => child.name === 'Name');
  const isEncoded = name?.attributes.Encoded === 'true';
  return {
    name: isEncoded ? decodeURIComponent(name?.text ?? '') : (name?.text ?? ''),
    size: Number(textAt(blob, 'Properties', 'Content-Length') ?? 0),
    etag: unquoted(textAt(blob, 'Properties', 'Etag') ?? ''),
    isFolder:
      textAt(blob, 'Properties', 'ResourceType') === 'directory' || textAt(blob, 'Metadata', 'hdi_isfolder') === 'true',
  };
}

function xmlIn({ body, truncated }: OutboundAnswer): XmlElement {
  try {
    if (truncated) throw new XmlError('it is too long');
    return readXml(body.toString('utf8'));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new StorageFailure(`the storage account sent a list that cannot be read: ${message}`, false);
  }
}
