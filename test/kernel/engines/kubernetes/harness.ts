import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { EngineJar } from '../../../../src/kernel/engines/context.ts';
import { openKubernetes } from '../../../../src/kernel/engines/kubernetes/index.ts';
import type { ContainerPlan, GroupPlan } from '../../../../src/kernel/engines/plan.ts';
import { simulatedCollections } from '../../../../src/kernel/engines/simulated/collections.ts';
import { type ContainerStatus, type GroupStatus, NO_STATUS } from '../../../../src/kernel/engines/status.ts';
import type { GroupEngine, SyncResult, Wanted } from '../../../../src/kernel/engines/types.ts';
import { pause } from '../../../../src/kernel/time/timers.ts';
import { StandInCluster } from './api-server.ts';

const DEADLINE_MS = 120_000;

export function containerPlan(name: string, extra: Partial<ContainerPlan> = {}): ContainerPlan {
  return {
    name,
    image: 'web:1',
    command: undefined,
    env: [],
    ports: [],
    resources: {
      requests: { cpu: 1, memoryBytes: 1_500_000_000 },
      limits: { cpu: 1, memoryBytes: 1_500_000_000 },
      gpu: undefined,
    },
    mounts: [],
    security: undefined,
    liveness: undefined,
    readiness: undefined,
    ...extra,
  };
}

export function groupPlan(extra: Partial<GroupPlan> = {}): GroupPlan {
  const uid = extra.uid ?? randomUUID();
  return {
    uid,
    resourceId: `/subscriptions/s/resourceGroups/g/providers/Vendor.ContainerInstance/containerGroups/${uid}`,
    name: 'group-one',
    osType: 'Linux',
    restartPolicy: 'Always',
    init: [],
    containers: [containerPlan('web')],
    volumes: [],
    network: { address: 'None', ports: [], dns: undefined },
    registries: [],
    ...extra,
  };
}

/** A cluster for the tests of a file, emptied after each test, with engines of jars on it. */
export class Bench {
  cluster = new StandInCluster();
  readonly #engines: GroupEngine[] = [];
  /** The uids of which the engines have notified. */
  readonly told: string[] = [];
  #versionsHeard = 0;

  async engine(
    owner = 'jar-one',
    lifetime: 'jar' | 'process' = 'jar',
    graceSeconds = 10,
    timeoutSeconds?: number,
  ): Promise<GroupEngine> {
    const log = { warn: () => {} };
    const engine = await openKubernetes({
      jar: { log } as unknown as EngineJar,
      owner,
      settingsPath: 'services.containers',
      simulated: simulatedCollections('containers'),
      settings: {
        kubernetes: { kubeconfig: this.cluster.kubeconfig },
        stopGraceSeconds: graceSeconds,
        ...(timeoutSeconds !== undefined && { timeoutSeconds }),
      },
      lifetime,
    });
    this.#engines.push(engine);
    await engine.watch((uid) => {
      this.told.push(uid);
      this.#versionsHeard = this.cluster.store.version;
    });
    return engine;
  }

  /** Waits until a condition is met and the engine has received all changes. */
  async heard(is: () => boolean): Promise<void> {
    const end = Date.now() + DEADLINE_MS;
    while (!is() || this.#versionsHeard < this.cluster.store.version) {
      if (Date.now() > end) expect.fail('nothing was heard of it');
      await pause(5);
    }
  }

  async closeEngines(): Promise<void> {
    for (const engine of this.#engines.splice(0)) await engine.close();
  }
}

export function withCluster(): Bench {
  const bench = new Bench();
  beforeAll(() => bench.cluster.start());
  afterEach(async () => {
    await bench.closeEngines();
    bench.cluster.mend();
    bench.cluster.images.clear();
    bench.cluster.nodesForbidden = false;
    bench.cluster.kubelet.balancers = true;
    for (const kind of ['pods', 'secrets', 'services', 'events'] as const) {
      for (const { metadata } of bench.cluster.store.list(kind)) {
        bench.cluster.store.remove(kind, metadata.namespace ?? '', metadata.name);
      }
    }
    bench.cluster.release();
    bench.cluster.requests.length = 0;
    bench.told.length = 0;
  });
  afterAll(() => bench.cluster.stop());
  return bench;
}

/** A group with its stored status, as in the service. */
export class Group {
  plan: GroupPlan;
  wanted: Wanted = 'Running';
  generation = 1;
  keepSandbox = false;
  status: GroupStatus = NO_STATUS;
  /** Added to the system's time. */
  shift = 0;
  readonly kept = new Map<string, string>();
  readonly #engine: GroupEngine;

  constructor(engine: GroupEngine, plan: GroupPlan) {
    this.#engine = engine;
    this.plan = plan;
  }

  async sync(engine: GroupEngine = this.#engine): Promise<SyncResult> {
    const result = await engine.sync({
      plan: this.plan,
      wanted: this.wanted,
      generation: this.generation,
      keepSandbox: this.keepSandbox,
      status: structuredClone(this.status),
      now: () => Date.now() + this.shift,
      save: async (status) => {
        this.status = structuredClone(status);
        return true;
      },
      keepLog: async (container, text) => void this.kept.set(container, text.toString()),
      halt: new AbortController().signal,
    });
    this.status = structuredClone(result.status);
    return result;
  }

  async until(is: (group: Group) => boolean): Promise<void> {
    const end = Date.now() + DEADLINE_MS;
    for (;;) {
      await this.sync();
      if (is(this)) return;
      if (Date.now() > end) expect.fail(`not in time: ${JSON.stringify(this.status, null, 2)}`);
      await pause(5);
    }
  }

  running(): Promise<void> {
    return this.until(
      ({ status, generation }) =>
        status.generation === generation &&
        status.containers.length > 0 &&
        status.containers.every(({ current }) => current.kind === 'Running'),
    );
  }

  restart(): void {
    this.generation += 1;
    this.keepSandbox = true;
  }

  container(name: string): ContainerStatus {
    return [...this.status.init, ...this.status.containers].find((it) => it.name === name)!;
  }

  /** Events such as `Started 2`. */
  events(name: string): string[] {
    return this.container(name).events.map((event) => `${event.name} ${event.count}`);
  }

  target(container: string) {
    return { uid: this.plan.uid, container, engineId: this.container(container).engineId ?? '' };
  }
}
