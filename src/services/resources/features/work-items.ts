import { defineWork } from '../../../kernel/work/index.ts';

/** Completes the registration or unregistration of a feature after its answer. The key is that of the registration. */
export const FINISH_FEATURE = defineWork<{ readonly key: string }>('resources.finish-feature', {
  title: 'Finishes the registration of a feature',
  subject: 'key',
});

export const featureWorkId = (key: string): string => `resources.feature:${key}`;
