import type { V1Pod } from '@kubernetes/client-node';
import { wallNow } from '../../time/timers.ts';
import { retryDelay } from '../backoff.ts';
import { note } from '../events.ts';
import type { ContainerStatus, EventName, GroupStatus } from '../status.ts';
import { EngineUnavailable, MountProblem, StartProblem, type SyncRequest, type SyncResult } from '../types.ts';
import { isConflict, isNotFound, isRefusal } from './api-errors.ts';
import { carriedFrom, NOTHING_CARRIED } from './carried.ts';
import type { DeletedPods } from './deleted-pods.ts';
import { GroupParts } from './group-parts.ts';
import { generationOf, podName } from './names.ts';
import { type GroupObjects, isEnding, type LabelledObjects } from './objects.ts';
import { type Manifests, manifestsOf } from './pod.ts';
import { statusOf } from './pod-status.ts';
import {
  groupHasEnded,
  statusAfterLoss,
  statusAfterStop,
  statusAtStart,
  withKillingEvents,
  withStopReasons,
} from './status-changes.ts';

/** Delay while the cluster is about to report a change, in case the report is lost. */
const SOON_MS = 2_000;
/** Delay while a container waits for its next attempt. */
const WAITING_MS = 15_000;
/** Delay while nothing changes. */
const IDLE_MS = 600_000;

const GONE = 'The Pod has disappeared from the cluster and is created again';

export interface SyncContext {
  readonly owner: string;
  readonly objects: LabelledObjects;
  readonly graceSeconds: number;
  readonly deletedPods: DeletedPods;
  /** Keeps the ends of the containers' logs. */
  keepLogs(request: SyncRequest): Promise<void>;
}

/**
 * One reconciliation round of a group. A round reads the objects in the cluster, takes the next step and is called again for the following
 * one. It relies on nothing from earlier rounds, so a crash at any point is only a longer pause.
 */
export class GroupRound {
  readonly #context: SyncContext;
  readonly #request: SyncRequest;
  readonly #parts: GroupParts;

  constructor(context: SyncContext, request: SyncRequest) {
    this.#context = context;
    this.#request = request;
    this.#parts = new GroupParts(context.objects, request);
  }

  async run(): Promise<SyncResult> {
    const found = await this.#context.objects.ofGroup(this.#request.plan.uid);
    return this.#request.wanted === 'Stopped' ? this.#stop(found) : this.#bringUp(found);
  }

  async #bringUp(found: GroupObjects): Promise<SyncResult> {
    const { generation, keepSandbox } = this.#request;
    const { pod } = found;
    if (!pod) return this.#create(found);
    // The last report of a lost Pod has been processed already.
    if (isEnding(pod) && this.#request.status.sandbox === 'lost') return this.#soon(this.#request.status);
    const status = await this.#observe(pod, found);
    if (isEnding(pod)) return this.#soon(status);
    const is = generationOf(pod);
    if (is > generation) return this.#soon(status);
    if (is < generation) {
      if (keepSandbox) await this.#parts.release(found);
      return this.#end(pod, status);
    }
    if (this.#isDead(pod)) {
      await this.#context.objects.deletePod(pod, 0);
      return this.#soon(statusAfterLoss(status, this.#request.plan, pod.status?.message || GONE, this.#now()));
    }
    return this.#later(await this.#completed(pod, found, status));
  }

