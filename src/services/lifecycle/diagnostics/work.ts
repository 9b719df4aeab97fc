import { defineWork } from '../../../kernel/work/index.ts';

/** Deletes an app's expired reports. */
export const REPORT_RETENTION = defineWork<{ readonly appId: string }>('lifecycle.report-retention', {
  concurrency: 2,
});
