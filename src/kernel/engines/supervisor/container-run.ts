import { failuresAfter, restartDelay, retryDelay } from '../backoff.ts';
import { EVENT_TEXT, note } from '../events.ts';
import type { ContainerPlan } from '../plan.ts';
import type { ContainerStatus, EventName } from '../status.ts';
import {
  type ContainerEngine,
  type ImageOutcome,
  ImageProblem,
  type ObservedContainer,
  StartProblem,
  type SyncRequest,
} from '../types.ts';
import { judge } from './judge-probe.ts';
import type { Prober } from './prober.ts';

export interface RunContext {
  readonly engine: ContainerEngine;
  readonly prober: Prober;
  readonly request: SyncRequest;
  readonly image: (image: string) => Promise<ImageOutcome>;
  /** The image with its digest, if the engine knows it. */
  readonly reference: (image: string) => Promise<string>;
  readonly graceSeconds: number;
  readonly plan: ContainerPlan;
  /** Modified in place. */
  readonly status: ContainerStatus;
  readonly isInit: boolean;
}

/** Exit code of a container that disappeared: that of a process killed by SIGKILL. */
export const KILLED_EXIT_CODE = 137;

const PROBES = ['liveness', 'readiness'] as const;

/** Advances one container of a group by a step. */
export class ContainerRun {
  readonly #context: RunContext;
  /** When the container needs its next step. */
  again: number | undefined;

  constructor(context: RunContext) {
    this.#context = context;
  }

  /** Returns true if another step may be possible at once. */
  async advance(observed: ObservedContainer | undefined): Promise<boolean> {
    const { status } = this.#context;
    if (status.starting) return this.#start();
    if (status.current.kind === 'Running') {
      if (observed && observed.phase !== 'exited') return this.#probe();
      this.#ended(observed?.exitCode ?? KILLED_EXIT_CODE, observed?.outOfMemory ? 'OOMKilled' : undefined, observed);
      return true;
    }
    if (status.retryAt !== undefined && status.retryAt > this.#now()) {
      this.#notBefore(status.retryAt);
      return false;
    }
    // A container that has not run yet was waiting for init containers or an image; that is not a restart.
    if (status.current.kind === 'Waiting' && status.current.reason === 'CrashLoopBackOff') status.restartCount += 1;
    else status.current = { kind: 'Waiting', reason: 'ContainerCreating' };
    status.retryAt = undefined;
    reserve(status);
    return true;
  }