  /** Evicted, preempted, or on a node that was shut down, although the restart policy should have kept the Pod alive. */
  #isDead({ status }: V1Pod): boolean {
    const { restartPolicy } = this.#request.plan;
    if (status?.phase === 'Failed') return restartPolicy !== 'Never';
    return status?.phase === 'Succeeded' && restartPolicy === 'Always';
  }

  async #stop(found: GroupObjects): Promise<SyncResult> {
    const { generation, status } = this.#request;
    const { pod, secrets, services } = found;
    if (pod) {
      const seen = withStopReasons(status, await this.#observe(pod, found));
      await this.#context.keepLogs(this.#request);
      return isEnding(pod) ? this.#soon(seen) : this.#end(pod, seen);
    }
    if (secrets.length > 0 || services.length > 0) {
      await this.#parts.deleteAll(secrets, services);
      const left = await this.#context.objects.ofGroup(this.#request.plan.uid);
      if (left.pod || left.secrets.length > 0 || left.services.length > 0) return this.#soon(status);
    }
    return { status: statusAfterStop(withStopReasons(status, this.#atItsEnd()), generation, this.#now()) };
  }

  async #end(pod: V1Pod, status: GroupStatus): Promise<SyncResult> {
    const told = withKillingEvents(status, this.#now());
    await this.#context.objects.deletePod(pod, this.#context.graceSeconds);
    return this.#soon(told);
  }

  async #create(found: GroupObjects): Promise<SyncResult> {
    const { plan, generation } = this.#request;
    const status = this.#atItsEnd();
    const isNew = status.generation !== generation;
    if (!isNew && groupHasEnded(status, plan)) return { status };
    const next = isNew
      ? statusAtStart(status, this.#request, this.#now(), generation)
      : status.sandbox === 'ready'
        ? statusAfterLoss(status, plan, GONE, this.#now())
        : status;
    const retryAt = Math.max(0, ...members(next).map((it) => it.retryAt ?? 0));
    if (retryAt > this.#now()) return { status: next, again: retryAt };
    if (next !== this.#request.status && !(await this.#request.save(next))) return { status: next };
    try {
      const manifests = this.#manifests(next);
      await this.#parts.clear(found, manifests);
      await this.#parts.make(found, manifests);
      const pod = await this.#makePod(manifests.pod);
      if (!pod) return await this.#adopt();
      await this.#parts.own(pod, await this.#context.objects.ofGroup(plan.uid));
      return this.#soon(statusOf(next, plan, { pod, service: undefined, events: [] }, this.#times()));
    } catch (error) {
      const event = eventOf(error);
      if (!event) throw error;
      return this.#refused(next, event, (error as Error).message);
    }
  }

  #manifests(status: GroupStatus | undefined): Manifests {
    const { plan, generation } = this.#request;
    const { owner, graceSeconds } = this.#context;
    const carried = status ? carriedFrom(status) : NOTHING_CARRIED;
    return manifestsOf({ owner, plan, generation }, graceSeconds, carried);
  }

  /** Returns undefined if a Pod of that name exists. */
  async #makePod(wanted: V1Pod): Promise<V1Pod | undefined> {
    try {
      return await this.#context.objects.createPod(wanted);
    } catch (error) {
      if (isConflict(error)) return undefined;
      throw isNotFound(error) ? new EngineUnavailable((error as Error).message) : error;
    }
  }

  /** The Pod was created by this jar before a crash, or by another node of the jar. */
  async #adopt(): Promise<SyncResult> {
    const { uid } = this.#request.plan;
    const found = await this.#context.objects.ofGroup(uid);
    if (!found.pod) throw new EngineUnavailable(`the Pod ${podName(uid)} belongs to another owner`);
    return this.#bringUp(found);
  }

  async #completed(pod: V1Pod, found: GroupObjects, status: GroupStatus): Promise<GroupStatus> {
    try {
      await this.#parts.complete(pod, found, this.#manifests(undefined));
      return status;
    } catch (error) {
      const event = eventOf(error);
      if (!event) throw error;
      return { ...status, events: note(status.events, event, (error as Error).message, this.#now()) };
    }
  }

  async #observe(pod: V1Pod, { services }: GroupObjects): Promise<GroupStatus> {
    const { plan, status } = this.#request;
    const events = await this.#context.objects.events(plan.uid);
    const generation = generationOf(pod);
    // The jar crashed after creating the Pod and before saving the status.
    const known =
      generation > status.generation ? statusAtStart(status, this.#request, this.#now(), generation) : status;
    const service = services.find((it) => !isEnding(it));
    return statusOf(known, plan, { pod, service, events }, this.#times());
  }

  /** Status at the time the Pod was deleted, as far as it was reported. */
  #atItsEnd(): GroupStatus {
    const { plan, status } = this.#request;
    const pod = this.#context.deletedPods.of(plan.uid);
    if (!pod || generationOf(pod) !== status.generation || status.sandbox !== 'ready') return status;
    const { ip } = status;
    const seen = statusOf(status, plan, { pod, service: undefined, events: [] }, this.#times());
    // Ignored if it shows an earlier run of the same deployment.
    const runs = new Map(members(status).map(({ name, run }) => [name, run]));
    if (members(seen).some(({ name, run }) => run < (runs.get(name) ?? 0))) return status;
    return { ...seen, ...(ip !== undefined && { ip }) };
  }

  /** The cluster rejected the objects: records an event and retries with backoff. */
  #refused(status: GroupStatus, event: EventName, message: string): SyncResult {
    const now = this.#now();
    const waits = (each: ContainerStatus): ContainerStatus => {
      const failures = each.failures + 1;
      return { ...each, failures, retryAt: now + retryDelay(failures) };
    };
    const next: GroupStatus = {
      ...status,
      init: status.init.map(waits),
      containers: status.containers.map(waits),
      events: note(status.events, event, message, now),
    };
    return { status: next, again: Math.max(...members(next).map((it) => it.retryAt!)) };
  }

  #soon(status: GroupStatus): SyncResult {
    return { status, again: this.#now() + SOON_MS };
  }

  #later(status: GroupStatus): SyncResult {
    const { plan } = this.#request;
    const unsettled = members(status).some(({ current }) => current.kind === 'Waiting');
    const unaddressed = plan.network.address === 'Public' && status.ip === undefined;
    return { status, again: this.#now() + (unsettled || unaddressed ? WAITING_MS : IDLE_MS) };
  }

  #now(): number {
    return this.#request.now();
  }

  #times(): { now: number; wall: number } {
    return { now: this.#now(), wall: wallNow() };
  }
}

const members = ({ init, containers }: GroupStatus): ContainerStatus[] => [...init, ...containers];

/** The event for an error that the group itself causes; undefined for other errors. */
function eventOf(error: unknown): EventName | undefined {
  if (error instanceof MountProblem) return 'FailedMount';
  return error instanceof StartProblem || isRefusal(error) ? 'Failed' : undefined;
}
