import { defineWork } from '../../../kernel/work/index.ts';

/** The deployment of an endpoint's pending configuration ends, successfully or not. */
export const FINISH_UPDATE = defineWork<{ readonly key: string; readonly version: number }>(
  'platform.finish-serving-update',
  { title: 'Finishes the deployment of a serving endpoint', subject: 'key', concurrency: 8 },
);

export const finishUpdateId = (key: string): string => `${FINISH_UPDATE.kind}:${key}`;

/** An entity that had scaled to zero is running again. */
export const START_ENTITY = defineWork<{ readonly key: string }>('platform.start-served-entity', {
  title: 'Starts a served entity',
  subject: 'key',
  concurrency: 8,
});

export const startEntityId = (key: string): string => `${START_ENTITY.kind}:${key}`;

/** Deletes the use records of the entities of a deleted endpoint. */
export const REMOVE_USES = defineWork<{ readonly prefix: string }>('platform.remove-serving-uses', {
  title: 'Deletes the use records of a deleted serving endpoint',
  subject: 'prefix',
});

/** Synchronises the container of an entity. */
export const SYNC_MODEL = defineWork<{ readonly key: string }>('platform.sync-model', {
  title: 'Reconciles the container of a served entity',
  subject: 'key',
  concurrency: 8,
});

export const syncModelId = (key: string): string => `${SYNC_MODEL.kind}:${key}`;

export const SERVING_WORK = [FINISH_UPDATE, START_ENTITY, REMOVE_USES, SYNC_MODEL] as const;
