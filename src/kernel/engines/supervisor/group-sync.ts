import { retryDelay } from '../backoff.ts';
import { endedForGood, endedWell, failedInit } from '../container-ends.ts';
import { EVENT_TEXT, note } from '../events.ts';
import type { ContainerPlan } from '../plan.ts';
import type { ContainerStatus, EventName, GroupStatus } from '../status.ts';
import {
  type ContainerEngine,
  type ImageOutcome,
  MountProblem,
  type ObservedContainer,
  type ObservedGroup,
  SandboxProblem,
  type SyncRequest,
  type SyncResult,
} from '../types.ts';
import { ContainerRun, KILLED_EXIT_CODE, reserve } from './container-run.ts';
import type { Prober } from './prober.ts';
import { stopGroup } from './stop-group.ts';

const NOTHING: ObservedGroup = { sandbox: undefined, containers: [] };

/** A container's status with its plan. */
interface Member {
  readonly plan: ContainerPlan;
  readonly status: ContainerStatus;
  readonly isInit: boolean;
}

/**
 * One reconciliation round of a group. A round observes the engine, decides, stores the decision, acts and observes again until nothing is
 * left but to wait. Every decision is stored before the action, and creating an existing object returns that object, so the next round
 * completes whatever a crash interrupted.
 */
export class GroupSync {
  readonly #engine: ContainerEngine;
  readonly #prober: Prober;
  readonly #graceSeconds: number;
  readonly #request: SyncRequest;
  readonly #status: GroupStatus;
  readonly #images = new Map<string, Promise<ImageOutcome>>();
  #again: number | undefined;

  constructor(engine: ContainerEngine, prober: Prober, graceSeconds: number, request: SyncRequest) {
    this.#engine = engine;
    this.#prober = prober;
    this.#graceSeconds = graceSeconds;
    this.#request = request;
    this.#status = structuredClone(request.status);
  }

