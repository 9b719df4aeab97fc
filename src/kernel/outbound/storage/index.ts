export { readStorageAccount, type StorageAccount } from './account.ts';
export { type MarkedBlob, StorageClient, StorageFailure } from './client.ts';
