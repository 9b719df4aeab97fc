import { expireCluster, idleCluster, stepCluster, sweepCluster } from './clusters/steps.ts';
import { runCommands } from './contexts/run.ts';
import { stepLibraries } from './libraries/install.ts';

/** What does the due work of compute. */
export const COMPUTE_HANDLERS = [
  stepCluster,
  idleCluster,
  expireCluster,
  sweepCluster,
  stepLibraries,
  runCommands,
] as const;
