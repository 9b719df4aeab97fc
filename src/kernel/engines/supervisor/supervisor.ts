import type { EngineContext } from '../context.ts';
import { DEFAULT_STOP_GRACE_SECONDS } from '../settings.ts';
import type { ContainerEngine, GroupEngine, SyncRequest, SyncResult } from '../types.ts';
import { GroupSync } from './group-sync.ts';
import { Prober } from './prober.ts';

/** Turns an engine for single containers into an engine for groups: does what a kubelet does on a node, by the jar's clock. */
export function supervise(engine: ContainerEngine, { settings }: Pick<EngineContext, 'settings'>): GroupEngine {
  return new Supervisor(engine, settings.stopGraceSeconds ?? DEFAULT_STOP_GRACE_SECONDS);
}

class Supervisor implements GroupEngine {
  readonly name: GroupEngine['name'];
  readonly description: string;
  readonly uids: GroupEngine['uids'];
  readonly logs: GroupEngine['logs'];
  readonly exec: GroupEngine['exec'];
  readonly attach: GroupEngine['attach'];
  readonly cachedImages: GroupEngine['cachedImages'];
  readonly #engine: ContainerEngine;
  readonly #graceSeconds: number;
  readonly #prober: Prober;
  readonly #listeners = new Set<(uid: string) => void>();

  constructor(engine: ContainerEngine, graceSeconds: number) {
    this.name = engine.name;
    this.description = engine.description;
    this.uids = () => engine.uids();
    this.logs = (target, options) => engine.logs(target, options);
    this.exec = (target, options) => engine.exec(target, options);
    this.attach = (target) => engine.attach(target);
    this.cachedImages = () => engine.cachedImages();
    this.#engine = engine;
    this.#graceSeconds = graceSeconds;
    this.#prober = new Prober(engine, (uid) => this.#tell(uid));
  }

  get trouble(): string | undefined {
    return this.#engine.trouble;
  }

  sync(request: SyncRequest): Promise<SyncResult> {
    return new GroupSync(this.#engine, this.#prober, this.#graceSeconds, request).run();
  }

  async remove(uid: string): Promise<void> {
    this.#prober.forget(uid);
    await this.#engine.removeGroup(uid);
  }

  /** The listener is also called for probes that ended after the wait. */
  async watch(listener: (uid: string) => void): Promise<{ close(): void }> {
    this.#listeners.add(listener);
    const watching = await this.#engine.watch(listener);
    return {
      close: () => {
        this.#listeners.delete(listener);
        watching.close();
      },
    };
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  #tell(uid: string): void {
    for (const listener of this.#listeners) listener(uid);
  }
}
