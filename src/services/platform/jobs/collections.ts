import { boolean, collection, number, set, text } from '../../../kernel/store/index.ts';
import { readersOf } from '../permissions/acl.ts';
import type { Job } from './job.ts';
import type { Run, RunPlan, RunState } from './run.ts';
import type { GitSource, NotebookSource, TaskInputs, TaskOutput, TaskRun } from './task-run.ts';
import { hasImageLogin, IMAGE_LOGINS, withoutImageLogins } from './travel.ts';

const ACTIVE: ReadonlySet<RunState> = new Set(['BLOCKED', 'PENDING', 'RUNNING', 'WAITING', 'TERMINATING']);

export const jobs = collection<Job>('platform.jobs', {
  fields: {
    workspace: text((it) => it.workspaceId),
    name: text((it) => it.settings.name?.toLowerCase()),
    createdAt: number((it) => it.createdAt),
    readers: set(readersOf),
  },
  indexes: [
    ['workspace', 'createdAt'],
    ['workspace', 'name', 'createdAt'],
  ],
  secrets: {
    ...IMAGE_LOGINS,
    name: ({ settings, id }) => settings.name ?? id,
    remove: (job) => (hasImageLogin(job.settings) ? { ...job, settings: withoutImageLogins(job.settings) } : job),
  },
});

export const runs = collection<Run>('platform.runs', {
  fields: {
    workspace: text((it) => it.workspaceId),
    job: text(({ workspaceId, jobId }) => jobId && `${workspaceId}/${jobId}`),
    /** Counts towards `max_concurrent_runs` of the job. */
    active: boolean(({ state }) => ACTIVE.has(state)),
    ended: boolean(({ state }) => state === 'TERMINATED'),
    queued: boolean(({ state }) => state === 'QUEUED'),
    createdAt: number((it) => it.createdAt),
    /** Number of the run within its job: orders runs that were created at the same instant. */
    number: number((it) => it.number),
    /** `start_time` on the wire. */
    startTime: number(({ startedAt, createdAt }) => startedAt ?? createdAt),
    /** Lists begin with active runs, followed by ended runs ordered by their end. */
    listedAt: number(({ endedAt, startedAt, createdAt }) => endedAt ?? startedAt ?? createdAt),
    endedAt: number((it) => it.endedAt),
    type: text((it) => it.type),
    readers: set(readersOf),
  },
  indexes: [
    ['workspace', 'ended', 'listedAt'],
    ['job', 'ended', 'listedAt'],
    ['job', 'active'],
    ['workspace', 'queued', 'createdAt', 'number'],
    ['workspace', 'endedAt'],
  ],
});

export const runPlans = collection<RunPlan>('platform.run_plans', {
  wide: true,
  secrets: {
    ...IMAGE_LOGINS,
    what: 'logins for images in the clusters of runs',
    remove: (plan) => (hasImageLogin(plan.settings) ? { ...plan, settings: withoutImageLogins(plan.settings) } : plan),
  },
});

export const taskRuns = collection<TaskRun>('platform.task_runs', {
  fields: {
    run: text(({ workspaceId, runId }) => `${workspaceId}/${runId}`),
    key: text((it) => it.key),
    current: boolean((it) => it.isSuperseded !== true),
    /** The newest attempt at a task of the run; false for earlier attempts and for iterations. */
    newest: boolean((it) => it.isSuperseded !== true && it.iteration === undefined),
    iterationIndex: number((it) => it.iteration?.index),
    iterationOf: text(({ workspaceId, iteration }) => iteration && `${workspaceId}/${iteration.of}`),
    /** Set while the task waits for a task slot in its workspace. */
    waiting: text(({ workspaceId, state }) => (state === 'QUEUED' ? workspaceId : undefined)),
    waitsFrom: number((it) => it.waitsFrom),
    /** The key of the cluster that the task needs now. */
    cluster: text(({ workspaceId, cluster, state }) =>
      cluster && state !== 'TERMINATED' ? `${workspaceId}/${cluster.id}` : undefined,
    ),
    uid: text(({ execution }) => (execution?.by === 'container' ? execution.uid : undefined)),
  },
  indexes: [
    ['run', 'newest', 'key'],
    ['iterationOf', 'iterationIndex'],
    ['waiting', 'waitsFrom'],
    ['cluster'],
    ['uid'],
  ],
});

export const taskInputs = collection<TaskInputs>('platform.task_inputs', { wide: true });

export const taskOutputs = collection<TaskOutput>('platform.task_outputs', { wide: true });

export const gitSources = collection<GitSource>('platform.git_sources', { wide: true });

/** The notebook of a task in its state when the task started. The key is that of the task run. */
export const taskNotebooks = collection<NotebookSource>('platform.task_notebooks', { wide: true });

/**
 * Keyed by workspace: present if tasks or runs may wait for a task slot. Every end of a task checks this, and reading one key costs less
 * than two queries.
 */
export const slotsWanted = collection<object>('platform.room_is_wanted');

/** By `idempotency_token`: the run that the first call with the token created. The key is the workspace's id, `/` and the token. */
export const runTokens = collection<{ readonly runId: string }>('platform.run_tokens');

export const jobKey = (workspaceId: string, id: string): string => `${workspaceId}/${id}`;
export const runKey = (workspaceId: string, id: string): string => `${workspaceId}/${id}`;

export function readRunKey(key: string): readonly [workspaceId: string, id: string] {
  const at = key.indexOf('/');
  return [key.slice(0, at), key.slice(at + 1)];
}

export const JOB_COLLECTIONS = [
  jobs,
  runs,
  runPlans,
  gitSources,
  taskRuns,
  taskInputs,
  taskOutputs,
  taskNotebooks,
  runTokens,
  slotsWanted,
] as const;
