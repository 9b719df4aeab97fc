import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ContainerPlan, GroupPlan, ProbePlan, RestartPolicy } from '../../../../src/kernel/engines/plan.ts';
import { type ContainerStatus, type GroupStatus, NO_STATUS } from '../../../../src/kernel/engines/status.ts';
import { supervise } from '../../../../src/kernel/engines/supervisor/supervisor.ts';
import { EngineUnavailable, type Wanted } from '../../../../src/kernel/engines/types.ts';
import { ModelEngine } from './model-engine.ts';

const container = (name: string, more: Partial<ContainerPlan> = {}): ContainerPlan => ({
  name,
  image: `image-of-${name}`,
  command: undefined,
  env: [],
  ports: [],
  resources: undefined,
  mounts: [],
  security: undefined,
  liveness: undefined,
  readiness: undefined,
  ...more,
});

const planned = (restartPolicy: RestartPolicy, init: string[], containers: (string | ContainerPlan)[]): GroupPlan => ({
  uid: 'group',
  resourceId: '/group',
  name: 'group',
  osType: 'Linux',
  restartPolicy,
  init: init.map((name) => container(name)),
  containers: containers.map((it) => (typeof it === 'string' ? container(it) : it)),
  volumes: [],
  network: { address: 'None', ports: [], dns: undefined },
  registries: [],
});

const PROBE: ProbePlan = {
  check: { kind: 'exec', command: ['check'] },
  initialDelaySeconds: 5,
  periodSeconds: 10,
  failureThreshold: 3,
  successThreshold: 1,
  timeoutSeconds: 1,
};

/** A supervised group and a clock. Unsaved status is lost, as after a crash. */
class Watched {
  readonly engine = new ModelEngine();
  readonly plan: GroupPlan;
  now = 1_000_000;
  status: GroupStatus = NO_STATUS;
  wanted: Wanted = 'Running';
  generation = 1;
  keepSandbox = false;
  again: number | undefined;
  readonly logs = new Map<string, string>();

  constructor(plan: GroupPlan) {
    this.plan = plan;
  }

  async sync(): Promise<void> {
    // A new supervisor each time, so that the result cannot depend on its memory.
    const supervisor = supervise(this.engine, { settings: {} });
    const result = await supervisor.sync({
      plan: this.plan,
      wanted: this.wanted,
      generation: this.generation,
      keepSandbox: this.keepSandbox,
      status: this.status,
      now: () => this.now,
      save: async (status) => {
        this.status = structuredClone(status);
        return true;
      },
      keepLog: async (name, text) => void this.logs.set(name, text.toString()),
      halt: new AbortController().signal,
    });
    this.status = result.status;
    this.again = result.again;
  }

  async advance(ms: number): Promise<void> {
    const end = this.now + ms;
    while (this.again !== undefined && this.again <= end) {
      this.now = Math.max(this.now, this.again);
      await this.sync();
    }
    this.now = end;
    await this.sync();
  }

  of(name: string): ContainerStatus {
    const found = [...this.status.init, ...this.status.containers].find((it) => it.name === name);
    if (!found) throw new Error(`no ${name}`);
    return found;
  }

  async exits(name: string, code: number): Promise<void> {
    const id = this.of(name).engineId ?? '';
    this.engine.exit(id, code);
    await this.sync();
  }
}

