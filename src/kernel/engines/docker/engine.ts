import { pause } from '../../time/timers.ts';
import type { EngineContext } from '../context.ts';
import type { ContainerPlan, GroupPlan, ProbePlan, RegistryLogin } from '../plan.ts';
import {
  type ContainerEngine,
  type ContainerTarget,
  EngineUnavailable,
  type ExecOptions,
  type LogOptions,
  type ObservedGroup,
  type ProbeOutcome,
  type RunName,
  SandboxProblem,
  type Terminal,
} from '../types.ts';
import { answered, type EngineClient, EngineError } from './client.ts';
import { Containers, type ListedContainer } from './containers.ts';
import type { EngineFacts } from './engine-facts.ts';
import { cachedImages, ensureImage, imageReference } from './images.ts';
import { readLogs } from './logs.ts';
import { isDeadHere, LABEL, Names } from './names.ts';
import { Probes } from './probe.ts';
import { publishingOf } from './publishing.ts';
import { Sandboxes } from './sandbox.ts';
import { openAttach, openExec } from './terminals.ts';
import { Volumes } from './volumes.ts';
import { Watcher } from './watch.ts';

const REMOVALS_TRIED = 3;
const REMOVAL_PAUSE_MS = 200;

/** Runs containers through the Docker Engine API, on Docker or Podman. */
export class DockerEngine implements ContainerEngine {
  readonly name = 'docker';
  readonly description: string;
  readonly #client: EngineClient;
  readonly #context: EngineContext;
  readonly #facts: EngineFacts;
  readonly #names: Names;
  readonly #sandboxes: Sandboxes;
  readonly #volumes: Volumes;
  readonly #containers: Containers;
  readonly #probes: Probes;
  readonly #watchers = new Set<Watcher>();
  #clearing: Promise<void> | undefined;

  constructor(client: EngineClient, facts: EngineFacts, context: EngineContext) {
    this.description = facts.description;
    this.#client = client;
    this.#facts = facts;
    this.#context = context;
    this.#names = new Names(context);
    this.#sandboxes = new Sandboxes(client, this.#names, facts, publishingOf(context, client.address));
    this.#volumes = new Volumes(client, this.#names, context, (uid, mounts) =>
      this.#sandboxes.createFiller(uid, mounts),
    );
    const parts = { volumes: this.#volumes, sandboxes: this.#sandboxes, context };
    this.#containers = new Containers(client, this.#names, facts, parts);
    this.#probes = new Probes(client, this.#sandboxes, facts);
  }

  get trouble(): string | undefined {
    return this.#client.trouble;
  }

