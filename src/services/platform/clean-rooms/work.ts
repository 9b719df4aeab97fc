import { defineWork } from '../../../kernel/work/index.ts';
import { WAKES } from '../limits/wakes.ts';

/** A new clean room can be used. */
export const PROVISION_ROOM = defineWork<{ readonly room: string }>('platform.provision-clean-room', {
  concurrency: 4,
});

export const provisionId = (room: string): string => `${PROVISION_ROOM.kind}:${room}`;

/** What lay in a deleted clean room is left. */
export const DROP_ROOM = defineWork<{ readonly room: string }>('platform.drop-clean-room', { concurrency: 2 });

export const dropId = (room: string): string => `${DROP_ROOM.kind}:${room}`;

/** The program of a notebook has ended: the tables that it made are written, and its task ends. The key is that of the run in the clean room. */
export const FINISH_NOTEBOOK = defineWork<{ readonly key: string }>('platform.finish-clean-room-notebook', {
  concurrency: 4,
});

export const finishId = (key: string): string => `${FINISH_NOTEBOOK.kind}:${key}`;

/** The output of a run expires, and later the record of the run. */
export const EXPIRE_RUN = defineWork<{ readonly key: string }>('platform.expire-clean-room-run', { concurrency: 4 });

export const expireId = (key: string): string => `${EXPIRE_RUN.kind}:${key}`;

/** The limit of tasks that run at once has changed: there may be places in any clean room. */
export const PLACES_CHANGED = defineWork<object>(WAKES['clean-room-tasks'] as string, { concurrency: 1 });

export const CLEAN_ROOM_WORK = [PROVISION_ROOM, DROP_ROOM, FINISH_NOTEBOOK, EXPIRE_RUN, PLACES_CHANGED] as const;
