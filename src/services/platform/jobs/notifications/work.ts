import { defineWork } from '../../../../kernel/work/index.ts';

/** A run or task has reached the expected duration of its health rule. The keys are those of the documents. */
export const WARN_DURATION = defineWork<{ readonly run: string; readonly task?: string }>('platform.warn-duration', {
  title: 'Warns of a run that takes too long',
  subject: 'run',
  concurrency: 4,
});
