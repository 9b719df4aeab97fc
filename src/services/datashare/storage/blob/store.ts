import type { Calls } from '../../../../kernel/outbound/index.ts';
import type { BlobClient, BlobHead, ListedBlob } from '../../../../kernel/outbound/storage/index.ts';
import { blobNameMistake, checkBlobName, checkContainer } from '../names.ts';
import { storageProblem } from '../problem.ts';
import type { FileDraft, FilePage, FileReader, FileStore, StoredFile } from '../types.ts';
import { BlobDraft } from './draft.ts';
import { answeredWith, retrying } from './requests.ts';

const PAGE = 500;

/** An account in blob storage. The version of a file is its blob's etag. */
export class BlobFileStore implements FileStore {
  readonly #account: string;
  readonly #client: BlobClient;

  readonly #calls: Calls;

  constructor(account: string, client: BlobClient, calls: Calls) {
    this.#account = account;
    this.#client = client;
    this.#calls = calls;
  }

  async *list(container: string, folder: string, cursor?: string): AsyncGenerator<FilePage> {
    checkContainer(container);
    if (folder !== '') checkBlobName(folder);
    const prefix = folder === '' ? '' : `${folder}/`;
    for (let marker = cursor; ; ) {
      const page = { prefix, limit: PAGE, ...(marker !== undefined && { marker }) };
      const { blobs, next } = await this.#send(() => this.#inContainer(container, this.#client.list(container, page)));
      const found = blobs.filter((blob) => !isFolderMarker(blob));
      const files = found.filter(({ name }) => isReachable(name)).map(fileOf);
      yield { files, skipped: found.length - files.length, ...(next !== undefined && { next }) };
      if (next === undefined) return;
      marker = next;
    }
  }

  async stat(container: string, name: string): Promise<StoredFile | undefined> {
    checkContainer(container);
    checkBlobName(name);
    const head = await this.#send(() => this.#client.head(container, name));
    return head && fileOf(head);
  }

  async open(container: string, { name, size, version }: StoredFile): Promise<FileReader> {
    checkContainer(container);
    checkBlobName(name);
    const blob = { name, size, etag: version };
    return {
      read: async (offset, into) => {
        if (into.length === 0) return;
        const read = () => this.#client.read(container, blob, offset, into.length);
        into.set(await this.#send(() => this.#ofVersion(name, read())));
      },
      close: async () => {},
    };
  }

  async put(container: string, name: string, bytes: Uint8Array): Promise<void> {
    checkContainer(container);
    checkBlobName(name);
    await this.#write(container, () => this.#client.write(container, name, bytes));
  }

  async draft(container: string, name: string, draftId: string): Promise<FileDraft> {
    checkContainer(container);
    checkBlobName(name);
    const send = <R>(request: () => Promise<R>): Promise<R> => this.#write(container, request);
    return BlobDraft.open({ client: this.#client, container, name, id: draftId, send });
  }

  async remove(container: string, name: string): Promise<void> {
    checkContainer(container);
    checkBlobName(name);
    await this.#send(() => this.#client.delete(container, name));
  }

  /** The service removes uncommitted blocks itself. */
  async forgetDrafts(): Promise<void> {}

  #send<R>(request: () => Promise<R>): Promise<R> {
    return retrying({ account: this.#account, calls: this.#calls }, request);
  }

  /** Creates the container only after a request fails because it is missing; a check before every write would double the requests. */
  #write<R>(container: string, request: () => Promise<R>): Promise<R> {
    return this.#send(async () => {
      try {
        return await request();
      } catch (error) {
        if (!answeredWith(error, 404, 'ContainerNotFound')) throw error;
        await this.#client.ensureContainer(container);
        return request();
      }
    });
  }

  async #inContainer<R>(container: string, answer: Promise<R>): Promise<R> {
    return answer.catch((error) => {
      if (!answeredWith(error, 404)) throw error;
      throw storageProblem('ContainerNotFound', { account: this.#account, container }, { cause: error });
    });
  }

  /** Treats three statuses as a changed file: 412 means a different etag, 404 deleted, 416 shorter. */
  async #ofVersion<R>(name: string, answer: Promise<R>): Promise<R> {
    return answer.catch((error) => {
      if (![404, 412, 416].some((status) => answeredWith(error, status))) throw error;
      throw storageProblem('FileChanged', { name }, { cause: error });
    });
  }
}

/** Many tools represent an empty folder by an empty blob whose name ends with a slash. */
const isFolderMarker = ({ name, size, isFolder }: ListedBlob): boolean =>
  isFolder || (size === 0 && name.endsWith('/'));

const isReachable = (name: string): boolean => blobNameMistake(name) === undefined;

const fileOf = ({ name, size, etag }: BlobHead): StoredFile => ({ name, size, version: etag });
