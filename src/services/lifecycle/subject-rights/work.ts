import { defineWork } from '../../../kernel/work/index.ts';

/** Executes the next step of a request. */
export const SUBJECT_STEP = defineWork<{ readonly token: string }>('lifecycle.subject-request', {
  title: 'Executes a step of a data subject request',
  concurrency: 2,
});

export const stepItem = (token: string): string => `${SUBJECT_STEP.kind}:${token}`;
