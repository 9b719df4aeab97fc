import { readRepository } from './check-out.ts';
import { syncContainer } from './container.ts';
import { runIsDue, taskIsDue } from './due.ts';
import { roomIsFree } from './fill-room.ts';

/** Handlers of the due work of runs. */
export const runningWork = [taskIsDue, runIsDue, syncContainer, roomIsFree, readRepository] as const;
