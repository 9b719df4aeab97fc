import { defineWork } from '../../../kernel/work/index.ts';

/** Ends the current transition of a cluster. */
export const STEP_CLUSTER = defineWork<{ readonly key: string }>('platform.step-cluster', {
  title: 'Ends a transition of a cluster',
  subject: 'key',
  concurrency: 8,
});

/** Checks whether a cluster has reached its idle time. */
export const IDLE_CLUSTER = defineWork<{ readonly key: string }>('platform.idle-cluster', {
  title: 'Checks whether a cluster is idle',
  subject: 'key',
  concurrency: 8,
});

/** Checks whether an autoscaling cluster has had too many workers for too long. */
export const AUTOSCALE_CLUSTER = defineWork<{ readonly key: string }>('platform.autoscale-cluster', {
  title: 'Checks the number of workers of a cluster',
  subject: 'key',
  concurrency: 4,
});

/** Hides a terminated cluster from lists, and later removes it with all its data. */
export const EXPIRE_CLUSTER = defineWork<{ readonly key: string }>('platform.expire-cluster', {
  title: 'Removes a terminated cluster',
  subject: 'key',
  concurrency: 4,
});

/** Removes the remaining data of a cluster, or of a cluster's contexts. */
export const SWEEP_CLUSTER = defineWork<{
  readonly key: string;
  /** The kind of the removed object. */
  readonly of: 'context' | 'cluster';
}>('platform.sweep-cluster', {
  title: 'Removes the data of a removed cluster or context',
  subject: 'key',
  concurrency: 2,
});

/** Advances a cluster's libraries to their next status. */
export const STEP_LIBRARIES = defineWork<{ readonly key: string }>('platform.step-libraries', {
  title: 'Advances the libraries of a cluster',
  subject: 'key',
  concurrency: 4,
});

/** Runs the commands of a context, one after another. */
export const RUN_COMMANDS = defineWork<{ readonly key: string }>('platform.run-commands', {
  title: 'Runs the commands of a context',
  subject: 'key',
  concurrency: 16,
});

/** Reconciles the container of a context. */
export const SYNC_CONTEXT = defineWork<{ readonly key: string }>('platform.sync-context', {
  title: 'Reconciles the container of a context',
  subject: 'key',
  concurrency: 8,
});

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

/** One item of each kind per cluster or context. */
export const workId = ({ kind }: { readonly kind: string }, key: string): string => `${kind}:${key}`;