  async #start(): Promise<boolean> {
    const { engine, request, plan, status, image, reference } = this.#context;
    try {
      const outcome = await image(plan.image);
      if (typeof outcome === 'object') {
        this.#pulling(await reference(plan.image));
        this.#notBefore(outcome.readyAt);
        return false;
      }
      // The real service asks the registry for the image at each start, and so records a pull each time.
      const pulled = await reference(plan.image);
      this.#pulling(pulled);
      this.#note('Pulled', EVENT_TEXT.pulled(pulled));
      const { generation } = request;
      status.engineId = (await engine.startContainer(request.plan, plan, { generation, run: status.run })).engineId;
    } catch (error) {
      if (error instanceof ImageProblem) this.#pullFailed(error);
      else if (error instanceof StartProblem) this.#startFailed(error);
      else throw error;
      return true;
    }
    const now = this.#now();
    this.#note('Created', EVENT_TEXT.created);
    this.#note('Started', EVENT_TEXT.started);
    status.starting = undefined;
    status.pulling = undefined;
    status.current = { kind: 'Running', startedAt: now };
    for (const kind of PROBES) {
      const probe = plan[kind];
      if (probe) {
        const dueAt = now + probe.initialDelaySeconds * 1000;
        status[kind] = { dueAt, failures: 0, successes: 0, passing: kind === 'liveness' };
      }
    }
    return true;
  }

  /** Recorded once per run, even if a slow pull takes several steps. */
  #pulling(image: string): void {
    const { status } = this.#context;
    if (status.pulling) return;
    status.pulling = true;
    this.#note('Pulling', EVENT_TEXT.pulling(image));
  }

  #pullFailed(error: ImageProblem): void {
    const { status, plan } = this.#context;
    this.#pulling(plan.image);
    status.pulling = undefined;
    this.#note('Failed', EVENT_TEXT.pullFailed(plan.image, error.message));
    status.starting = undefined;
    status.failures += 1;
    status.retryAt = this.#now() + retryDelay(status.failures);
    status.current = { kind: 'Waiting', reason: 'ImagePullBackOff' };
    this.#note('BackOff', `Back-off pulling image "${plan.image}"`);
  }

  #startFailed({ message, exitCode }: StartProblem): void {
    this.#note('Failed', `Failed to start container ${this.#context.plan.name}: ${message}`);
    this.#context.status.starting = undefined;
    this.#ended(exitCode, 'ContainerCannotRun', undefined);
  }

  #ended(exitCode: number, reason: string | undefined, observed: ObservedContainer | undefined): void {
    const { status, plan, request, isInit } = this.#context;
    const now = this.#now();
    if (status.current.kind === 'Running') this.#note('Killing', EVENT_TEXT.ended(plan.name, exitCode));
    const startedAt = observed?.startedAt ?? (status.current.kind === 'Running' ? status.current.startedAt : undefined);
    const finishedAt = observed?.finishedAt ?? now;
    const terminated = {
      kind: 'Terminated',
      ...(startedAt !== undefined && { startedAt }),
      finishedAt,
      exitCode,
      reason: reason ?? (exitCode === 0 ? 'Completed' : 'Error'),
    } as const;
    status.current = terminated;
    status.failures = failuresAfter(status.failures, finishedAt - (startedAt ?? finishedAt));
    const { restartPolicy } = request.plan;
    const comesBack = exitCode === 0 ? restartPolicy === 'Always' && !isInit : restartPolicy !== 'Never';
    if (!comesBack) return;
    const delay = restartDelay(status.failures);
    status.previous = terminated;
    status.current = { kind: 'Waiting', reason: 'CrashLoopBackOff' };
    status.retryAt = now + delay;
    if (delay > 0) this.#note('BackOff', EVENT_TEXT.backOff);
  }

  async #probe(): Promise<boolean> {
    const killed = await Promise.all(PROBES.map((kind) => this.#probeOne(kind)));
    return killed.includes(true);
  }

  /** Returns whether the container was stopped because its liveness probe failed. */
  async #probeOne(kind: 'liveness' | 'readiness'): Promise<boolean> {
    const { prober, request, plan, status } = this.#context;
    const probe = plan[kind];
    const known = status[kind];
    if (!probe || !known || status.engineId === undefined) return false;
    if (known.dueAt > this.#now()) {
      this.#notBefore(known.dueAt);
      return false;
    }
    const target = { uid: request.plan.uid, container: plan.name, engineId: status.engineId };
    const outcome = await prober.probe(kind, target, probe);
    if (!outcome) return false;
    const next = judge(known, outcome, probe, this.#now());
    status[kind] = next;
    this.#notBefore(next.dueAt);
    if (outcome.healthy) return false;
    const message = `${kind === 'liveness' ? 'Liveness' : 'Readiness'} probe failed: ${outcome.reason}`;
    this.#note('Unhealthy', message, 1 + (known.leftOut ?? 0));
    if (kind === 'readiness' || next.failures < probe.failureThreshold) return false;
    await this.#context.engine.stopContainer(status.engineId, this.#context.graceSeconds);
    return true;
  }

  #now(): number {
    return this.#context.request.now();
  }

  #note(name: EventName, message: string, times = 1): void {
    const { status } = this.#context;
    status.events = note(status.events, name, message, this.#now(), times);
  }

  #notBefore(at: number): void {
    this.again = Math.min(this.again ?? at, at);
  }
}

/** Starts a new run in the status, which must be stored before the run begins. */
export function reserve(status: ContainerStatus): void {
  status.run += 1;
  status.starting = true;
  status.pulling = undefined;
  status.engineId = undefined;
  status.liveness = undefined;
  status.readiness = undefined;
}
