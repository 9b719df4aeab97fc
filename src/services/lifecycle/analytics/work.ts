import { defineWork } from '../../../kernel/work/index.ts';

export interface AppDay {
  readonly appId: string;
  readonly day: string;
}

/** Deletes a day of an app's analytics. */
export const FORGET_DAY = defineWork<AppDay>('lifecycle.analytics-day', {
  title: "Deletes a day of an app's analytics",
  subject: 'appId',
  concurrency: 2,
});