  async run(): Promise<SyncResult> {
    if (this.#request.wanted === 'Stopped') {
      await stopGroup(this.#engine, this.#request, this.#status, this.#graceSeconds);
    } else {
      const isNew = this.#status.generation === 0;
      if (this.#status.generation !== this.#request.generation) await this.#begin(isNew);
      let fresh = isNew;
      while (!this.#request.halt.aborted && (await this.#request.save(this.#status))) {
        this.#again = undefined;
        if (!(await this.#step(fresh))) break;
        fresh = false;
      }
    }
    return { status: this.#status, ...(this.#again !== undefined && { again: this.#again }) };
  }

  /** Removes the previous deployment; a new group has none. */
  async #begin(isNew: boolean): Promise<void> {
    const { plan, generation, keepSandbox } = this.#request;
    const status = this.#status;
    if (!isNew) {
      const observed = await this.#engine.observe(plan.uid);
      await this.#replace(observed.containers);
      this.#prober.forget(plan.uid);
      if (!keepSandbox || !(await this.#keepPlace())) {
        await this.#engine.removeGroup(plan.uid);
        status.sandbox = 'absent';
        status.ip = undefined;
      }
    }
    status.generation = generation;
    const before = [...status.init, ...status.containers];
    const anew = ({ name }: ContainerPlan, reason: string): ContainerStatus => {
      const known = before.find((it) => it.name === name);
      return {
        name,
        run: known?.run ?? 0,
        current: { kind: 'Waiting', reason },
        ...(known && known.current.kind !== 'Waiting' && { previous: known.current }),
        restartCount: keepSandbox ? (known?.restartCount ?? 0) : 0,
        failures: 0,
        events: known?.events ?? [],
      };
    };
    status.init = plan.init.map((it) => anew(it, 'ContainerCreating'));
    status.containers = plan.containers.map((it) =>
      anew(it, plan.init.length > 0 ? 'PodInitializing' : 'ContainerCreating'),
    );
    for (const member of plan.init.length > 0 ? status.init.slice(0, 1) : status.containers) reserve(member);
  }

  /** Whether the sandbox of the previous deployment can be reused. */
  async #keepPlace(): Promise<boolean> {
    if (this.#status.sandbox !== 'ready') return false;
    try {
      await this.#engine.addVolumes(this.#request.plan, this.#request.halt);
      return true;
    } catch (error) {
      // Building a new sandbox will fail on the same volume, and is retried.
      if (error instanceof MountProblem) return false;
      throw error;
    }
  }

  /** Stops running containers, records how they ended, and removes all containers. */
  async #replace(observed: readonly ObservedContainer[]): Promise<void> {
    const running = observed.filter(({ phase }) => phase === 'running');
    await Promise.all(running.map(({ engineId }) => this.#engine.stopContainer(engineId, this.#graceSeconds)));
    const after = running.length > 0 ? await this.#engine.observe(this.#request.plan.uid) : NOTHING;
    for (const { name, engineId } of running) {
      const member = this.#members().find(({ status }) => status.name === name);
      const exitCode = after.containers.find((it) => it.engineId === engineId)?.exitCode ?? KILLED_EXIT_CODE;
      if (member) this.#note(member.status, 'Killing', EVENT_TEXT.ended(name, exitCode));
    }
    await Promise.all(observed.map(({ engineId }) => this.#engine.removeContainer(engineId)));
  }

  /** Returns true if another step may be possible at once. */
  async #step(isNew: boolean): Promise<boolean> {
    const { plan } = this.#request;
    if (this.#isOver()) return false;
    let observed: ObservedGroup = isNew ? NOTHING : await this.#engine.observe(plan.uid);
    if (this.#status.sandbox === 'ready' && !observed.sandbox?.running) return this.#lost();
    if (this.#status.sandbox !== 'ready') {
      const built = await this.#buildSandbox();
      if (!built || !isNew) return built;
      observed = { sandbox: { running: true, ip: this.#status.ip }, containers: [] };
    }
    await this.#removeStrays(observed.containers);
    this.#notBefore(observed.nextChangeAt);
    const due = this.#dueMembers();
    const acted = await Promise.all(due.map((member) => this.#advance(member, observed)));
    return acted.includes(true);
  }

  /** No container will run again, so changes of the sandbox no longer matter. */
  #isOver(): boolean {
    const { restartPolicy } = this.#request.plan;
    const { init, containers } = this.#status;
    return failedInit(init, restartPolicy) || containers.every((it) => endedForGood(it, restartPolicy));
  }

  /** The init container that is next; after the last one, all other containers. */
  #dueMembers(): Member[] {
    const { restartPolicy } = this.#request.plan;
    const members = this.#members();
    const turn = members.find(({ isInit, status }) => isInit && !endedWell(status));
    if (turn) return failedInit([turn.status], restartPolicy) ? [] : [turn];
    return members.filter(({ isInit, status }) => !isInit && !endedForGood(status, restartPolicy));
  }

  #members(): Member[] {
    const { plan } = this.#request;
    const { init, containers } = this.#status;
    const pair = (isInit: boolean, plans: readonly ContainerPlan[], list: ContainerStatus[]): Member[] =>
      list.flatMap((status) => {
        const own = plans.find(({ name }) => name === status.name);
        return own ? [{ plan: own, status, isInit }] : [];
      });
    return [...pair(true, plan.init, init), ...pair(false, plan.containers, containers)];
  }

  async #advance({ plan, status, isInit }: Member, { containers }: ObservedGroup): Promise<boolean> {
    const run = new ContainerRun({
      engine: this.#engine,
      prober: this.#prober,
      request: this.#request,
      image: (image) => this.#image(image),
      reference: async (image) => (await this.#engine.imageReference?.(image)) ?? image,
      graceSeconds: this.#graceSeconds,
      plan,
      status,
      isInit,
    });
    const acted = await run.advance(containers.find(({ name, run }) => name === status.name && run === status.run));
    this.#notBefore(run.again);
    return acted;
  }

  /** Removes containers that are no current run: earlier runs, and leftovers of a crash. */
  async #removeStrays(observed: readonly ObservedContainer[]): Promise<void> {
    const { generation } = this.#request;
    const members = this.#members();
    const strays = observed.filter(
      (it) =>
        it.generation !== generation || !members.some(({ status }) => status.name === it.name && status.run === it.run),
    );
    await Promise.all(strays.map(({ engineId }) => this.#engine.removeContainer(engineId)));
  }

  /** Once per round, however many containers use the image. */
  #image(image: string): Promise<ImageOutcome> {
    const { plan, halt } = this.#request;
    let pulling = this.#images.get(image);
    if (!pulling) {
      pulling = this.#engine.ensureImage(image, plan.registries, halt);
      // The pull starts in advance, so there may be no caller yet that handles its failure.
      pulling.catch(() => {});
      this.#images.set(image, pulling);
    }
    return pulling;
  }

  /** Returns false if the next attempt has to wait. */
  async #buildSandbox(): Promise<boolean> {
    const { plan, generation, halt } = this.#request;
    const status = this.#status;
    const waiting = [...status.init, ...status.containers];
    const retryAt = Math.max(0, ...waiting.map((it) => it.retryAt ?? 0));
    if (retryAt > this.#request.now()) {
      this.#notBefore(retryAt);
      return false;
    }
    for (const member of this.#dueMembers()) void this.#image(member.plan.image);
    try {
      const { ip } = await this.#engine.createSandbox(plan, generation, halt);
      status.ip = ip;
      status.sandbox = 'ready';
      for (const each of waiting) each.retryAt = undefined;
    } catch (error) {
      if (!(error instanceof MountProblem || error instanceof SandboxProblem)) throw error;
      const now = this.#request.now();
      const name = error instanceof MountProblem ? 'FailedMount' : 'Failed';
      status.events = note(status.events, name, error.message, now);
      for (const each of waiting) {
        each.failures += 1;
        each.retryAt = now + retryDelay(each.failures);
        this.#notBefore(each.retryAt);
      }
      return false;
    }
    return true;
  }

  /** The sandbox was removed from outside or the engine was restarted: running containers are gone, whatever the restart policy. */
  async #lost(): Promise<boolean> {
    const now = this.#request.now();
    const status = this.#status;
    status.sandbox = 'lost';
    status.events = note(
      status.events,
      'SandboxChanged',
      'The group has disappeared from its engine and is created again',
      now,
    );
    for (const { status: each, isInit } of this.#members()) {
      if (endedForGood(each, this.#request.plan.restartPolicy) || (isInit && endedWell(each))) continue;
      if (each.current.kind === 'Running') {
        const { startedAt } = each.current;
        each.previous = { kind: 'Terminated', startedAt, finishedAt: now, exitCode: 137, reason: 'Error' };
        if (this.#request.plan.restartPolicy === 'Never') {
          each.current = each.previous;
          continue;
        }
        each.restartCount += 1;
      } else if (isBackingOff(each)) each.restartCount += 1;
      each.current = { kind: 'Waiting', reason: 'ContainerCreating' };
      each.retryAt = undefined;
      reserve(each);
    }
    if (await this.#request.save(status)) await this.#engine.removeGroup(this.#request.plan.uid);
    return true;
  }

  #note(status: ContainerStatus, name: EventName, message: string): void {
    status.events = note(status.events, name, message, this.#request.now());
  }

  #notBefore(at: number | undefined): void {
    if (at !== undefined) this.#again = Math.min(this.#again ?? at, at);
  }
}

/** The container was waiting for its restart, which the new sandbox brings. */
const isBackingOff = ({ current }: ContainerStatus): boolean =>
  current.kind === 'Waiting' && current.reason === 'CrashLoopBackOff';
