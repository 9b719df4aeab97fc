import { defineWork } from '../../../../kernel/work/index.ts';

/** A run, or a task of it, has taken as long as its health rule expects. The keys are those of the documents. */
export const WARN_DURATION = defineWork<{ readonly run: string; readonly task?: string }>('platform.warn-duration', {
  concurrency: 4,
});
