import { defineWork } from '../../../kernel/work/index.ts';

/** The transition that a cluster is in has come to its end. */
export const STEP_CLUSTER = defineWork<{ readonly key: string }>('platform.step-cluster', { concurrency: 8 });

/** A cluster may have been idle for as long as it may be. */
export const IDLE_CLUSTER = defineWork<{ readonly key: string }>('platform.idle-cluster', { concurrency: 8 });

/** A cluster that scales by itself may have had too many workers for long. */
export const AUTOSCALE_CLUSTER = defineWork<{ readonly key: string }>('platform.autoscale-cluster', { concurrency: 4 });

/** A cluster has been terminated for long: it leaves lists, and later everything of it is removed. */
export const EXPIRE_CLUSTER = defineWork<{ readonly key: string }>('platform.expire-cluster', { concurrency: 4 });

/** Removes what is left of a cluster, or of the contexts that a cluster had. */
export const SWEEP_CLUSTER = defineWork<{
  readonly key: string;
  /** What is gone. */
  readonly of: 'context' | 'cluster';
}>('platform.sweep-cluster', { concurrency: 2 });

/** A library of a cluster reaches its next status. */
export const STEP_LIBRARIES = defineWork<{ readonly key: string }>('platform.step-libraries', { concurrency: 4 });

/** Runs the commands of a context, one after another. */
export const RUN_COMMANDS = defineWork<{ readonly key: string }>('platform.run-commands', { concurrency: 16 });

/** Looks at the container of a context. */
export const SYNC_CONTEXT = defineWork<{ readonly key: string }>('platform.sync-context', { concurrency: 8 });

export const COMPUTE_WORK = [
  STEP_CLUSTER,
  IDLE_CLUSTER,
  AUTOSCALE_CLUSTER,
  EXPIRE_CLUSTER,
  SWEEP_CLUSTER,
  STEP_LIBRARIES,
  RUN_COMMANDS,
  SYNC_CONTEXT,
] as const;

/** One item of a kind for each cluster or context. */
export const workId = ({ kind }: { readonly kind: string }, key: string): string => `${kind}:${key}`;
