import type { MachineStep } from '../compute/timing.ts';

/** The states of updates, and the states of pipelines that follow from them. */

export const UPDATE_STATES = [
  'QUEUED',
  'CREATED',
  'WAITING_FOR_RESOURCES',
  'INITIALIZING',
  'RESETTING',
  'SETTING_UP_TABLES',
  'RUNNING',
  'STOPPING',
  'COMPLETED',
  'FAILED',
  'CANCELED',
] as const;

export type UpdateState = (typeof UPDATE_STATES)[number];

export const UPDATE_CAUSES = [
  'API_CALL',
  'USER_ACTION',
  'JOB_TASK',
  'RETRY_ON_FAILURE',
  'SERVICE_UPGRADE',
  'SCHEMA_CHANGE',
  'INFRASTRUCTURE_MAINTENANCE',
] as const;

export type UpdateCause = (typeof UPDATE_CAUSES)[number];

export type EndState = 'COMPLETED' | 'FAILED' | 'CANCELED';

export const isEnded = (state: UpdateState): state is EndState =>
  state === 'COMPLETED' || state === 'FAILED' || state === 'CANCELED';

export type PipelineState =
  | 'IDLE'
  | 'DEPLOYING'
  | 'STARTING'
  | 'RUNNING'
  | 'STOPPING'
  | 'RESETTING'
  | 'RECOVERING'
  | 'FAILED'
  | 'DELETED';

const BY_UPDATE: Readonly<Record<UpdateState, PipelineState>> = {
  QUEUED: 'DEPLOYING',
  CREATED: 'DEPLOYING',
  WAITING_FOR_RESOURCES: 'STARTING',
  INITIALIZING: 'STARTING',
  RESETTING: 'RESETTING',
  SETTING_UP_TABLES: 'RUNNING',
  RUNNING: 'RUNNING',
  STOPPING: 'STOPPING',
  COMPLETED: 'IDLE',
  FAILED: 'FAILED',
  CANCELED: 'IDLE',
};

interface Followed {
  readonly latest: readonly { readonly state: UpdateState }[];
  readonly retry?: object;
  readonly deletedAt?: number;
}

/** The state of a pipeline is that of its newest update. */
export function pipelineState({ latest: [newest], retry, deletedAt }: Followed): PipelineState {
  if (deletedAt !== undefined) return 'DELETED';
  if (retry) return 'RECOVERING';
  return newest ? BY_UPDATE[newest.state] : 'IDLE';
}

/** Unhealthy if the last ended update failed; cancelled updates are ignored. */
export function healthOf({ latest }: Pick<Followed, 'latest'>): 'HEALTHY' | 'UNHEALTHY' {
  const last = latest.find(({ state }) => state === 'COMPLETED' || state === 'FAILED');
  return last?.state === 'FAILED' ? 'UNHEALTHY' : 'HEALTHY';
}

/** Durations of the states that end by time: three minutes in total, and ten seconds more for tables that are reset. */
export const STEPS: Readonly<Partial<Record<UpdateState, MachineStep>>> = {
  CREATED: 'updateCreate',
  WAITING_FOR_RESOURCES: 'updateResources',
  INITIALIZING: 'updateInitialize',
  RESETTING: 'updateReset',
  SETTING_UP_TABLES: 'updateSetUp',
  RUNNING: 'updateRun',
  STOPPING: 'updateStop',
};
