import type { Duplex } from 'node:stream';
import type { ContainerPlan, GroupPlan, ProbePlan, RegistryLogin } from './plan.ts';
import type { GroupStatus } from './status.ts';

export type EngineName = 'docker' | 'kubernetes' | 'simulated';

/**
 * What runs container groups. Everything that it makes carries the label of its owner and the uid of the group, so that an owner finds its
 * own again after a restart and never touches what is of another.
 */
export interface GroupEngine {
  readonly name: EngineName;
  /** `Podman 4.3.1 at /run/podman/podman.sock`: for the line at start and for `doctor`. */
  readonly description: string;
  /** Why it does not answer, while that is known. */
  readonly trouble?: string | undefined;
  /**
   * Brings the group nearer to what is wanted and says how it is. Called again and again, after a crash too, for one group by
   * one caller at a time: it compares, acts, and never assumes that it was the last to act. Throws `EngineUnavailable` when the
   * engine does not answer; anything that is the group's own fault goes into its status.
   */
  sync(request: SyncRequest): Promise<SyncResult>;
  /** Removes all that there is of a group. Done when it resolves; throws otherwise, and is then called again. */
  remove(uid: string): Promise<void>;
  /** The uids of all groups of this owner of which there is anything. */
  uids(): Promise<string[]>;
  /** What a container wrote, both streams in one, in the order written. */
  logs(target: ContainerTarget, options: LogOptions): Promise<Buffer>;
  /** Runs one more process in a running container, on a terminal. */
  exec(target: ContainerTarget, options: ExecOptions): Promise<Terminal>;
  /** The output of the running process from now on, and its input. */
  attach(target: ContainerTarget): Promise<Terminal>;
  /**
   * Tells the uid of every group that something happened to; tells nothing twice that happened once, if it can. Where an event does
   * not say whose a container is, the listener may be told a uid that it does not know, and has to ignore it.
   */
  watch(listener: (uid: string) => void): Promise<{ close(): void }>;
  cachedImages(): Promise<{ osType: 'Linux' | 'Windows'; image: string }[]>;
  close(): Promise<void>;
}

export type Wanted = 'Running' | 'Stopped';

export interface SyncRequest {
  readonly plan: GroupPlan;
  readonly wanted: Wanted;
  /** Counts the deployments: every PUT, start and restart makes one. The status says which one it is about. */
  readonly generation: number;
  /** Whether the sandbox (address, network, volumes) of the deployment before may serve this one: true for an update and a restart. */
  readonly keepSandbox: boolean;
  readonly status: GroupStatus;
  /** By the jar's clock. */
  now(): number;
  /** Stores a step on the way. False: something else is wanted by now, so stop here and return. */
  save(status: GroupStatus): Promise<boolean>;
  /** Keeps the end of a log beyond the life of its container. */
  keepLog(container: string, text: Buffer): Promise<void>;
  /** Everything has to come to a stop. */
  readonly halt: AbortSignal;
}

export interface SyncResult {
  readonly status: GroupStatus;
  /** When to be called again by the jar's clock, even if nothing is heard of the group. */
  readonly again?: number;
}

export interface ContainerTarget {
  readonly uid: string;
  readonly container: string;
  readonly engineId: string;
}

export interface LogOptions {
  /** The last so many lines; all when absent. */
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
  /** What is written goes to the process, what it prints is read; ends when the process does. */
  readonly stream: Duplex;
  resize(rows: number, cols: number): Promise<void>;
  /** Known once the stream has ended; undefined where the engine cannot say. */
  exitCode(): Promise<number | undefined>;
}

/**
 * An engine that runs single containers. The supervisor (`supervisor/`) makes a `GroupEngine` of it: it decides about
 * init containers, restarts, back-off and probes in the same way on every such engine, by the jar's clock.
 *
 * All that makes something is idempotent: asked for what exists already (from before a crash), it gives that.
 */
export interface ContainerEngine {
  readonly name: EngineName;
  readonly description: string;
  readonly trouble?: string | undefined;
  /** Pulls the image unless it is there. Throws `ImageProblem`. */
  ensureImage(image: string, registries: readonly RegistryLogin[], halt: AbortSignal): Promise<ImageOutcome>;
  /** The name of an image with its digest in the place of its version, where the engine knows it: `nginx@sha256:…`. */
  imageReference?(image: string): Promise<string | undefined>;
  /** Makes volumes, network and address, ready for containers. Throws `MountProblem` when a volume cannot be had, `SandboxProblem` when an address cannot. */
  createSandbox(plan: GroupPlan, generation: number, halt: AbortSignal): Promise<{ ip: string | undefined }>;
  /** Volumes that a later deployment has and the first one had not. */
  addVolumes(plan: GroupPlan, halt: AbortSignal): Promise<void>;
  /** Makes one run of a container and starts it. Throws `StartProblem` when its process cannot be started. */
  startContainer(plan: GroupPlan, container: ContainerPlan, run: RunName): Promise<{ engineId: string }>;
  /** Ends its process: asks, then forces. The container stays, to be looked at. */
  stopContainer(engineId: string, graceSeconds: number): Promise<void>;
  removeContainer(engineId: string): Promise<void>;
  /** All that there is of a group at this moment. */
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
 * Whether an image is there. `readyAt` is for a pull that takes its time on the jar's clock, which nobody may wait for: ask again
 * then (the simulated engine does so for `simulated/slow-pull`).
 */
export type ImageOutcome = 'present' | 'pulled' | { readonly readyAt: number };

export interface RunName {
  readonly generation: number;
  /** `ContainerStatus.run` */
  readonly run: number;
}

export interface ObservedGroup {
  /** Undefined when there is none; `running` is false for one whose network is gone. */
  readonly sandbox: { readonly running: boolean; readonly ip: string | undefined } | undefined;
  readonly containers: readonly ObservedContainer[];
  /** When the engine knows that something will happen by itself (the simulated one does). */
  readonly nextChangeAt?: number;
}

export interface ObservedContainer extends RunName {
  readonly engineId: string;
  readonly name: string;
  readonly phase: 'created' | 'running' | 'exited';
  /** Once it has exited. */
  readonly exitCode?: number;
  readonly outOfMemory?: boolean;
  /** By the jar's clock, where the engine knows it that way; otherwise the supervisor takes the moment at which it sees it. */
  readonly startedAt?: number;
  readonly finishedAt?: number;
}

/** `until`: before that time of the jar's clock the same would be found again, where the engine can tell (the simulated one can). */
export type ProbeOutcome = { readonly until?: number } & (
  | { readonly healthy: true }
  | { readonly healthy: false; readonly reason: string }
);

/** The engine does not answer, or answers nonsense. Tried again until it does. */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable';
}

/** The group's own fault, and told in its events: tried again with growing pauses. */
export class ImageProblem extends Error {
  override readonly name = 'ImageProblem';
}

export class MountProblem extends Error {
  override readonly name = 'MountProblem';
}

/** No network or no address can be had, for instance because a port is taken. */
export class SandboxProblem extends Error {
  override readonly name = 'SandboxProblem';
}

export class StartProblem extends Error {
  override readonly name = 'StartProblem';
  /** 127 for a command that is not there, 126 for one that cannot be run, 128 otherwise. */
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}
