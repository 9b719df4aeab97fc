import { defineWork } from '../../../kernel/work/index.ts';

/** An upload that is not completed in time, was aborted, or was completed: its parts are removed. */
export const END_UPLOAD = defineWork<{ readonly upload: string }>('platform.end-upload', { concurrency: 2 });

export const endUploadId = (upload: string): string => `platform.end-upload:${upload}`;

export const FILE_WORK = [END_UPLOAD] as const;
