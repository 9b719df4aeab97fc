import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BlobServiceClient } from '@azure/storage-blob';
import { onTestFinished, type TestContext } from 'vitest';
import { OutboundClient } from '../../../../src/kernel/outbound/client.ts';
import { Calls } from '../../../../src/kernel/outbound/index.ts';
import { FolderFileStore } from '../../../../src/services/datashare/storage/folder/store.ts';
import {
  type FileStore,
  openStorage,
  type Storage,
  type StoredFile,
} from '../../../../src/services/datashare/storage/index.ts';
import { fastFolder } from '../../../support/fast-folder.ts';
import { useAzurite } from '../../../support/use-azurite.ts';

/** A storage account, and access to its files that bypasses the store. */
export interface Account {
  readonly name: string;
  readonly storage: Storage;
  readonly files: FileStore;
  fill(container: string, name: string, content: string | Uint8Array): Promise<void>;
  content(container: string, name: string): Promise<string | undefined>;
  ensureContainer(container: string): Promise<void>;
}

export interface Backend {
  readonly name: string;
  open(context: Pick<TestContext, 'skip'>): Promise<Account>;
}

/** Every file is synced, which is slow on a shared disk. */
const BASE = await fastFolder();

export function newFolder(): string {
  const folder = mkdtempSync(join(BASE, 'cloudjar-share-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function folderStorage(root: string): Storage {
  const outbound = {
    send: () => Promise.reject(new Error('a folder sends nothing')),
  };
  return openStorage({ root, accounts: {}, outbound, calls: new Calls() });
}

const folder = (name: string, byDescriptor: boolean): Backend => ({
  name,
  async open() {
    const root = newFolder();
    const path = (container: string, file: string): string => join(root, 'shop', container, file);
    return {
      name: 'shop',
      storage: folderStorage(root),
      files: new FolderFileStore(root, 'shop', byDescriptor),
      async fill(container, file, content) {
        mkdirSync(dirname(path(container, file)), { recursive: true });
        writeFileSync(path(container, file), content);
      },
      content: async (container, file) =>
        existsSync(path(container, file)) ? readFileSync(path(container, file), 'latin1') : undefined,
      ensureContainer: async (container) => void mkdirSync(path(container, ''), { recursive: true }),
    };
  },
});

const azurite: Backend = {
  name: 'blob storage',
  async open(context) {
    const server = await useAzurite(context);
    const connection = server.connectionString();
    const client = BlobServiceClient.fromConnectionString(connection);
    const outbound = new OutboundClient({
      host: '127.0.0.1',
      allowHttpLoopback: false,
      ownPorts: () => [],
      authority: async () => '',
    });
    onTestFinished(() => outbound.close());
    const name = 'devstoreaccount1';
    const storage = openStorage({ root: newFolder(), accounts: { [name]: connection }, outbound, calls: new Calls() });
    return {
      name,
      storage,
      files: storage.account(name),
      async fill(container, file, content) {
        const holder = client.getContainerClient(container);
        await holder.createIfNotExists();
        const bytes = Buffer.from(content as string);
        await holder.getBlockBlobClient(file).upload(bytes, bytes.length);
      },
      async content(container, file) {
        const blob = client.getContainerClient(container).getBlobClient(file);
        return (await blob.exists()) ? (await blob.downloadToBuffer()).toString('latin1') : undefined;
      },
      async ensureContainer(container) {
        await client.getContainerClient(container).createIfNotExists();
      },
    };
  },
};

export const folderBackend = folder('a folder, by descriptors', true);
export const azuriteBackend = azurite;
export const backends: readonly Backend[] = [folderBackend, folder('a folder, by paths', false), azurite];

let containers = 0;

/** Azurite is shared by the tests of a file. */
export const newContainer = (): string => `box-${process.pid}-${containers++}`;

export async function listed(files: FileStore, container: string, folder = '', cursor?: string): Promise<StoredFile[]> {
  const all: StoredFile[] = [];
  for await (const page of files.list(container, folder, cursor)) all.push(...page.files);
  return all;
}

export const namesOf = (files: readonly StoredFile[]): string[] => files.map(({ name }) => name);

export async function readWhole(files: FileStore, container: string, file: StoredFile): Promise<string> {
  const reader = await files.open(container, file);
  const bytes = Buffer.alloc(file.size);
  try {
    await reader.read(0, bytes);
  } finally {
    await reader.close();
  }
  return bytes.toString('latin1');
}
