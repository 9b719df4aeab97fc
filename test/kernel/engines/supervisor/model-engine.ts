import type { ContainerPlan, GroupPlan } from '../../../../src/kernel/engines/plan.ts';
import {
  type ContainerEngine,
  EngineUnavailable,
  type ImageOutcome,
  ImageProblem,
  type ObservedContainer,
  type ObservedGroup,
  type ProbeOutcome,
  type RunName,
} from '../../../../src/kernel/engines/types.ts';

interface Modelled extends RunName {
  engineId: string;
  name: string;
  phase: 'created' | 'running' | 'exited';
  exitCode?: number;
}

/** An engine of one group with simulated failures, before or after it has processed a call, as in real engines. */
export class ModelEngine implements ContainerEngine {
  readonly name = 'docker';
  readonly description = 'a model';
  sandbox: { running: boolean; ip: string } | undefined;
  containers: Modelled[] = [];
  missingImages = new Set<string>();
  unhealthy = new Set<string>();
  probesFail = false;
  /** Everything that was started, in order: `name#run`. */
  readonly started: string[] = [];
  readonly problems: string[] = [];
  /** Called for every call: whether it fails, and when. */
  fails: () => 'before' | 'after' | undefined = () => undefined;
  #ids = 0;

  async #call<R>(effect: () => R): Promise<R> {
    const fails = this.fails();
    await Promise.resolve();
    if (fails === 'before') throw new EngineUnavailable('refused');
    const result = effect();
    if (fails === 'after') throw new EngineUnavailable('lost the answer');
    return result;
  }

  ensureImage(image: string): Promise<ImageOutcome> {
    return this.#call(() => {
      if (this.missingImages.has(image)) throw new ImageProblem('there is none');
      return 'present' as const;
    });
  }

  createSandbox(): Promise<{ ip: string }> {
    return this.#call(() => {
      this.sandbox ??= { running: true, ip: '10.0.0.1' };
      return { ip: this.sandbox.ip };
    });
  }

  addVolumes(): Promise<void> {
    return this.#call(() => {});
  }

  startContainer(plan: GroupPlan, { name }: ContainerPlan, run: RunName): Promise<{ engineId: string }> {
    return this.#call(() => {
      const same = this.containers.find(
        (it) => it.name === name && it.run === run.run && it.generation === run.generation,
      );
      if (same) return { engineId: same.engineId };
      if (!this.sandbox?.running) this.problems.push(`${name} started without a sandbox`);
      if (this.containers.some((it) => it.name === name && it.phase === 'running')) {
        this.problems.push(`${name} runs twice`);
      }
      const isInit = plan.init.some((it) => it.name === name);
      if (isInit && this.containers.some((it) => it.phase === 'running' && it.generation === run.generation)) {
        this.problems.push(`${name} did not wait for its turn`);
      }
      this.#ids += 1;
      const made: Modelled = { ...run, name, engineId: `c${this.#ids}`, phase: 'running' };
      this.containers.push(made);
      this.started.push(`${name}#${run.generation}.${run.run}`);
      return { engineId: made.engineId };
    });
  }

  stopContainer(engineId: string): Promise<void> {
    return this.#call(() => this.exit(engineId, 143));
  }

  removeContainer(engineId: string): Promise<void> {
    return this.#call(() => {
      this.containers = this.containers.filter((it) => it.engineId !== engineId);
    });
  }

  observe(): Promise<ObservedGroup> {
    return this.#call(() => ({
      sandbox: this.sandbox && { ...this.sandbox },
      containers: this.containers.map((it): ObservedContainer => ({ ...it })),
    }));
  }

  probe(target: { container: string }): Promise<ProbeOutcome> {
    return this.#call(() => {
      if (this.probesFail) throw new EngineUnavailable('no answer');
      return this.unhealthy.has(target.container) ? { healthy: false, reason: 'sick' } : { healthy: true };
    });
  }

  removeGroup(): Promise<void> {
    return this.#call(() => {
      this.sandbox = undefined;
      this.containers = [];
    });
  }

  async uids(): Promise<string[]> {
    return this.sandbox || this.containers.length > 0 ? ['group'] : [];
  }

  logs(): Promise<Buffer> {
    return this.#call(() => Buffer.from('the end\n'));
  }

  exec(): never {
    throw new Error('not modelled');
  }

  attach(): never {
    throw new Error('not modelled');
  }

  async watch(): Promise<{ close(): void }> {
    return { close() {} };
  }

  async cachedImages(): Promise<[]> {
    return [];
  }

  async close(): Promise<void> {}

  /** Simulates the end of a container. */
  exit(engineId: string, exitCode: number): void {
    const found = this.containers.find((it) => it.engineId === engineId);
    if (found?.phase === 'running') Object.assign(found, { phase: 'exited', exitCode });
  }

  running(): string[] {
    return this.containers.filter(({ phase }) => phase === 'running').map(({ name }) => name);
  }
}
