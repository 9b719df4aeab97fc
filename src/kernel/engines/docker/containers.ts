import { pause } from '../../time/timers.ts';
import type { EngineContext } from '../context.ts';
import type { ContainerPlan, GroupPlan } from '../plan.ts';
import {
  EngineUnavailable,
  ImageProblem,
  MountProblem,
  type ObservedContainer,
  type ObservedGroup,
  type RunName,
  StartProblem,
} from '../types.ts';
import { type EngineClient, EngineError, filters } from './client.ts';
import { containerBody } from './container-body.ts';
import type { EngineFacts } from './engine-facts.ts';
import { imagePath } from './images.ts';
import { hasLabels, LABEL, type Labels, type Names } from './names.ts';
import {
  type InspectedContainer,
  isConflict,
  isGone,
  isMissing,
  NETWORK_LABEL,
  type NetworkSettings,
  networkAddress,
  type Sandboxes,
  unlessGone,
} from './sandbox.ts';
import { SeccompProfiles } from './seccomp.ts';
import type { Volumes } from './volumes.ts';

export interface ListedContainer {
  readonly Id: string;
  readonly Names?: readonly string[];
  readonly Labels: Labels | null;
  readonly State: string;
  readonly NetworkSettings?: NetworkSettings | null;
}

type End = Required<Pick<ObservedContainer, 'exitCode' | 'outOfMemory'>>;

/** States of Docker and Podman before the process was started. In every state that is in neither set the process exists. */
const NOT_STARTED = new Set(['created', 'configured', 'initialized']);
const ENDED = new Set(['exited', 'dead', 'stopped']);
const GOING = 'removing';

const NOT_FOUND = 127;
const NOT_RUNNABLE = 126;
const OTHER = 128;
const REMEMBERED_ENDS = 10_000;
const MOMENT_MS = 25;
const LISTS_TRIED = 20;
const REMOVAL_TRIES = 400;
const NEVER_ABORTED = new AbortController().signal;

/** The containers of users. */
export class Containers {
  readonly #client: EngineClient;
  readonly #names: Names;
  readonly #facts: EngineFacts;
  readonly #volumes: Volumes;
  readonly #sandboxes: Sandboxes;
  readonly #profiles: SeccompProfiles;
  readonly #log: EngineContext['jar']['log'];
  /** Cached because a container that has ended does not change any more. */
  readonly #ends = new Map<string, End>();
  /** Containers that this process is removing, so their events are expected. */
  readonly removing = new Set<string>();

  constructor(
    client: EngineClient,
    names: Names,
    facts: EngineFacts,
    parts: { volumes: Volumes; sandboxes: Sandboxes; context: EngineContext },
  ) {
    this.#client = client;
    this.#names = names;
    this.#facts = facts;
    this.#volumes = parts.volumes;
    this.#sandboxes = parts.sandboxes;
    this.#profiles = new SeccompProfiles(parts.context);
    this.#log = parts.context.jar.log;
  }

  /** Podman fails a list if a container disappears meanwhile. */
  async list(labels: readonly string[]): Promise<ListedContainer[]> {
    const query = { all: true, filters: filters({ label: labels }) };
    for (let tries = 1; ; tries++) {
      try {
        const listed = await this.#client.json<ListedContainer[]>('GET', '/containers/json', { query });
        return listed.filter(({ Labels }) => hasLabels(Labels, labels));
      } catch (error) {
        if (!(error instanceof EngineError) || tries === LISTS_TRIED) throw error;
        await pause(MOMENT_MS);
      }
    }
  }

  async start(group: GroupPlan, plan: ContainerPlan, run: RunName): Promise<{ engineId: string }> {
    const made = await this.#create(group, plan, run);
    if (!made.startIt) return { engineId: made.engineId };
    try {
      await this.#client.text('POST', `/containers/${made.engineId}/start`);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      // A container that failed to start can neither be run nor have its log read.
      await this.remove(made.engineId).catch(() => {});
      throw startProblem(error);
    }
    return { engineId: made.engineId };
  }

