/** Last known status of a group and its containers. Stored with every change; times are milliseconds of the jar's clock. */

export interface GroupStatus {
  /** The deployment that the status is about; lower than the wanted one until the engine has begun with that. */
  generation: number;
  /** Whether the group has its sandbox: network, address and volumes. */
  sandbox: 'absent' | 'ready' | 'lost';
  /** The group's address, once it is known. */
  ip?: string;
  init: ContainerStatus[];
  containers: ContainerStatus[];
  /** Events of the group as a whole; a container's events are in its own status. */
  events: EventRecord[];
}

export interface ContainerStatus {
  name: string;
  /** The engine's id of the container that runs or ran last. */
  engineId?: string;
  /** Number of the run, from 1; increases with every new run, whatever its reason. 0 before the first. */
  run: number;
  /** The run was decided on but is not known to have started; if the jar crashed, it may have. */
  starting?: boolean;
  /** The image is being pulled, and the event for it is recorded. */
  pulling?: boolean;
  current: ContainerState;
  /** How the previous run ended; for a container that a user stopped, its state before that. */
  previous?: RunningState | TerminatedState;
  /** Number of restarts by the restart policy; restarts that a user requested are not counted. */
  restartCount: number;
  /** When the next run may start, if it is delayed. */
  retryAt?: number;
  /** Consecutive failures of runs or pulls; determines the backoff. */
  failures: number;
  liveness?: ProbeStatus;
  readiness?: ProbeStatus;
  events: EventRecord[];
}

export type ContainerState = WaitingState | RunningState | TerminatedState;

export interface WaitingState {
  kind: 'Waiting';
  /** `CrashLoopBackOff`, `ImagePullBackOff`, `PodInitializing` and so on. */
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
  /** `Completed`, `Error`, `OOMKilled`, or that the user stopped it. */
  reason: string;
}

export interface ProbeStatus {
  dueAt: number;
  /** Consecutive. */
  failures: number;
  successes: number;
  /** Whether the probe succeeded at least `successThreshold` times since it last reached its failure threshold. */
  passing: boolean;
  /** Number of probes skipped before the next one, because they would fail in the same way. */
  leftOut?: number;
}

/** Equal events share one record. */
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

/** Reason of an end that a user requested. */
export const STOPPED_BY_USER = 'The container was stopped because the client asked for it';
