import {
  AccountSASPermissions,
  AccountSASResourceTypes,
  AccountSASServices,
  BlobServiceClient,
  generateAccountSASQueryParameters,
  type StorageSharedKeyCredential,
} from '@azure/storage-blob';
import type { AzuriteServer } from '../../../support/azurite.ts';
import type { StorageGate } from '../../../support/storage-gate.ts';

/** A connection string without a key, only with a signature made with it. */
export function signedConnection(gate: StorageGate): string {
  const { credential, url } = BlobServiceClient.fromConnectionString(gate.connectionString());
  const signature = generateAccountSASQueryParameters(
    {
      expiresOn: new Date(Date.now() + 3_600_000),
      permissions: AccountSASPermissions.parse('rwc'),
      resourceTypes: AccountSASResourceTypes.parse('co').toString(),
      services: AccountSASServices.parse('b').toString(),
    },
    credential as StorageSharedKeyCredential,
  );
  return `BlobEndpoint=${url};SharedAccessSignature=${signature}`;
}

export interface WrittenBlob {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into records of every kind
  readonly records: readonly any[];
}

const archiveOf = (azurite: AzuriteServer) =>
  BlobServiceClient.fromConnectionString(azurite.connectionString()).getContainerClient('archive');

export async function emptyStorage(azurite: AzuriteServer): Promise<void> {
  await archiveOf(azurite).deleteIfExists();
}

/** The blobs with records of this app, in name order. */
export async function writtenOf(azurite: AzuriteServer, app: { readonly id: string }): Promise<WrittenBlob[]> {
  const container = archiveOf(azurite);
  if (!(await container.exists())) return [];
  const written: WrittenBlob[] = [];
  for await (const { name } of container.listBlobsFlat()) {
    const records = JSON.parse((await container.getBlobClient(name).downloadToBuffer()).toString('utf8'));
    if (records[0]?.AppId === app.id) written.push({ name, records });
  }
  return written;
}
