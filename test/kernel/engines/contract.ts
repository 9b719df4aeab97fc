import { afterEach, beforeEach, describe, expect, it, type TestContext } from 'vitest';
import type { GroupPlan } from '../../../src/kernel/engines/plan.ts';
import {
  type ContainerEngine,
  type ContainerTarget,
  ImageProblem,
  type ObservedContainer,
  StartProblem,
  type Terminal,
} from '../../../src/kernel/engines/types.ts';
import { BUSYBOX } from '../../support/podman.ts';
import { containerPlan, groupPlan, shell } from './plans.ts';

/** An engine with its test environment. */
export interface EngineBench {
  readonly engine: ContainerEngine;
  /** Another engine on the same state, like that of a jar whose predecessor was killed. */
  reopen(): Promise<ContainerEngine>;
  /** An engine for another owner, on the same state. */
  openFor(owner: string): Promise<ContainerEngine>;
  /** Lets time pass for the containers. */
  pass(ms: number): Promise<void>;
  dispose(): Promise<void>;
}

/** Differences between engines that remain. */
export interface Abilities {
  /** An image that cannot be pulled. */
  readonly missingImage: string;
  /** An image that can be pulled and contains busybox. */
  readonly image?: string;
  /** Whether a shell can be used interactively. */
  readonly interactiveShell: boolean;
  /** Whether containers see files that other containers write. */
  readonly sharedFiles: boolean;
  /** Whether a command that the image lacks is detected. */
  readonly knowsCommands: boolean;
}

const HALT = new AbortController().signal;
const FIRST = { generation: 1, run: 1 };
const DEADLINE_MS = 120_000;
const STEP_MS = 50;
const ALL = { timestamps: false, maxBytes: 1_000_000 };

