/** How a group and its containers are, as far as the jar knows. Stored with every change; times are milliseconds of the jar's clock. */

export interface GroupStatus {
  /** The deployment that this is about; older than the wanted one until the engine has begun with that. */
  generation: number;
  /** Whether there is a place to run in: network, address, volumes. */
  sandbox: 'absent' | 'ready' | 'lost';
  /** The group's address, once it has one. */
  ip?: string;
  init: ContainerStatus[];
  containers: ContainerStatus[];
  /** Of the group as a whole; those of a container are with the container. */
  events: EventRecord[];
}

export interface ContainerStatus {
  name: string;
  /** The engine's name for the container that runs or ran last. */
  engineId?: string;
  /** Which run this is, from 1; grows with every new one, whatever the reason. 0 before the first. */
  run: number;
  /** That run was decided on and is not known to have started; after a crash it may have. */
  starting?: boolean;
  /** Its image is on the way, which was told. */
  pulling?: boolean;
  current: ContainerState;
  /** How the run before this one ended; of a container that a user has stopped, how it was before that. */
  previous?: RunningState | TerminatedState;
  /** How often it came back by its restart policy; a restart that a user asked for does not count. */
  restartCount: number;
  /** When the next run may start, while it waits for that. */
  retryAt?: number;
  /** Ends (or pulls that failed) in quick succession: what the waiting grows with. */
  failures: number;
  liveness?: ProbeStatus;
  readiness?: ProbeStatus;
  events: EventRecord[];
}

export type ContainerState = WaitingState | RunningState | TerminatedState;

export interface WaitingState {
  kind: 'Waiting';
  /** `CrashLoopBackOff`, `ImagePullBackOff`, `PodInitializing` and the like. */
  reason: string;
}

export interface RunningState {
  kind: 'Running';
  startedAt: number;
}

export interface TerminatedState {
  kind: 'Terminated';
  startedAt?: number;
  finishedAt: number;
  exitCode: number;
  /** `Completed`, `Error`, `OOMKilled`, or that the user asked for it. */
  reason: string;
}

export interface ProbeStatus {
  dueAt: number;
  /** In a row. */
  failures: number;
  successes: number;
  /** Passed at least `successThreshold` times since it last failed too often. */
  passing: boolean;
  /** Probes before the one that is due that are not made, since they are known to fail in the same way. */
  leftOut?: number;
}

/** Alike ones are counted in one record. */
export interface EventRecord {
  name: EventName;
  type: 'Normal' | 'Warning';
  message: string;
  count: number;
  firstAt: number;
  lastAt: number;
}

export type EventName =
  | 'Pulling'
  | 'Pulled'
  | 'Created'
  | 'Started'
  | 'Killing'
  | 'Failed'
  | 'BackOff'
  | 'Unhealthy'
  | 'FailedMount'
  | 'SandboxChanged';

export const NO_STATUS: GroupStatus = { generation: 0, sandbox: 'absent', init: [], containers: [], events: [] };

/** The reason of an end that a user has asked for. */
export const STOPPED_BY_USER = 'The container was stopped because the client asked for it';
