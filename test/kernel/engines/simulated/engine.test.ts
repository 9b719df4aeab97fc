import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContainerPlan, GroupPlan } from '../../../../src/kernel/engines/plan.ts';
import {
  type ContainerTarget,
  ImageProblem,
  MountProblem,
  type ProbeOutcome,
  StartProblem,
} from '../../../../src/kernel/engines/types.ts';
import { containerPlan, groupPlan, shell } from '../plans.ts';
import { COLLECTIONS, openSimulatedBench, type SimulatedBench } from './bench.ts';

const HALT = new AbortController().signal;

let bench: SimulatedBench;
beforeAll(async () => {
  bench = await openSimulatedBench();
});
afterAll(() => bench.dispose());

async function start(
  changes: Partial<ContainerPlan>,
  group: Partial<GroupPlan> = {},
  run = 1,
): Promise<ContainerTarget> {
  const container = containerPlan({ command: undefined, ...changes });
  const plan = groupPlan({ containers: [container], ...group });
  await bench.engine.createSandbox(plan, 1, HALT);
  const { engineId } = await bench.engine.startContainer(plan, container, { generation: 1, run });
  return { uid: plan.uid, container: container.name, engineId };
}
const seen = async ({ uid }: ContainerTarget) => (await bench.engine.observe(uid)).containers[0];
const log = async (target: ContainerTarget, options = {}): Promise<string> =>
  (await bench.engine.logs(target, { timestamps: false, maxBytes: 1_000_000, ...options })).toString();
const pull = (image: string, registries: GroupPlan['registries'] = []) =>
  bench.engine.ensureImage(image, registries, HALT);

describe('images by their names', () => {
  it('cannot be pulled when they are missing, refused, or not simulated', async () => {
    await expect(pull('simulated/missing')).rejects.toThrow(ImageProblem);
    await expect(pull('registry.example.com:5000/simulated/denied:1')).rejects.toThrow(/rejects the credentials/);
    await expect(pull('simulated/exti:3')).rejects.toThrow(/there is no simulated image 'exti'/);
    await expect(pull('simulated/exit:soon')).rejects.toThrow(/whole number/);
    await expect(pull('simulated/crash:soon')).rejects.toThrow(/duration/);
  });

  it('are refused without credentials of their own registry when they are private', async () => {
    const image = 'registry.example.com/simulated/private';
    const login = { server: 'registry.example.com', username: 'u', password: 'p' };
    await expect(pull(image)).rejects.toThrow(/requires credentials/);
    await expect(pull(image, [{ ...login, server: 'other.example.com' }])).rejects.toThrow(/requires credentials/);
    expect(await pull(image, [login])).toBe('pulled');
    expect(await pull(image, [login])).toBe('present');
  });

  it('take their time to be pulled, by the clock of the jar', async () => {
    const asked = bench.jar.clock.now();
    expect(await pull('simulated/slow-pull:30s')).toEqual({ readyAt: asked + 30_000 });
    await bench.pass(29_999);
    expect(await pull('simulated/slow-pull:30s')).toEqual({ readyAt: asked + 30_000 });
    await bench.pass(1);
    expect(await pull('simulated/slow-pull:30s')).toBe('pulled');
    expect(await pull('simulated/slow-pull:30s')).toBe('present');
  });

  it('fail to be pulled so many times', async () => {
    await expect(pull('simulated/flaky-pull:2')).rejects.toThrow(ImageProblem);
    await expect(pull('simulated/flaky-pull:2')).rejects.toThrow(ImageProblem);
    expect(await pull('simulated/flaky-pull:2')).toBe('pulled');
  });

  it('exit with the code that they name, at once or later', async () => {
    expect(await seen(await start({ image: 'simulated/exit:3' }))).toMatchObject({ phase: 'exited', exitCode: 3 });
    const later = await start({ image: 'myregistry.io/simulated/exit:4-after-10s' });
    const startedAt = bench.jar.clock.now();
    expect(await bench.engine.observe(later.uid)).toMatchObject({
      nextChangeAt: startedAt + 10_000,
      containers: [{ phase: 'running', startedAt }],
    });
    await bench.pass(10_000);
    expect(await seen(later)).toMatchObject({ phase: 'exited', exitCode: 4, finishedAt: startedAt + 10_000 });
    expect((await bench.engine.observe(later.uid)).nextChangeAt).toBeUndefined();
  });

  it('crash, run out of memory, or fail for so many runs', async () => {
    const crash = await start({ image: 'simulated/crash' });
    const greedy = await start({ image: 'simulated/out-of-memory:1s' });
    await bench.pass(1000);
    expect(await seen(crash)).toMatchObject({ phase: 'exited', exitCode: 1 });
    expect(await log(crash)).toBe('simulated crash\n');
    expect(await seen(greedy)).toMatchObject({ phase: 'exited', exitCode: 137, outOfMemory: true });
    for (const [run, phase] of [
      [1, 'exited'],
      [2, 'exited'],
      [3, 'running'],
    ] as const) {
      expect(await seen(await start({ image: 'simulated/flaky:2' }, {}, run))).toMatchObject({ phase });
    }
  });

  it('cannot be started, or not mounted', async () => {
    await expect(start({ image: 'simulated/no-command' })).rejects.toMatchObject({ exitCode: 127 });
    await expect(start({ image: 'simulated/not-executable' })).rejects.toThrow(StartProblem);
    await expect(start({ image: 'simulated/no-mount' })).rejects.toThrow(MountProblem);
  });

  it('run for ever when nothing is known of them', async () => {
    const target = await start({ image: 'nginx:1.27' });
    await bench.pass(366 * 86_400_000);
    expect(await seen(target)).toMatchObject({ phase: 'running' });
    expect(await log(target)).toBe('');
  });

  it('end with 143 when they are stopped, and with 137 when they do not listen', async () => {
    for (const [image, exitCode] of [
      ['nginx', 143],
      ['simulated/stubborn', 137],
    ] as const) {
      const target = await start({ image });
      await bench.engine.stopContainer(target.engineId, 10);
      expect(await seen(target)).toMatchObject({ phase: 'exited', exitCode, finishedAt: bench.jar.clock.now() });
    }
  });
});