  async #create(group: GroupPlan, plan: ContainerPlan, run: RunName): Promise<{ engineId: string; startIt: boolean }> {
    const name = this.#names.run(group.uid, plan.name, run);
    const body = await this.#body(group, plan, run);
    try {
      const { Id } = await this.#client.json<{ Id: string }>('POST', '/containers/create', { query: { name }, body });
      return { engineId: Id, startIt: true };
    } catch (error) {
      if (isConflict(error)) return this.#adopt(name);
      if (isMissing(error)) throw new ImageProblem(error.message);
      if (error instanceof EngineError) throw startProblem(error);
      throw error;
    }
  }

  /** Adopts a container that was created before a crash. */
  async #adopt(name: string): Promise<{ engineId: string; startIt: boolean }> {
    const { Id, State } = await this.#client.json<InspectedContainer>('GET', `/containers/${name}/json`);
    return { engineId: Id, startIt: NOT_STARTED.has(State.Status) };
  }

  async #body(group: GroupPlan, plan: ContainerPlan, run: RunName): Promise<object> {
    try {
      const { security } = plan;
      const profile = security?.seccompProfile;
      const seccomp = profile !== undefined && this.#facts.isPodman ? await this.#profiles.file(profile) : profile;
      // Volumes are created with the group, just before the first run. Before a later run one may have been removed from outside.
      if (plan.mounts.length > 0 && run.run > 1) await this.#volumes.ensure(group, NEVER_ABORTED);
      const needsUser = security?.runAsGroup !== undefined && security.runAsUser === undefined;
      return containerBody(group, plan, {
        isPodman: this.#facts.isPodman,
        ...(await this.#machine(group, plan)),
        labels: this.#names.runLabels(group.uid, plan.name, run),
        sandbox: this.#names.sandbox(group.uid),
        mounts: this.#volumes.mounts(group, plan.mounts),
        seccomp,
        imageUser: needsUser ? await this.#imageUser(plan.image) : undefined,
      });
    } catch (error) {
      if (error instanceof MountProblem) throw new StartProblem(error.message, OTHER);
      throw error;
    }
  }

  /** What the machine gives to a container. A container that requests GPUs runs without them if there are none. */
  async #machine(group: GroupPlan, { name: container, resources }: ContainerPlan) {
    const { cpus, hasGpus } = await this.#facts.details();
    if (resources?.gpu && !hasGpus) {
      const about = { group: group.resourceId, container, gpu: resources.gpu.sku };
      this.#log.warn(about, 'the container engine has no GPUs, so the container runs without');
    }
    return { cpus, hasGpus };
  }

  async #imageUser(image: string): Promise<string | undefined> {
    const { Config } = await this.#client.json<{ Config?: { User?: string } }>('GET', imagePath(image));
    return Config?.User;
  }

  async stop(engineId: string, graceSeconds: number): Promise<void> {
    const options = { query: { t: graceSeconds }, answerMs: (graceSeconds + 60) * 1000 };
    await this.#client.text('POST', `/containers/${engineId}/stop`, options).catch(unlessGone);
  }

  async remove(engineId: string): Promise<void> {
    // Entries are deleted when the engine reports the removal; without a watcher nothing deletes them, so their number is limited.
    if (this.removing.size >= REMEMBERED_ENDS) this.removing.clear();
    this.removing.add(engineId);
    try {
      const removal = this.#client.text('DELETE', `/containers/${engineId}`, { query: { force: true, v: true } });
      await removal.catch((error: unknown) => (isUnderWay(error) ? this.#gone(engineId) : unlessGone(error)));
      this.#ends.delete(engineId);
    } catch (error) {
      this.removing.delete(engineId);
      throw error;
    }
  }

  /** Another client is already removing the container: wait until it is gone. */
  async #gone(engineId: string): Promise<void> {
    for (let tries = 0; tries < REMOVAL_TRIES; tries++) {
      await pause(MOMENT_MS);
      try {
        await this.#client.text('GET', `/containers/${engineId}/json`);
      } catch (error) {
        return unlessGone(error);
      }
    }
    throw new EngineUnavailable(`the removal of the container ${engineId} takes too long`);
  }

  async observe(uid: string): Promise<ObservedGroup> {
    const listed = await this.list(this.#names.filter(uid));
    const sandbox = listed.find(({ Labels }) => Labels?.[LABEL.role] === 'sandbox');
    const runs = listed.filter(({ Labels, State }) => Labels?.[LABEL.role] === 'run' && State !== GOING);
    const containers = await Promise.all(runs.map((it) => this.#observed(it)));
    return {
      sandbox: sandbox && { running: sandbox.State === 'running', ip: this.#ipOf(sandbox) },
      containers: containers.filter((it) => it !== undefined),
    };
  }

  close(): Promise<void> {
    return this.#profiles.close();
  }

  #ipOf({ Labels, NetworkSettings }: ListedContainer): string | undefined {
    const network = Labels?.[NETWORK_LABEL];
    if (network === 'Public') return this.#sandboxes.shownAddress(Labels);
    return network === 'Private' ? networkAddress(NetworkSettings ?? {}) : undefined;
  }

  async #observed({ Id, Labels, State }: ListedContainer): Promise<ObservedContainer | undefined> {
    const seen = {
      engineId: Id,
      name: Labels?.[LABEL.container] ?? '',
      generation: Number(Labels?.[LABEL.generation]),
      run: Number(Labels?.[LABEL.run]),
    };
    if (NOT_STARTED.has(State)) return { ...seen, phase: 'created' };
    if (!ENDED.has(State)) return { ...seen, phase: 'running' };
    const end = await this.#endOf(Id);
    return end && { ...seen, phase: 'exited', ...end };
  }

  async #endOf(engineId: string): Promise<End | undefined> {
    const known = this.#ends.get(engineId);
    if (known) return known;
    try {
      const { State } = await this.#client.json<InspectedContainer>('GET', `/containers/${engineId}/json`);
      const end = { exitCode: State.ExitCode, outOfMemory: State.OOMKilled ?? false };
      if (this.#ends.size >= REMEMBERED_ENDS) this.#ends.clear();
      this.#ends.set(engineId, end);
      return end;
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  }
}

const isUnderWay = (error: unknown): boolean =>
  error instanceof EngineError && error.status === 409 && /in progress/.test(error.message);

function startProblem({ message }: EngineError): StartProblem {
  if (/executable file not found|no such file or directory|command that was not found/i.test(message))
    return new StartProblem(message, NOT_FOUND);
  if (/permission denied|exec format error|is a directory/i.test(message))
    return new StartProblem(message, NOT_RUNNABLE);
  return new StartProblem(message, OTHER);
}
