import { readRepository } from './check-out.ts';
import { syncContainer } from './container.ts';
import { runIsDue, taskIsDue } from './due.ts';
import { fillFreeSlots } from './fill-slots.ts';
import { slotLimitChanged } from './slot-limit-changed.ts';

/** Handlers of the work kinds of runs. */
export const runningWork = [
  taskIsDue,
  runIsDue,
  syncContainer,
  fillFreeSlots,
  slotLimitChanged,
  readRepository,
] as const;
