import { readRepository } from './check-out.ts';
import { syncContainer } from './container.ts';
import { runIsDue, taskIsDue } from './due.ts';
import { roomIsFree } from './fill-room.ts';
import { limitHasChanged } from './room-changed.ts';

/** Handlers of the work kinds of runs. */
export const runningWork = [taskIsDue, runIsDue, syncContainer, roomIsFree, limitHasChanged, readRepository] as const;
