import { defineWork } from '../../../kernel/work/index.ts';

interface OfExperiment {
  readonly workspaceId: string;
  readonly id: string;
}

/** The time to restore a deleted experiment has passed. */
export const PURGE_EXPERIMENT = defineWork<OfExperiment>('platform.purge-experiment', {
  title: 'Removes a deleted experiment',
  subject: 'id',
  concurrency: 2,
});

export const purgeExperimentId = (workspaceId: string, id: string): string =>
  `platform.purge-experiment:${workspaceId}/${id}`;

/** The time to restore deleted runs of an experiment has passed. One item for all of its runs, woken by each deletion. */
export const PURGE_RUNS = defineWork<OfExperiment>('platform.purge-runs', {
  title: 'Removes deleted runs of an experiment',
  subject: 'id',
  concurrency: 2,
});

export const purgeRunsId = (workspaceId: string, id: string): string => `platform.purge-runs:${workspaceId}/${id}`;

export const TRACKING_WORK = [PURGE_EXPERIMENT, PURGE_RUNS] as const;
