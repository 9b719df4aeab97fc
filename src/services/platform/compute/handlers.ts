import { shrinkCluster } from './clusters/autoscale.ts';
import { expireCluster, idleCluster, stepCluster, sweepCluster } from './clusters/steps.ts';
import { syncContext } from './contexts/containers/sync.ts';
import { runCommands } from './contexts/run.ts';
import { stepLibraries } from './libraries/install.ts';

/** Work handlers of compute. */
export const COMPUTE_HANDLERS = [
  stepCluster,
  idleCluster,
  shrinkCluster,
  expireCluster,
  sweepCluster,
  stepLibraries,
  runCommands,
  syncContext,
] as const;
