import { defineWork } from '../../../kernel/work/index.ts';

/** Removes the bytes of a file that is gone, or of an upload that nobody finished. */
export const DROP_BLOB = defineWork<{ readonly blob: string }>('platform.drop-blob', { concurrency: 2 });

export const dropBlobId = (blob: string): string => `platform.drop-blob:${blob}`;