describe('probes', () => {
  const http = (target: ContainerTarget, port = 80): Promise<ProbeOutcome> =>
    bench.engine.probe(target, { kind: 'httpGet', path: '/', port, scheme: 'http', headers: [] }, 1000);
  const exec = (target: ContainerTarget, command: readonly string[]): Promise<ProbeOutcome> =>
    bench.engine.probe(target, { kind: 'exec', command }, 1000);

  it('forecast the same outcome until the process acts next', async () => {
    const until = async (more: Parameters<typeof start>[0], command: string[]) => {
      const target = await start(more);
      const { until: end } = await bench.engine.probe(target, { kind: 'exec', command }, 1000);
      return end === undefined ? undefined : end - bench.jar.clock.now();
    };
    const cat = ['cat', '/tmp/state'];
    expect(await until({ command: shell('sleep 30; touch /tmp/state; sleep 60') }, cat)).toBe(30_000);
    expect(await until({ command: shell('sleep infinity') }, cat)).toBe(Number.POSITIVE_INFINITY);
    expect(await until({ command: ['python', 'app.py'] }, cat)).toBe(Number.POSITIVE_INFINITY);
    expect(await until({ command: shell('sleep infinity') }, ['sh', '-c', 'test $(date +%S) -gt 30'])).toBeUndefined();
  });

  it('find a server healthy on the ports that it declares', async () => {
    const target = await start({ image: 'nginx', ports: [{ port: 80, protocol: 'TCP' }] });
    expect(await http(target)).toMatchObject({ healthy: true });
    expect(await http(target, 81)).toMatchObject({ healthy: false, reason: expect.stringContaining('81') });
  });

  it('find nothing at a command that is understood and serves nothing', async () => {
    expect(await http(await start({ command: shell('sleep 1000') }))).toMatchObject({ healthy: false });
    expect(await http(await start({ command: ['python', 'app.py'] }))).toMatchObject({ healthy: true });
  });

  it('follow what the image says', async () => {
    const unhealthy = await start({ image: 'simulated/unhealthy:30s' });
    const notReady = await start({ image: 'simulated/not-ready:30s' });
    const slow = await start({ image: 'simulated/slow-probe:2s' });
    expect([await http(unhealthy), await http(notReady), await http(slow)]).toMatchObject([
      { healthy: true },
      { healthy: false },
      { healthy: false },
    ]);
    await bench.pass(30_000);
    expect([await http(unhealthy), await http(notReady)]).toMatchObject([{ healthy: false }, { healthy: true }]);
  });

  it('see the files that the process has made and removed by then', async () => {
    const target = await start({ command: shell('touch /tmp/healthy; sleep 30; rm -rf /tmp/healthy; sleep 600') });
    expect(await exec(target, ['cat', '/tmp/healthy'])).toMatchObject({ healthy: true });
    await bench.pass(30_000);
    expect(await exec(target, ['cat', '/tmp/healthy'])).toMatchObject({ healthy: false });
  });

  it('time out, and take what they do not know to be in order', async () => {
    const target = await start({});
    expect(await exec(target, ['sleep', '2'])).toMatchObject({
      healthy: false,
      reason: expect.stringContaining('1000'),
    });
    expect(await exec(target, shell('while true; do echo; done'))).toMatchObject({ healthy: false });
    expect(await exec(target, ['pg_isready', '-q'])).toMatchObject({ healthy: true });
  });
});

