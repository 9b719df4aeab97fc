import type { Duplex } from 'node:stream';
import type { ContainerPlan, GroupPlan, ProbePlan, RegistryLogin } from './plan.ts';
import type { GroupStatus } from './status.ts';

export type EngineName = 'docker' | 'kubernetes' | 'simulated';

/**
 * Runs container groups. Every object it creates carries the label of its owner and the uid of the group, so that an owner finds its
 * objects after a restart and never touches those of another owner.
 */
export interface GroupEngine {
  readonly name: EngineName;
  /** `Podman 4.3.1 at /run/podman/podman.sock`: for the startup message and for `doctor`. */
  readonly description: string;
  /** Why the engine does not respond, while that is known. */
  readonly trouble?: string | undefined;
  /**
   * Reconciles the group with the wanted state and returns its status. Called repeatedly, also after a crash, by at most one caller per
   * group at a time: it observes and acts, and never assumes that it was the last to act. Throws `EngineUnavailable` if the engine does not
   * respond; errors of the group itself go into its status.
   */
  sync(request: SyncRequest): Promise<SyncResult>;
  /** Removes all objects of a group. Throws if not all of them are removed; the caller then retries. */
  remove(uid: string): Promise<void>;
  /** The uids of all groups of this owner that have objects in the engine. */
  uids(): Promise<string[]>;
  /** Output of a container, both streams in the order written. */
  logs(target: ContainerTarget, options: LogOptions): Promise<Buffer>;
  /** Runs another process in a running container, on a terminal. */
  exec(target: ContainerTarget, options: ExecOptions): Promise<Terminal>;
  /** The output of the running process from now on, and its input. */
  attach(target: ContainerTarget): Promise<Terminal>;
  /**
   * Notifies the listener with the uid of each group that changed, once per change if possible. If an event does not name the owner, the
   * listener may get an unknown uid and must ignore it.
   */
  watch(listener: (uid: string) => void): Promise<{ close(): void }>;
  cachedImages(): Promise<{ osType: 'Linux' | 'Windows'; image: string }[]>;
  close(): Promise<void>;
}

export type Wanted = 'Running' | 'Stopped';

export interface SyncRequest {
  readonly plan: GroupPlan;
  readonly wanted: Wanted;
  /** Number of the deployment: every PUT, start and restart increments it. The status says which deployment it is about. */
  readonly generation: number;
  /** Whether the sandbox (address, network, volumes) of the previous deployment may be reused: true for an update and a restart. */
  readonly keepSandbox: boolean;
  readonly status: GroupStatus;
  /** Time of the jar's clock. */
  now(): number;
  /** Stores an intermediate status. Returns false if the wanted state has changed, in which case the round must stop. */
  save(status: GroupStatus): Promise<boolean>;
  /** Keeps the end of a log after its container is removed. */
  keepLog(container: string, text: Buffer): Promise<void>;
  /** Aborted when work must stop: for a reset, a snapshot or the end of the jar. */
  readonly halt: AbortSignal;
}

export interface SyncResult {
  readonly status: GroupStatus;
  /** When to call again by the jar's clock, even if the group reports no change. */
  readonly again?: number;
}

export interface ContainerTarget {
  readonly uid: string;
  readonly container: string;
  readonly engineId: string;
}

export interface LogOptions {
  /** Number of lines from the end; all if absent. */
  readonly tail?: number;
  readonly timestamps: boolean;
  readonly maxBytes: number;
}

export interface ExecOptions {
  readonly command: readonly string[];
  readonly rows: number;
  readonly cols: number;
}

export interface Terminal {
  /** Written data goes to the process, its output is read; ends when the process does. */
  readonly stream: Duplex;
  resize(rows: number, cols: number): Promise<void>;
  /** Resolves once the stream has ended; undefined if the engine does not know the code. */
  exitCode(): Promise<number | undefined>;
}

/**
 * An engine that runs single containers. The supervisor (`supervisor/`) turns it into a `GroupEngine`: it handles init containers,
 * restarts, backoff and probes in the same way for every such engine, by the jar's clock.
 * Every method that creates an object is idempotent: if the object exists already (from before a crash), it is returned.
 */
