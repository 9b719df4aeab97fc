import { describe, expect, it } from 'vitest';
import { EngineUnavailable, type GroupEngine, type Terminal } from '../../../../src/kernel/engines/types.ts';
import { pause } from '../../../../src/kernel/time/timers.ts';
import { Group, groupPlan, withCluster } from './harness.ts';
import type { Process } from './processes.ts';

const bench = withCluster();

const SIZE = { rows: 24, cols: 80 };

async function runningGroup(): Promise<{ engine: GroupEngine; group: Group }> {
  const engine = await bench.engine();
  const group = new Group(engine, groupPlan());
  await group.running();
  return { engine, group };
}

const write = (group: Group, text: string): void => {
  const pod = bench.cluster.pods().find(({ metadata }) => metadata.name.includes(group.plan.uid))!;
  bench.cluster.kubelet.write(pod.metadata.uid, 'web', text);
};

async function all({ stream }: Terminal): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Opens a process in the group's container, controlled by the test. */
async function started(command: string[] = ['sh']): Promise<{ terminal: Terminal; process: Process }> {
  const { engine, group } = await runningGroup();
  const inside = Promise.withResolvers<Process>();
  bench.cluster.onProcess = (process) => inside.resolve(process);
  const terminal = await engine.exec(group.target('web'), { command, ...SIZE });
  return { terminal, process: await inside.promise };
}

describe('the log of a container', () => {
  const options = { timestamps: false, maxBytes: 4 * 1024 * 1024 };

  it('is what it wrote, all or the last lines, with stamps if wanted', async () => {
    const { engine, group } = await runningGroup();
    write(group, 'one\ntwo\n');
    write(group, 'three\n');
    const target = group.target('web');
    expect((await engine.logs(target, options)).toString()).toBe('one\ntwo\nthree\n');
    expect((await engine.logs(target, { ...options, tail: 2 })).toString()).toBe('two\nthree\n');
    expect((await engine.logs(target, { ...options, tail: 1, timestamps: true })).toString()).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:.]+Z three\n$/,
    );
  });

  it('is its end where there is too much of it, and byte for byte what was written', async () => {
    const { engine, group } = await runningGroup();
    write(group, 'x'.repeat(3_000_000));
    write(group, 'ünd Schluß\n');
    const end = await engine.logs(group.target('web'), { ...options, maxBytes: 20 });
    expect(end).toEqual(Buffer.from(`${'x'.repeat(7)}ünd Schluß\n`));
  });

  it('is empty for a container that has not run, and for a group that is gone', async () => {
    const { engine, group } = await runningGroup();
    expect(await engine.logs({ ...group.target('web'), container: 'other' }, options)).toEqual(Buffer.alloc(0));
    await engine.remove(group.plan.uid);
    expect(await engine.logs(group.target('web'), options)).toEqual(Buffer.alloc(0));
  });
});

describe('a process in a container', () => {
  it('gets what is typed, shows what it prints, and tells how it ended', async () => {
    const { terminal, process } = await started(['cat', '-n']);
    expect(process).toMatchObject({ command: ['cat', '-n'], terminal: true });
    process.onInput((data) => {
      process.write(`got ${data}`);
      process.exit(7);
    });
    terminal.stream.write('hello');
    expect(await all(terminal)).toBe('got hello');
    expect(await terminal.exitCode()).toBe(7);
  });

  it('has a terminal of the wanted size, which can change', async () => {
    const { terminal, process } = await started();
    const sizes: object[] = [];
    process.onResize((size) => sizes.push(size));
    await terminal.resize(50, 132);
    process.onInput(() => process.exit(0));
    terminal.stream.write('\n');
    await all(terminal);
    expect(sizes.at(-1)).toEqual({ width: 132, height: 50 });
    expect(await terminal.exitCode()).toBe(0);
  });

  it('hears of the end of its input', async () => {
    const { terminal, process } = await started();
    process.onInputEnd(() => process.exit(0));
    terminal.stream.end();
    await all(terminal);
    expect(await terminal.exitCode()).toBe(0);
  });

  it('is slowed down rather than heaped up by a reader that does not read', async () => {
    const { terminal, process } = await started();
    const block = Buffer.alloc(64 * 1024, 'x');
    for (let n = 0; n < 400; n++) process.write(block);
    process.exit(0);
    await pause(200);
    expect(terminal.stream.readableLength).toBeLessThan(2 * 1024 * 1024);
    expect(await all(terminal)).toHaveLength(400 * block.length);
    expect(await terminal.exitCode()).toBe(0);
  });

  it('is served by those too who speak the protocol before the present one', async () => {
    const { protocols } = bench.cluster.processes;
    bench.cluster.processes.protocols = ['v4.channel.k8s.io'];
    const { terminal, process } = await started();
    bench.cluster.processes.protocols = protocols;
    process.onInput((data) => {
      process.write(data);
      process.exit(9);
    });
    terminal.stream.write('as ever');
    expect(await all(terminal)).toBe('as ever');
    expect(await terminal.exitCode()).toBe(9);
  });

  it('says why it could not be started', async () => {
    const { terminal, process } = await started(['nonsense']);
    process.fail('exec: "nonsense": executable file not found in $PATH');
    expect(await all(terminal)).toContain('executable file not found');
    expect(await terminal.exitCode()).toBe(127);
  });

  it('ends without an exit code when the connection is lost', async () => {
    const { terminal, process } = await started();
    process.write('half a');
    process.drop();
    expect(await all(terminal)).toBe('half a');
    expect(await terminal.exitCode()).toBeUndefined();
  });

  it('is released when its output is no longer read', async () => {
    const { terminal } = await started();
    terminal.stream.destroy();
    expect(await terminal.exitCode()).toBeUndefined();
  });

  it('cannot be started in a container that does not run, nor in a cluster that does not respond', async () => {
    const { engine, group } = await runningGroup();
    const target = group.target('web');
    const options = { command: ['sh'], ...SIZE };
    await expect(engine.exec({ ...target, container: 'other' }, options)).rejects.toThrow(EngineUnavailable);
    await expect(engine.exec({ ...target, container: 'other' }, options)).rejects.toThrow(/other is not running/);
    const match = (method: string) => method === 'UPGRADE';
    bench.cluster.fail({ times: 1, status: 503, match });
    await expect(engine.exec(target, options)).rejects.toThrow(EngineUnavailable);
    bench.cluster.fail({ times: 1, match });
    await expect(engine.attach(target)).rejects.toThrow(EngineUnavailable);
  });

  it('can be listened to while it runs', async () => {
    const { engine, group } = await runningGroup();
    const inside = Promise.withResolvers<Process>();
    bench.cluster.onProcess = (process) => inside.resolve(process);
    const terminal = await engine.attach(group.target('web'));
    const process = await inside.promise;
    expect(process.terminal).toBe(false);
    terminal.stream.write('goes nowhere');
    await terminal.resize(10, 10);
    process.write('from now on\n');
    process.exit(0);
    expect(await all(terminal)).toBe('from now on\n');
  });
});