describe('a supervised group', () => {
  test('starts its containers together after its init containers, one by one', async () => {
    const group = new Watched(planned('Always', ['first', 'second'], ['web', 'db']));
    await group.sync();
    expect(group.engine.running()).toEqual(['first']);
    expect(group.of('web').current).toEqual({ kind: 'Waiting', reason: 'PodInitializing' });
    await group.exits('first', 0);
    expect(group.engine.running()).toEqual(['second']);
    await group.exits('second', 0);
    expect(group.engine.running()).toEqual(['web', 'db']);
    expect(group.engine.problems).toEqual([]);
  });

  test('runs a failed init container again, with pauses, before it goes on', async () => {
    const group = new Watched(planned('Always', ['first'], ['web']));
    await group.sync();
    await group.exits('first', 1);
    expect(group.engine.running()).toEqual(['first']);
    await group.exits('first', 1);
    expect(group.engine.running()).toEqual([]);
    await group.advance(9_999);
    expect(group.engine.running()).toEqual([]);
    await group.advance(1);
    expect(group.engine.running()).toEqual(['first']);
    await group.exits('first', 0);
    expect(group.engine.running()).toEqual(['web']);
  });

  test.each([
    ['Always', 0, true],
    ['Always', 1, true],
    ['OnFailure', 0, false],
    ['OnFailure', 1, true],
    ['Never', 0, false],
    ['Never', 1, false],
  ] as const)('with the policy %s and exit code %d comes back: %s', async (policy, code, comesBack) => {
    const group = new Watched(planned(policy, [], ['web']));
    await group.sync();
    await group.exits('web', code);
    expect(group.engine.running()).toEqual(comesBack ? ['web'] : []);
    const { restartCount, current, previous } = group.of('web');
    expect(restartCount).toBe(comesBack ? 1 : 0);
    const end = comesBack ? previous : current;
    expect(end).toMatchObject({ kind: 'Terminated', exitCode: code, reason: code === 0 ? 'Completed' : 'Error' });
  });

  test('waits longer after every crash, and not at all after ten good minutes', async () => {
    const group = new Watched(planned('Always', [], ['web']));
    await group.sync();
    await group.exits('web', 1);
    const pauses: number[] = [];
    for (let crash = 0; crash < 6; crash++) {
      await group.exits('web', 1);
      const { retryAt = 0, current } = group.of('web');
      expect(current).toEqual({ kind: 'Waiting', reason: 'CrashLoopBackOff' });
      pauses.push((retryAt - group.now) / 1000);
      await group.advance(retryAt - group.now);
    }
    expect(pauses).toEqual([10, 20, 40, 80, 160, 300]);
    expect(group.of('web').restartCount).toBe(7);
    expect(group.of('web').events.find(({ name }) => name === 'BackOff')?.count).toBe(6);
    await group.advance(600_000);
    await group.exits('web', 1);
    expect(group.engine.running()).toEqual(['web']);
  });

  test('tells of an image that cannot be had, and starts when it can', async () => {
    const group = new Watched(planned('Always', [], ['web', 'db']));
    group.engine.missingImages.add('image-of-web');
    await group.sync();
    expect(group.engine.running()).toEqual(['db']);
    expect(group.of('web').current).toEqual({ kind: 'Waiting', reason: 'ImagePullBackOff' });
    expect(group.of('web').events.map(({ name }) => name)).toEqual(['Pulling', 'Failed', 'BackOff']);
    group.engine.missingImages.clear();
    await group.advance(10_000);
    expect(group.engine.running()).toEqual(['db', 'web']);
    expect(group.of('web').restartCount).toBe(0);
  });

  test('kills a container whose liveness probe fails as often as it may, and its policy brings it back', async () => {
    const group = new Watched(planned('Always', [], [container('web', { liveness: PROBE })]));
    await group.sync();
    expect(group.again).toBe(group.now + 5000);
    await group.advance(5000);
    group.engine.unhealthy.add('web');
    await group.advance(29_999);
    expect(group.of('web').restartCount).toBe(0);
    await group.advance(1);
    const { restartCount, events } = group.of('web');
    expect(restartCount).toBe(1);
    expect(events.find(({ name }) => name === 'Unhealthy')).toMatchObject({ count: 3, type: 'Warning' });
    expect(events.map(({ name }) => name)).toContain('Killing');
  });

  test('does not treat an engine that cannot probe as an unhealthy container', async () => {
    const group = new Watched(planned('Always', [], [container('web', { liveness: PROBE, readiness: PROBE })]));
    await group.sync();
    await group.advance(5000);
    group.engine.probesFail = true;
    for (let round = 0; round < 5; round++) {
      group.now += 10_000;
      await expect(group.sync()).rejects.toThrow(EngineUnavailable);
    }
    group.engine.probesFail = false;
    await group.sync();
    expect(group.of('web')).toMatchObject({
      restartCount: 0,
      liveness: { failures: 0 },
      readiness: { passing: true, failures: 0 },
    });
    expect(group.of('web').events.map(({ name }) => name)).not.toContain('Unhealthy');
  });

  test('does not bring back with Never what a probe has killed', async () => {
    const group = new Watched(planned('Never', [], [container('web', { liveness: PROBE })]));
    group.engine.unhealthy.add('web');
    await group.sync();
    await group.advance(60_000);
    expect(group.engine.running()).toEqual([]);
    expect(group.of('web')).toMatchObject({ restartCount: 0, current: { kind: 'Terminated', exitCode: 143 } });
  });

  test('knows by its readiness probe whether a container is ready, and leaves it alone', async () => {
    const group = new Watched(planned('Always', [], [container('web', { readiness: PROBE })]));
    await group.sync();
    expect(group.of('web').readiness?.passing).toBe(false);
    await group.advance(5000);
    expect(group.of('web').readiness?.passing).toBe(true);
    group.engine.unhealthy.add('web');
    await group.advance(30_000);
    expect(group.of('web')).toMatchObject({ readiness: { passing: false, failures: 3 }, restartCount: 0 });
    expect(group.engine.running()).toEqual(['web']);
  });

  test('stops, keeps the ends of its logs, leaves nothing, and starts as new', async () => {
    const group = new Watched(planned('Always', [], ['web']));
    await group.sync();
    const running = group.of('web').current;
    group.wanted = 'Stopped';
    await group.sync();
    expect(await group.engine.uids()).toEqual([]);
    expect(group.logs.get('web')).toBe('the end\n');
    expect(group.status).toMatchObject({ sandbox: 'absent' });
    expect(group.status.ip).toBeUndefined();
    expect(group.of('web')).toMatchObject({ previous: running, current: { kind: 'Terminated', exitCode: 143 } });
    group.wanted = 'Running';
    group.generation = 2;
    await group.sync();
    expect(group.engine.running()).toEqual(['web']);
  });

  test('restarts in place: a new run in the same place, with the same count of restarts', async () => {
    const group = new Watched(planned('Always', [], ['web']));
    await group.sync();
    await group.exits('web', 1);
    const place = group.engine.sandbox;
    group.generation = 2;
    group.keepSandbox = true;
    await group.sync();
    expect(group.engine.sandbox).toBe(place);
    expect(group.engine.containers).toHaveLength(1);
    expect(group.of('web').restartCount).toBe(1);
    const events = group.of('web').events.map(({ name, count }) => [name, count]);
    expect(events).toContainEqual(['Killing', 1]);
    expect(events).toContainEqual(['Started', 3]);
  });

  test('creates again what was removed from the engine from outside', async () => {
    const group = new Watched(planned('OnFailure', ['first'], ['web', 'job']));
    await group.sync();
    await group.exits('first', 0);
    await group.exits('job', 0);
    await group.engine.removeGroup();
    await group.sync();
    expect(group.engine.running()).toEqual(['web']);
    expect(group.of('web').restartCount).toBe(1);
    expect(group.of('job').current).toMatchObject({ kind: 'Terminated', exitCode: 0 });
    expect(group.status.events.map(({ name }) => name)).toEqual(['SandboxChanged']);
  });

  test('counts the restart of a container that was waiting for it when its sandbox was lost', async () => {
    const group = new Watched(planned('Always', [], ['web', 'db']));
    await group.sync();
    await group.exits('db', 1);
    await group.exits('db', 1);
    expect(group.of('db').current).toMatchObject({ reason: 'CrashLoopBackOff' });
    await group.engine.removeGroup();
    await group.sync();
    expect(group.engine.running().sort()).toEqual(['db', 'web']);
    expect([group.of('web').restartCount, group.of('db').restartCount]).toEqual([1, 2]);
  });

  test('leaves an ended group unchanged, whatever happens to its sandbox', async () => {
    const group = new Watched(planned('Never', [], ['job']));
    await group.sync();
    await group.exits('job', 3);
    await group.engine.removeGroup();
    await group.sync();
    expect(await group.engine.uids()).toEqual([]);
    expect(group.of('job').current).toMatchObject({ exitCode: 3 });
  });
});

