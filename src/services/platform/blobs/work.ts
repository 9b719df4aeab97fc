import { defineWork } from '../../../kernel/work/index.ts';

/** Abandons an upload without progress. A claim of the upload cancels this item; `DROP_BLOB` removes the bytes of an abandoned upload. */
export const ABANDON_BLOB = defineWork<{ readonly blob: string }>('platform.abandon-blob', {
  title: 'Abandons an upload without progress',
  subject: 'blob',
  concurrency: 2,
});

export const abandonBlobId = (blob: string): string => `platform.abandon-blob:${blob}`;

/** Removes the bytes of a deleted file or an abandoned upload. */
export const DROP_BLOB = defineWork<{ readonly blob: string }>('platform.drop-blob', {
  title: 'Removes the bytes of a deleted file',
  subject: 'blob',
  concurrency: 2,
});

export const dropBlobId = (blob: string): string => `platform.drop-blob:${blob}`;