  ensureImage(image: string, registries: readonly RegistryLogin[], halt: AbortSignal): Promise<'present' | 'pulled'> {
    return ensureImage(this.#client, image, registries, halt);
  }

  imageReference(image: string): Promise<string | undefined> {
    return imageReference(this.#client, image);
  }

  async createSandbox(plan: GroupPlan, generation: number, halt: AbortSignal): Promise<{ ip: string | undefined }> {
    if (plan.osType === 'Windows') throw new SandboxProblem(`${this.description} runs Linux containers only`);
    await this.#volumes.ensure(plan, halt);
    try {
      const made = await this.#sandboxes.create(plan, generation);
      if (made) return made;
      // The sandbox of an earlier deployment cannot be used for a later one.
      await this.removeGroup(plan.uid);
      return await this.createSandbox(plan, generation, halt);
    } catch (error) {
      if (error instanceof EngineError)
        throw new SandboxProblem(`The network of the group cannot be created: ${error.message}`);
      throw error;
    }
  }

  addVolumes(plan: GroupPlan, halt: AbortSignal): Promise<void> {
    return this.#volumes.ensure(plan, halt);
  }

  startContainer(plan: GroupPlan, container: ContainerPlan, run: RunName): Promise<{ engineId: string }> {
    return this.#containers.start(plan, container, run);
  }

  stopContainer(engineId: string, graceSeconds: number): Promise<void> {
    return answered(this.#containers.stop(engineId, graceSeconds));
  }

  removeContainer(engineId: string): Promise<void> {
    return answered(this.#containers.remove(engineId));
  }

  observe(uid: string): Promise<ObservedGroup> {
    return answered(this.#containers.observe(uid));
  }

  probe(target: ContainerTarget, check: ProbePlan['check'], timeoutMs: number): Promise<ProbeOutcome> {
    return this.#probes.probe(target, check, timeoutMs);
  }

  removeGroup(uid: string): Promise<void> {
    return answered(this.#removeAll(this.#names.filter(uid), () => this.#volumes.list(uid), `the group ${uid}`));
  }

  async uids(): Promise<string[]> {
    const listing = Promise.all([this.#containers.list(this.#names.filter()), this.#volumes.list()]);
    const [containers, volumes] = await answered(listing);
    const uids = [...containers, ...volumes].flatMap(({ Labels }) => Labels?.[LABEL.group] ?? []);
    return [...new Set(uids)];
  }

  logs(target: ContainerTarget, options: LogOptions): Promise<Buffer> {
    return answered(readLogs(this.#client, this.#facts, target.engineId, options));
  }

  exec(target: ContainerTarget, options: ExecOptions): Promise<Terminal> {
    return answered(openExec(this.#client, this.#facts, target.engineId, options));
  }

  attach(target: ContainerTarget): Promise<Terminal> {
    return answered(openAttach(this.#client, target.engineId));
  }

  async watch(listener: (uid: string) => void): Promise<{ close(): void }> {
    const parts = { client: this.#client, names: this.#names, containers: this.#containers };
    const watcher = new Watcher({ ...parts, log: this.#context.jar.log }, listener);
    this.#watchers.add(watcher);
    await watcher.open();
    return {
      close: () => {
        this.#watchers.delete(watcher);
        watcher.close();
      },
    };
  }

  cachedImages(): Promise<{ osType: 'Linux'; image: string }[]> {
    return answered(cachedImages(this.#client));
  }

  /** Starts to remove leftovers of jars whose process ended before it could remove them. */
  clearLeftovers(): void {
    this.#clearing = this.#removeOfDeadProcesses().catch((error: unknown) => {
      this.#context.jar.log.warn({ err: error }, 'containers of ended processes could not be removed');
    });
  }

  async close(): Promise<void> {
    for (const watcher of this.#watchers) watcher.close();
    await this.#clearing;
    if (this.#context.lifetime === 'process') await this.#removeOwn();
    await this.#containers.close();
    this.#client.close();
  }

  /** Anything that cannot be removed now is removed by the next jar on this machine. */
  async #removeOwn(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#removeAll(this.#names.filter(), () => this.#volumes.list(), 'this owner');
      } catch (error) {
        if (tries === REMOVALS_TRIED) {
          this.#context.jar.log.warn({ err: error }, 'containers of this jar could not be removed');
          return;
        }
        await pause(REMOVAL_PAUSE_MS);
      }
    }
  }

  async #removeAll(
    labels: readonly string[],
    volumes: () => ReturnType<Volumes['list']>,
    whose: string,
  ): Promise<void> {
    await this.#removeContainers(await this.#containers.list(labels));
    await this.#volumes.remove(await volumes());
    const [left, volumesLeft] = await Promise.all([this.#containers.list(labels), volumes()]);
    const count = left.length + volumesLeft.length;
    if (count > 0) throw new EngineUnavailable(`${count} containers and volumes of ${whose} still exist`);
  }

  /** Sandboxes are removed last: engines keep a network while other containers use it. */
  async #removeContainers(listed: readonly ListedContainer[]): Promise<void> {
    const isSandbox = ({ Labels }: ListedContainer): boolean => Labels?.[LABEL.role] === 'sandbox';
    for (const part of [listed.filter((it) => !isSandbox(it)), listed.filter(isSandbox)])
      await Promise.all(part.map(({ Id }) => this.#containers.remove(Id)));
  }

  async #removeOfDeadProcesses(): Promise<void> {
    const isDead = ({ Labels }: Pick<ListedContainer, 'Labels'>): boolean => isDeadHere(Labels?.[LABEL.process] ?? '');
    await this.#removeContainers((await this.#containers.list([LABEL.process])).filter(isDead));
    const volumes = await this.#volumes.listOfProcesses();
    await this.#volumes.remove(volumes.filter(({ Labels }) => isDead({ Labels: Labels ?? null })));
  }
}
