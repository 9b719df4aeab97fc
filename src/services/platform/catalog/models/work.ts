import { defineWork } from '../../../../kernel/work/index.ts';

/** Removes the remaining versions of a removed model. */
export const REMOVE_VERSIONS = defineWork<{ readonly metastore: string; readonly model: string }>(
  'platform.remove-model-versions',
  { title: 'Removes the versions of a removed model', subject: 'model', concurrency: 4 },
);

export const versionRemovalId = (model: string): string => `platform.remove-model-versions:${model}`;

/** Fails a version whose files were never completed. */
export const FAIL_VERSION = defineWork<{ readonly model: string; readonly version: number }>(
  'platform.fail-model-version',
  { title: 'Fails a model version without files', subject: 'model', concurrency: 4 },
);

export const failureId = (model: string, version: number): string => `platform.fail-model-version:${model}/${version}`;

export const MODEL_WORK = [REMOVE_VERSIONS, FAIL_VERSION] as const;