describe('secrets', () => {
  it('are used and not stored in the clear', async () => {
    const target = await start(
      {
        command: shell('echo "$PASSWORD"; cat /keys/key'),
        env: [{ name: 'PASSWORD', value: 'hunter2' }],
        mounts: [{ volume: 'keys', path: '/keys', readOnly: true }],
      },
      { volumes: [{ name: 'keys', kind: 'secret', files: { key: Buffer.from('topmost').toString('base64') } }] },
    );
    expect(await log(target)).toBe('hunter2\ntopmost');
    const stored = JSON.stringify(await bench.jar.store.get(COLLECTIONS.containers, target.engineId));
    expect(stored).not.toMatch(/hunter2|topmost|PASSWORD/);
  });
});

describe('logs', () => {
  it('have the times at which lines were written', async () => {
    const at = (ms: number): string => new Date(began + ms).toISOString();
    const began = bench.jar.clock.now();
    const target = await start({ command: shell('echo one; sleep 2; echo two') });
    expect(await log(target, { timestamps: true })).toBe(`${at(0)} one\n`);
    await bench.pass(5000);
    expect(await log(target, { timestamps: true })).toBe(`${at(0)} one\n${at(2000)} two\n`);
  });

  it('of a year are as quick as those of a minute, and end with the last line', async () => {
    const target = await start({ image: 'simulated/chatty:1s' });
    await bench.pass(366 * 86_400_000);
    const lines = (await log(target, { maxBytes: 4 * 1024 * 1024 })).trimEnd().split('\n');
    const now = `${new Date(bench.jar.clock.now()).toISOString().slice(0, 19)}Z`;
    expect(lines.at(-1)).toBe(`${now} my-group`);
    expect(lines).toHaveLength(10_000);
    expect(await log(target, { tail: 1 })).toBe(`${now} my-group\n`);
  });
});

describe('terminals', () => {
  it('show what is typed, take corrections, and are interrupted', async () => {
    const target = await start({});
    const { stream, exitCode } = await bench.engine.exec(target, { command: ['/bin/sh'], rows: 24, cols: 80 });
    let text = '';
    stream.on('data', (part) => {
      text += part;
    });
    const shown = (wanted: string): Promise<void> => until(() => text.endsWith(wanted));
    stream.write('echo hellp\u007fo\r');
    await shown('hello\r\n/ # ');
    stream.write('sleep 1000\r');
    await shown('sleep 1000\r\n');
    stream.write('\u0003');
    await shown('^C\r\n/ # ');
    stream.write('echo $?\rnginx\rif\r');
    await shown(
      '130\r\n/ # sh: nginx: not found\r\n/ # sh: syntax error: unexpected end of file (expecting "then")\r\n/ # ',
    );
    stream.write('\u0004');
    await until(() => stream.readableEnded);
    expect(await exitCode()).toBe(2);
  });

  it('end with the container, by its own end, a kill from inside, or its removal', async () => {
    const told: string[] = [];
    const watching = await bench.engine.watch((uid) => told.push(uid));
    const open = async (image: string) => {
      const target = await start({ image });
      const terminal = await bench.engine.exec(target, { command: ['sh'], rows: 24, cols: 80 });
      terminal.stream.resume();
      return { target, ...terminal };
    };
    const short = await open('simulated/exit:0-after-5s');
    await bench.pass(5000);
    await until(() => short.stream.readableEnded);
    const killed = await open('nginx');
    killed.stream.write('kill 1\r');
    await until(() => killed.stream.readableEnded);
    expect(await seen(killed.target)).toMatchObject({ phase: 'exited', exitCode: 143 });
    expect(told).toEqual([killed.target.uid]);
    const removed = await open('nginx');
    await bench.engine.removeGroup(removed.target.uid);
    await until(() => removed.stream.readableEnded);
    expect(await removed.exitCode()).toBe(137);
    watching.close();
  });
});

async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { timeout: 120_000, interval: 5 }).toBe(true);
}
