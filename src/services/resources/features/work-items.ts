import { defineWork } from '../../../kernel/work/index.ts';

/** A registration of a feature, or its end, goes on after its answer. The key is that of the registration. */
export const FINISH_FEATURE = defineWork<{ readonly key: string }>('resources.finish-feature');

export const featureWorkId = (key: string): string => `resources.feature:${key}`;
