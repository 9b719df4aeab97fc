import { type LegacyWork, lazyWork } from '../../../kernel/whole-service.ts';

/** Takes a request a step further. */
export const SUBJECT_STEP = 'lifecycle.subject-request';
export const stepItem = (token: string): string => `${SUBJECT_STEP}:${token}`;

export const SUBJECT_WORK: Readonly<Record<string, LegacyWork>> = {
  [SUBJECT_STEP]: lazyWork(() => import('./steps.ts').then((code) => code.takeStep), { concurrency: 2 }),
};