describe('whatever fails on the way', () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('sync' as const) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 400_000 }) }) },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('exit' as const), which: fc.nat(5), code: fc.constantFrom(0, 0, 1, 137) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('vanish' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('stop' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('start' as const) }) },
  );
  const trouble = fc.infiniteStream(fc.constantFrom('before', 'after', ...Array(6).fill(undefined)));

  test('a group never runs a container twice, and is complete once all goes well again', async () => {
    const policies = fc.constantFrom<RestartPolicy>('Always', 'OnFailure');
    await fc.assert(
      fc.asyncProperty(policies, fc.array(step, { maxLength: 40 }), trouble, async (policy, steps, failures) => {
        const group = new Watched(planned(policy, ['first', 'second'], ['web', 'db']));
        group.engine.fails = () => failures.next().value as 'before' | 'after' | undefined;
        for (const it of steps) await act(group, it);
        expect(group.engine.problems).toEqual([]);

        group.engine.fails = () => undefined;
        if (group.wanted === 'Stopped') {
          group.generation += 1;
          group.keepSandbox = false;
        }
        group.wanted = 'Running';
        for (let round = 0; round < 30; round++) {
          await group.advance(300_000);
          for (const { name, engineId } of group.engine.containers) {
            if (group.plan.init.some((it) => it.name === name)) group.engine.exit(engineId, 0);
          }
        }
        await group.sync();
        const ended = group.status.containers.map(({ name, current }) => ({ name, ...current }));
        const done = ended.filter((it) => it.kind === 'Terminated');
        expect(group.engine.problems).toEqual([]);
        expect([...group.engine.running(), ...done.map(({ name }) => name)].sort()).toEqual(['db', 'web']);
        const wrong = done.filter(({ exitCode }) => policy === 'Always' || exitCode !== 0);
        expect(wrong, 'ended for good without leave').toEqual([]);
        const names = group.engine.containers.map(({ name }) => name);
        expect(names, 'ends of former runs are cleared away').toEqual([...new Set(names)]);

        group.wanted = 'Stopped';
        await group.sync();
        expect(await group.engine.uids()).toEqual([]);
      }),
      { numRuns: process.env.CLOUDJAR_SOAK ? 5000 : 300 },
    );
  });

  async function act(group: Watched, it: { do: string; ms?: number; which?: number; code?: number }): Promise<void> {
    const { engine } = group;
    if (it.do === 'exit') {
      const running = engine.containers.filter(({ phase }) => phase === 'running');
      const one = running[(it.which ?? 0) % Math.max(1, running.length)];
      if (one) engine.exit(one.engineId, it.code ?? 0);
    }
    if (it.do === 'vanish') {
      engine.sandbox = undefined;
      engine.containers = [];
    }
    if (it.do === 'wait') group.now += it.ms ?? 0;
    if (it.do === 'restart' && group.wanted === 'Running') {
      group.generation += 1;
      group.keepSandbox = group.status.sandbox === 'ready';
    }
    if (it.do === 'stop') group.wanted = 'Stopped';
    if (it.do === 'start' && group.wanted === 'Stopped') {
      group.wanted = 'Running';
      group.generation += 1;
      group.keepSandbox = false;
    }
    await group.sync().catch(() => {});
  }
});
