import { defineWork } from '../../../kernel/work/index.ts';

/** Ends an upload that expired, was aborted or was completed: removes its parts. */
export const END_UPLOAD = defineWork<{ readonly upload: string }>('platform.end-upload', {
  title: 'Removes the parts of an ended upload',
  subject: 'upload',
  concurrency: 2,
});

export const endUploadId = (upload: string): string => `platform.end-upload:${upload}`;

export const FILE_WORK = [END_UPLOAD] as const;
