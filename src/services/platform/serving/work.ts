import { defineWork } from '../../../kernel/work/index.ts';

/** The configuration that an endpoint is updated to has been deployed, or has failed to be. */
export const FINISH_UPDATE = defineWork<{ readonly key: string; readonly version: number }>(
  'platform.finish-serving-update',
  { concurrency: 8 },
);

export const finishUpdateId = (key: string): string => `${FINISH_UPDATE.kind}:${key}`;

/** An entity that had scaled to zero runs again. */
export const START_ENTITY = defineWork<{ readonly key: string }>('platform.start-served-entity', { concurrency: 8 });

export const startEntityId = (key: string): string => `${START_ENTITY.kind}:${key}`;

/** An endpoint is gone: what is kept of the use of its entities goes as well. */
export const REMOVE_USES = defineWork<{ readonly prefix: string }>('platform.remove-serving-uses');

/** The container of an entity is to be looked at. */
export const SYNC_MODEL = defineWork<{ readonly key: string }>('platform.sync-model', { concurrency: 8 });

export const syncModelId = (key: string): string => `${SYNC_MODEL.kind}:${key}`;

export const SERVING_WORK = [FINISH_UPDATE, START_ENTITY, REMOVE_USES, SYNC_MODEL] as const;
