import { defineWork } from '../../../kernel/work/index.ts';

/** Deletes the reports of an app that are too old. */
export const REPORT_RETENTION = defineWork<{ readonly appId: string }>('lifecycle.report-retention', {
  concurrency: 2,
});
