import type { NewWork } from '../../../kernel/store/index.ts';
import { defineWork } from '../../../kernel/work/index.ts';

/** The files of a version have been copied. The key is that of the version. */
export const REGISTER_VERSION = defineWork<{ readonly key: string }>('platform.register-version', {
  title: 'Finishes the registration of a model version',
  subject: 'key',
  concurrency: 8,
});

export const registerId = (key: string): string => `${REGISTER_VERSION.kind}:${key}`;

/** Removes everything that belonged to a deleted model. The key was that of the model. */
export const PURGE_MODEL = defineWork<{ readonly key: string }>('platform.purge-model', {
  title: 'Removes the data of a deleted model',
  subject: 'key',
  concurrency: 2,
});

export const purgeModelWork = (key: string, now: number): NewWork =>
  PURGE_MODEL.at(now, { key }, `${PURGE_MODEL.kind}:${key}`);

export const REGISTRY_WORK = [REGISTER_VERSION, PURGE_MODEL] as const;