export interface ContainerEngine {
  readonly name: EngineName;
  readonly description: string;
  readonly trouble?: string | undefined;
  /** Pulls the image unless the engine has it. Throws `ImageProblem`. */
  ensureImage(image: string, registries: readonly RegistryLogin[], halt: AbortSignal): Promise<ImageOutcome>;
  /** The image with its digest instead of its version, if the engine knows it: `nginx@sha256:…`. */
  imageReference?(image: string): Promise<string | undefined>;
  /** Creates volumes, network and address. Throws `MountProblem` if a volume is not available, `SandboxProblem` if an address is not. */
  createSandbox(plan: GroupPlan, generation: number, halt: AbortSignal): Promise<{ ip: string | undefined }>;
  /** Creates volumes that were added by a later deployment. */
  addVolumes(plan: GroupPlan, halt: AbortSignal): Promise<void>;
  /** Creates one run of a container and starts it. Throws `StartProblem` if its process cannot be started. */
  startContainer(plan: GroupPlan, container: ContainerPlan, run: RunName): Promise<{ engineId: string }>;
  /** Ends the process: requests it, then kills. The container itself stays and can be inspected. */
  stopContainer(engineId: string, graceSeconds: number): Promise<void>;
  removeContainer(engineId: string): Promise<void>;
  /** All objects of a group at this moment. */
  observe(uid: string): Promise<ObservedGroup>;
  probe(target: ContainerTarget, check: ProbePlan['check'], timeoutMs: number): Promise<ProbeOutcome>;
  removeGroup(uid: string): Promise<void>;
  uids(): Promise<string[]>;
  logs: GroupEngine['logs'];
  exec: GroupEngine['exec'];
  attach: GroupEngine['attach'];
  watch: GroupEngine['watch'];
  cachedImages: GroupEngine['cachedImages'];
  close(): Promise<void>;
}

/**
 * Result of a pull. `readyAt`: the pull takes time on the jar's clock, so the caller must ask again then instead of waiting (the simulated
 * engine does this for `simulated/slow-pull`).
 */
export type ImageOutcome = 'present' | 'pulled' | { readonly readyAt: number };

export interface RunName {
  readonly generation: number;
  /** `ContainerStatus.run` */
  readonly run: number;
}

export interface ObservedGroup {
  /** Undefined if it does not exist; `running` is false if its network is gone. */
  readonly sandbox: { readonly running: boolean; readonly ip: string | undefined } | undefined;
  readonly containers: readonly ObservedContainer[];
  /** When the engine expects the next change (only the simulated engine does). */
  readonly nextChangeAt?: number;
}

export interface ObservedContainer extends RunName {
  readonly engineId: string;
  readonly name: string;
  readonly phase: 'created' | 'running' | 'exited';
  /** Set once the container has exited. */
  readonly exitCode?: number;
  readonly outOfMemory?: boolean;
  /** Times of the jar's clock, if the engine knows them; otherwise the supervisor uses the time of its observation. */
  readonly startedAt?: number;
  readonly finishedAt?: number;
}

/** `until`: the outcome stays the same until this time of the jar's clock (only the simulated engine knows). */
export type ProbeOutcome = { readonly until?: number } & (
  | { readonly healthy: true }
  | { readonly healthy: false; readonly reason: string }
);

/** The engine does not respond, or its response is invalid. Callers retry. */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable';
}

/** An error of the group itself: recorded in its events and retried with backoff. */
export class ImageProblem extends Error {
  override readonly name = 'ImageProblem';
}

export class MountProblem extends Error {
  override readonly name = 'MountProblem';
}

/** No network or address is available, for example because a port is taken. */
export class SandboxProblem extends Error {
  override readonly name = 'SandboxProblem';
}

export class StartProblem extends Error {
  override readonly name = 'StartProblem';
  /** 127 if the command is missing, 126 if it cannot be run, 128 otherwise. */
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}