/** Requirements on every engine that runs single containers. */
export function engineContract(
  title: string,
  open: (context: Pick<TestContext, 'skip'>) => Promise<EngineBench>,
  { missingImage, image = BUSYBOX, interactiveShell, sharedFiles, knowsCommands }: Abilities,
): void {
  describe(`${title}: an engine for containers`, () => {
    let bench: EngineBench;
    let engine: ContainerEngine;

    beforeEach(async ({ skip }) => {
      bench = await open({ skip });
      engine = bench.engine;
    });
    afterEach(() => bench?.dispose());

    const start = async (plan: GroupPlan, index = 0, run = FIRST): Promise<ContainerTarget> => {
      const container = plan.containers[index]!;
      const { engineId } = await engine.startContainer(plan, container, run);
      return { uid: plan.uid, container: container.name, engineId };
    };
    const deploy = async (plan: GroupPlan): Promise<ContainerTarget> => {
      await engine.ensureImage(image, [], HALT);
      await engine.createSandbox(plan, 1, HALT);
      return start(plan);
    };
    const only = (command: readonly string[]): GroupPlan =>
      groupPlan({ containers: [containerPlan({ image, command })] });
    const observed = async ({ uid, engineId }: ContainerTarget): Promise<ObservedContainer | undefined> =>
      (await engine.observe(uid)).containers.find((it) => it.engineId === engineId);
    /** Polls, while time passes, until there is a result. */
    const eventually = async <T>(ask: () => Promise<T | undefined | false>): Promise<T> => {
      const deadline = performance.now() + DEADLINE_MS;
      for (;;) {
        const answer = await ask();
        if (answer !== undefined && answer !== false) return answer;
        expect(performance.now(), 'it takes too long').toBeLessThan(deadline);
        await bench.pass(STEP_MS);
      }
    };
    const ended = (target: ContainerTarget): Promise<ObservedContainer> =>
      eventually(async () => {
        const seen = await observed(target);
        return seen?.phase === 'exited' && seen;
      });
    const textOf = async (target: ContainerTarget, options = {}): Promise<string> =>
      (await engine.logs(target, { ...ALL, ...options })).toString();

    it('pulls an image only once, and reports one that cannot be pulled', async () => {
      expect(['present', 'pulled']).toContain(await engine.ensureImage(image, [], HALT));
      expect(await engine.ensureImage(image, [], HALT)).toBe('present');
      await expect(engine.ensureImage(missingImage, [], HALT)).rejects.toThrow(ImageProblem);
    });

    it('knows nothing of a group that was never made', async () => {
      expect(await engine.observe(groupPlan().uid)).toMatchObject({ sandbox: undefined, containers: [] });
    });

    it('creates a sandbox, once', async () => {
      const plan = groupPlan();
      const first = await engine.createSandbox(plan, 1, HALT);
      expect(await engine.createSandbox(plan, 1, HALT)).toEqual(first);
      expect(await engine.observe(plan.uid)).toMatchObject({
        sandbox: { running: true, ip: first.ip },
        containers: [],
      });
    });

    it('gives an address to groups that request one', async () => {
      const addressOf = async (address: 'Public' | 'Private' | 'None'): Promise<string | undefined> => {
        const plan = groupPlan({ network: { address, ports: [{ port: 8080, protocol: 'TCP' }], dns: undefined } });
        const { ip } = await engine.createSandbox(plan, 1, HALT);
        expect((await engine.observe(plan.uid)).sandbox?.ip).toBe(ip);
        return ip;
      };
      const isAddress = expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/);
      expect(await addressOf('Public')).toEqual(isAddress);
      expect(await addressOf('Private')).toEqual(isAddress);
      expect(await addressOf('None')).toBeUndefined();
    });

    it('runs a container, and says so', async () => {
      const target = await deploy(only(['sleep', '1000']));
      expect(await observed(target)).toMatchObject({ name: 'main', phase: 'running', ...FIRST });
    });

    for (const [command, exitCode] of [
      [['false'], 1],
      [['true'], 0],
      [shell('echo hi; exit 3'), 3],
      [shell('sleep 1; exit 0'), 0],
    ] as const) {
      it(`gives the exit code ${exitCode} of ${command.join(' ')}`, async () => {
        const target = await deploy(only(command));
        expect(await ended(target)).toMatchObject({ exitCode, outOfMemory: false });
      });
    }

    it('gives what a container wrote, and the end of it', async () => {
      const target = await deploy(only(shell('echo one; echo two; echo three')));
      await ended(target);
      expect(await textOf(target)).toBe('one\ntwo\nthree\n');
      expect(await textOf(target, { tail: 2 })).toBe('two\nthree\n');
      expect(await textOf(target, { tail: 0 })).toBe('');
      expect(await textOf(target, { maxBytes: 6 })).toBe('three\n');
      const stamped = await textOf(target, { timestamps: true });
      expect(stamped).toMatch(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d) (one|two|three)\n){3}$/);
    });

    it('runs a container again as another run, beside the one that ended', async () => {
      const plan = only(shell('echo hi; exit 3'));
      const first = await deploy(plan);
      await ended(first);
      const second = await start(plan, 0, { generation: 1, run: 2 });
      expect(second.engineId).not.toBe(first.engineId);
      await ended(second);
      const runs = (await engine.observe(plan.uid)).containers.map(({ run }) => run);
      expect(runs.sort()).toEqual([1, 2]);
      await engine.removeContainer(first.engineId);
      expect((await engine.observe(plan.uid)).containers).toMatchObject([{ run: 2 }]);
    });

    it('finds objects from before a crash', async () => {
      const plan = groupPlan({
        containers: [containerPlan({ image })],
        network: { address: 'Public', ports: [{ port: 8080, protocol: 'TCP' }], dns: undefined },
      });
      const before = await deploy(plan);
      const { sandbox } = await engine.observe(plan.uid);
      engine = await bench.reopen();
      expect(await engine.uids()).toContain(plan.uid);
      expect(await engine.createSandbox(plan, 1, HALT)).toEqual({ ip: sandbox?.ip });
      expect(await start(plan)).toEqual(before);
      expect((await engine.observe(plan.uid)).containers).toHaveLength(1);
    });

    it('shows an owner nothing of what another one has, and removes nothing of it', async () => {
      const plan = only(['sleep', '1000']);
      const other = await bench.openFor('somebody-else');
      const target = await deploy(plan);
      const others = groupPlan({ containers: plan.containers });
      await other.ensureImage(image, [], HALT);
      await other.createSandbox(others, 1, HALT);
      await other.startContainer(others, others.containers[0]!, FIRST);
      expect(await engine.uids()).toEqual([plan.uid]);
      expect(await other.uids()).toEqual([others.uid]);
      expect(await other.observe(plan.uid)).toMatchObject({ sandbox: undefined, containers: [] });
      await other.removeGroup(plan.uid);
      expect(await observed(target)).toMatchObject({ phase: 'running' });
      await other.close();
      expect(await observed(target)).toMatchObject({ phase: 'running' });
    });

    it('tells an owner nothing of what happens to containers of another one', async () => {
      const other = await bench.openFor('somebody-else');
      const told: string[] = [];
      const toldOther: string[] = [];
      const watches = [await engine.watch((uid) => told.push(uid)), await other.watch((uid) => toldOther.push(uid))];
      try {
        const target = await deploy(only(shell('sleep 1; exit 0')));
        // An engine that forecasts a change need not notify.
        const foretold = (await engine.observe(target.uid)).nextChangeAt !== undefined;
        await ended(target);
        await eventually(async () => foretold || told.includes(target.uid));
        expect(toldOther).toEqual([]);
      } finally {
        for (const watching of watches) watching.close();
        await other.close();
      }
    });

    it('replaces the sandbox of an earlier deployment', async () => {
      const plan = only(['sleep', '1000']);
      await deploy(plan);
      await engine.createSandbox(plan, 2, HALT);
      expect(await engine.observe(plan.uid)).toMatchObject({ sandbox: { running: true }, containers: [] });
    });

    it('kills a process that ignores the request to stop', async () => {
      const target = await deploy(only(['sleep', '1000']));
      const stopping = engine.stopContainer(target.engineId, 0);
      await bench.pass(STEP_MS);
      await stopping;
      const { exitCode } = await ended(target);
      expect([137, 143]).toContain(exitCode);
      await engine.stopContainer(target.engineId, 0);
    });

    it('removes a container, also if it is already gone', async () => {
      const target = await deploy(only(['sleep', '1000']));
      await engine.removeContainer(target.engineId);
      await engine.removeContainer(target.engineId);
      expect(await observed(target)).toBeUndefined();
    });

    it('removes all objects of a group, also if there are none', async () => {
      const plan = only(['sleep', '1000']);
      await deploy(plan);
      expect(await engine.uids()).toContain(plan.uid);
      await engine.removeGroup(plan.uid);
      await engine.removeGroup(plan.uid);
      expect(await engine.uids()).not.toContain(plan.uid);
      expect(await engine.observe(plan.uid)).toMatchObject({ sandbox: undefined, containers: [] });
    });

    it('probes a container by a command', async () => {
      const target = await deploy(only(['sleep', '1000']));
      const probe = (command: readonly string[]): Promise<unknown> => {
        const outcome = engine.probe(target, { kind: 'exec', command }, 5000);
        return outcome;
      };
      expect(await probe(['true'])).toMatchObject({ healthy: true });
      expect(await probe(['false'])).toMatchObject({ healthy: false });
    });

    it('tells that a container has ended', async () => {
      const told: string[] = [];
      const watching = await engine.watch((uid) => told.push(uid));
      try {
        const { uid } = await deploy(only(shell('sleep 1; exit 0')));
        let foretold = false;
        await eventually(async () => {
          const { nextChangeAt, containers } = await engine.observe(uid);
          foretold ||= nextChangeAt !== undefined;
          // An engine that forecasts a change need not notify.
          return told.includes(uid) || (foretold && containers[0]?.phase === 'exited');
        });
      } finally {
        watching.close();
      }
    });

    it('says which images it keeps', async () => {
      await engine.ensureImage(image, [], HALT);
      const images = await engine.cachedImages();
      expect(images.some((it) => it.osType === 'Linux' && it.image.endsWith(image))).toBe(true);
    });

    if (knowsCommands)
      it('reports a command that does not exist or cannot be run', async () => {
        const nowhere = only(['no-such-command']);
        await engine.createSandbox(nowhere, 1, HALT);
        const problem = await start(nowhere).catch((error: unknown) => error);
        expect(problem).toBeInstanceOf(StartProblem);
        expect(problem).toMatchObject({ exitCode: 127 });
        expect((await engine.observe(nowhere.uid)).containers).toEqual([]);
        const file = only(['/etc/passwd']);
        await engine.createSandbox(file, 1, HALT);
        await expect(start(file)).rejects.toMatchObject({ exitCode: 126 });
      });

    if (interactiveShell)
      it('runs a shell in a container on a terminal', async () => {
        const target = await deploy(only(['sleep', '1000']));
        const terminal = await engine.exec(target, { command: ['sh'], rows: 24, cols: 80 });
        terminal.stream.write('echo "a-$((40 + 2))-b"\n');
        await terminal.resize(30, 100);
        terminal.stream.write('exit 4\n');
        expect(await outputOf(terminal)).toContain('a-42-b');
        expect(await eventually(() => terminal.exitCode())).toBe(4);
      });

    if (interactiveShell)
      it('gives the output of a running container from now on', async () => {
        const target = await deploy(only(shell('while true; do echo tick; sleep 1; done')));
        const terminal = await engine.attach(target);
        const [first] = await Promise.all([firstOf(terminal), bench.pass(2000)]);
        expect(first).toMatch(/^tick/);
        terminal.stream.destroy();
      });

    if (sharedFiles)
      it('shows the files that one container has written to others', async () => {
        const mounts = [{ volume: 'data', path: '/data', readOnly: false }];
        const plan = groupPlan({
          containers: [
            containerPlan({ name: 'writer', image, command: shell('echo hello > /data/file'), mounts }),
            containerPlan({ name: 'reader', image, command: shell('cat /data/file'), mounts }),
          ],
          volumes: [{ name: 'data', kind: 'emptyDir' }],
        });
        await ended(await deploy(plan));
        const reader = await start(plan, 1);
        expect(await ended(reader)).toMatchObject({ exitCode: 0 });
        expect(await textOf(reader)).toBe('hello\n');
      });
  });
}

/** The whole output until the process ends. */
export async function outputOf({ stream }: Terminal): Promise<string> {
  let text = '';
  for await (const part of stream) text += String(part);
  return text;
}

async function firstOf({ stream }: Terminal): Promise<string> {
  return new Promise((resolve, reject) => {
    stream.once('data', (part) => resolve(String(part)));
    stream.once('error', reject);
  });
}
