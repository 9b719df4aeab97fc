/** Runs containers on Docker, Podman, Kubernetes or the simulated engine. Each service sees only its own containers. */
export { endedForGood, endedWell, exitCodeOf, failedInit, hasStarted } from './container-ends.ts';
export type { EngineJar, EngineOptions } from './context.ts';
export { KEPT_LOG_BYTES } from './kept-log.ts';
export { lastLines } from './last-lines.ts';
export { openEngine } from './open-engine.ts';
export { ownerLabel } from './owner.ts';
export type * from './plan.ts';
export type { EngineSettings } from './settings.ts';
export { type SimulatedCollections, simulatedCollections } from './simulated/collections.ts';
export { type SimulatedProgram, type SimulatedRun, simulate } from './simulated/simulate.ts';
export { EMPTIED } from './simulated/travel.ts';
export {
  type ContainerState,
  type ContainerStatus,
  type EventName,
  type EventRecord,
  type GroupStatus,
  NO_STATUS,
  type ProbeStatus,
  type RunningState,
  type TerminatedState,
  type WaitingState,
} from './status.ts';
export {
  type ContainerTarget,
  type EngineName,
  EngineUnavailable,
  type ExecOptions,
  type GroupEngine,
  type LogOptions,
  type SyncRequest,
  type SyncResult,
  type Terminal,
  type Wanted,
} from './types.ts';
