import { defineWork } from '../../../kernel/work/index.ts';
import { WAKES } from '../limits/wakes.ts';

/** Activates a new clean room. */
export const PROVISION_ROOM = defineWork<{ readonly room: string }>('platform.provision-clean-room', {
  title: 'Activates a new clean room',
  subject: 'room',
  concurrency: 4,
});

export const provisionId = (room: string): string => `${PROVISION_ROOM.kind}:${room}`;

/** Removes the remaining content of a deleted clean room. */
export const DROP_ROOM = defineWork<{ readonly room: string }>('platform.drop-clean-room', {
  title: 'Removes the content of a deleted clean room',
  subject: 'room',
  concurrency: 2,
});

export const dropId = (room: string): string => `${DROP_ROOM.kind}:${room}`;

/** Completes a notebook whose program has ended: writes its tables, and ends its task. The key is that of the run in the clean room. */
export const FINISH_NOTEBOOK = defineWork<{ readonly key: string }>('platform.finish-clean-room-notebook', {
  title: 'Finishes a notebook of a clean room',
  subject: 'key',
  concurrency: 4,
});

export const finishId = (key: string): string => `${FINISH_NOTEBOOK.kind}:${key}`;

/** Removes the output of a run, and later the record of the run. */
export const EXPIRE_RUN = defineWork<{ readonly key: string }>('platform.expire-clean-room-run', {
  title: 'Removes the output of a clean room run',
  subject: 'key',
  concurrency: 4,
});

export const expireId = (key: string): string => `${EXPIRE_RUN.kind}:${key}`;

/** The concurrency limit of tasks has changed: every clean room may have free slots. */
export const SLOTS_CHANGED = defineWork<object>(WAKES['clean-room-tasks'] as string, {
  title: 'Starts waiting tasks of clean rooms after a change of the limit',
  concurrency: 1,
});

export const CLEAN_ROOM_WORK = [PROVISION_ROOM, DROP_ROOM, FINISH_NOTEBOOK, EXPIRE_RUN, SLOTS_CHANGED] as const;
