import { defineWork } from '../../../kernel/work/index.ts';

/** Deletes an app's expired reports. */
export const REPORT_RETENTION = defineWork<{ readonly appId: string }>('lifecycle.report-retention', {
  title: 'Deletes the expired reports of an app',
  subject: 'appId',
  concurrency: 2,
});
