import { defineWork } from '../../../kernel/work/index.ts';

/** Gives up an upload that nobody goes on with. Whoever uses the upload cancels it; what is given up is removed by `DROP_BLOB`. */
export const ABANDON_BLOB = defineWork<{ readonly blob: string }>('platform.abandon-blob', { concurrency: 2 });

export const abandonBlobId = (blob: string): string => `platform.abandon-blob:${blob}`;

/** Removes the bytes of a file that is gone, or of an upload that was given up. */
export const DROP_BLOB = defineWork<{ readonly blob: string }>('platform.drop-blob', { concurrency: 2 });

export const dropBlobId = (blob: string): string => `platform.drop-blob:${blob}`;
