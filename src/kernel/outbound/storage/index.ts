export { readStorageAccount, type StorageAccount } from './account.ts';
export { BlobClient, type BlobHead, type ListedBlob } from './blobs.ts';
export { type MarkedBlob, StorageClient } from './client.ts';
export { StorageFailure } from './request.ts';
