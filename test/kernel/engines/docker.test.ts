import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineClient, filters } from '../../../src/kernel/engines/docker/client.ts';
import type { ContainerPlan, NetworkPlan, SecurityPlan } from '../../../src/kernel/engines/plan.ts';
import { type ContainerEngine, SandboxProblem } from '../../../src/kernel/engines/types.ts';
import type { EngineBench } from './contract.ts';
import {
  closeJarAfterwards,
  deploy,
  ended,
  eventually,
  HALT,
  openBench,
  openSharedBench,
  outputOf,
} from './docker-bench.ts';
import { containerPlan, groupPlan, shell } from './plans.ts';

const NET_ADMIN = 1n << 12n;
const CHOWN = 1n << 0n;
const MEGABYTE = 1024 * 1024;

const PLAIN: SecurityPlan = {
  privileged: false,
  allowPrivilegeEscalation: undefined,
  addCapabilities: [],
  dropCapabilities: [],
  runAsUser: undefined,
  runAsGroup: undefined,
  seccompProfile: undefined,
};

closeJarAfterwards();

describe('a group on a container engine', () => {
  let bench: EngineBench & { readonly socket: string };
  let engine: ContainerEngine;
  const servers: Server[] = [];

  beforeEach(async ({ skip }) => {
    bench = await openSharedBench({ skip });
    engine = bench.engine;
  });
  afterEach(async () => {
    await bench?.dispose();
    for (const server of servers.splice(0)) server.close();
  });

  const printed = (script: string, changes: Partial<ContainerPlan> = {}): Promise<string> =>
    outputOf(engine, groupPlan({ containers: [containerPlan({ command: shell(script), ...changes })] }));
  const secured = (script: string, security: Partial<SecurityPlan>): Promise<string> =>
    printed(script, { security: { ...PLAIN, ...security } });
  const website = (network: NetworkPlan) =>
    groupPlan({
      network,
      containers: [
        containerPlan({ command: shell('mkdir /www; echo hello > /www/index.html; httpd -f -p 8080 -h /www') }),
      ],
    });
  const published = async (uid: string): Promise<unknown[]> => {
    const client = new EngineClient({ kind: 'unix', path: bench.socket, name: bench.socket });
    try {
      const query = { filters: filters({ label: [`cloudjar.group=${uid}`, 'cloudjar.role=sandbox'] }) };
      const [sandbox] = await client.json<{ Ports: { IP: string; PublicPort?: number; Type: string }[] | null }[]>(
        'GET',
        '/containers/json',
        { query },
      );
      const ports = (sandbox?.Ports ?? []).filter(({ PublicPort }) => PublicPort !== undefined);
      return ports.map(({ IP, PublicPort, Type }) => `${IP}:${PublicPort}/${Type}`);
    } finally {
      client.close();
    }
  };
  const occupy = (port: number, host: string): Promise<void> => {
    const server = createServer();
    servers.push(server);
    return new Promise((resolve) => server.listen(port, host, resolve));
  };

  it('has containers that talk to each other over loopback', async () => {
    const plan = groupPlan({
      containers: [
        containerPlan({
          name: 'server',
          command: shell('mkdir /www; echo hello > /www/index.html; httpd -f -p 8080 -h /www'),
        }),
        containerPlan({
          name: 'client',
          command: shell('until wget -qO- http://127.0.0.1:8080/ 2>/dev/null; do sleep 1; done'),
        }),
      ],
    });
    const [, client] = await deploy(engine, plan);
    await ended(engine, client!);
    expect((await engine.logs(client!, { timestamps: false, maxBytes: 1000 })).toString()).toBe('hello\n');
  });

  it('publishes the ports of a Public address, and can be reached there', async () => {
    const plan = website({
      address: 'Public',
      ports: [
        { port: 8080, protocol: 'TCP' },
        { port: 8053, protocol: 'UDP' },
      ],
      dns: undefined,
    });
    await deploy(engine, plan);
    const ip = (await engine.observe(plan.uid)).sandbox?.ip;
    expect(ip).toMatch(/^127\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./);
    const answer = await eventually(() => fetch(`http://${ip}:8080/`).catch(() => undefined));
    expect(await answer.text()).toBe('hello\n');
    expect((await published(plan.uid)).sort()).toEqual([`${ip}:8053/udp`, `${ip}:8080/tcp`]);
  });

  it('publishes nothing of a Private address', async () => {
    const plan = website({ address: 'Private', ports: [{ port: 8080, protocol: 'TCP' }], dns: undefined });
    await deploy(engine, plan);
    expect(await published(plan.uid)).toEqual([]);
    expect((await engine.observe(plan.uid)).sandbox?.ip).toMatch(/^10\./);
  });

  it('gives each group an address of its own, so that all can use the same ports', async () => {
    const network: NetworkPlan = { address: 'Public', ports: [{ port: 8080, protocol: 'TCP' }], dns: undefined };
    const places = await Promise.all(
      Array.from({ length: 4 }, () => engine.createSandbox(groupPlan({ network }), 1, HALT)),
    );
    expect(new Set(places.map(({ ip }) => ip)).size).toBe(4);
  });

  it('takes another address when a port of the first is taken', async () => {
    const plan = groupPlan({
      network: { address: 'Public', ports: [{ port: 8081, protocol: 'TCP' }], dns: undefined },
    });
    const { ip } = await engine.createSandbox(plan, 1, HALT);
    await engine.removeGroup(plan.uid);
    await occupy(8081, ip!);
    const second = await engine.createSandbox(plan, 1, HALT);
    expect(second.ip).not.toBe(ip);
    expect((await engine.observe(plan.uid)).sandbox).toEqual({ running: true, ip: second.ip });
  });

  it('says which ports are taken when there is one address for all', async ({ skip }) => {
    await bench.dispose();
    bench = await openBench({ skip }, { publish: '127.0.0.1' });
    await occupy(8082, '127.0.0.1');
    const taken = groupPlan({
      network: { address: 'Public', ports: [{ port: 8082, protocol: 'TCP' }], dns: undefined },
    });
    const problem = await bench.engine.createSandbox(taken, 1, HALT).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(SandboxProblem);
    expect(String(problem)).toContain('8082/TCP cannot be published at 127.0.0.1');
    expect(await bench.engine.uids()).toEqual([]);
    const free = groupPlan({
      network: { address: 'Public', ports: [{ port: 8083, protocol: 'TCP' }], dns: undefined },
    });
    expect(await bench.engine.createSandbox(free, 1, HALT)).toEqual({ ip: '127.0.0.1' });
  });

  it('resolves names as its DNS settings say', async () => {
    const dns = {
      nameServers: ['192.0.2.1', '192.0.2.2'],
      searchDomains: ['a.example', 'b.example'],
      options: ['ndots:2'],
    };
    const plan = groupPlan({
      network: { address: 'None', ports: [], dns },
      containers: [containerPlan({ command: shell('cat /etc/resolv.conf') })],
    });
    const lines = (await outputOf(engine, plan)).trim().split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'nameserver 192.0.2.1',
        'nameserver 192.0.2.2',
        'search a.example b.example',
        'options ndots:2',
      ]),
    );
  });

  it('is called by its own name', async () => {
    expect(await printed('hostname')).toBe('my-group\n');
  });

  it('has the environment and the arguments it was given, as they are', async () => {
    const env = [
      { name: 'PLAIN', value: 'one' },
      { name: 'ODD', value: 'a=b "c" $d\n€' },
      { name: 'EMPTY', value: '' },
    ];
    const command = ['sh', '-c', 'printf "%s|%s|%s|%s|%s" "$PLAIN" "$ODD" "<$EMPTY>" "$1" "$2"', 'sh', 'a b', '$c'];
    expect(await printed('', { env, command })).toBe('one|a=b "c" $d\n€|<>|a b|$c');
  });

  it('runs the command of the image when none is given', async () => {
    // The image's command is a shell, which exits at once without input.
    const [target] = await deploy(engine, groupPlan({ containers: [containerPlan({ command: undefined })] }));
    expect(await ended(engine, target!)).toMatchObject({ exitCode: 0 });
  });

  it('has the capabilities that were added and not those that were dropped', async () => {
    const effective = async (security: Partial<SecurityPlan>): Promise<bigint> => {
      const line = await secured('grep CapEff /proc/self/status', security);
      return BigInt(`0x${line.split(/\s+/)[1]}`);
    };
    const usual = await effective({});
    expect([usual & NET_ADMIN, usual & CHOWN]).toEqual([0n, CHOWN]);
    const changed = await effective({ addCapabilities: ['NET_ADMIN'], dropCapabilities: ['CHOWN'] });
    expect([changed & NET_ADMIN, changed & CHOWN]).toEqual([NET_ADMIN, 0n]);
    expect((await effective({ privileged: true })) & (1n << 21n)).not.toBe(0n);
  });

  it('runs as the user and the group that it was told', async () => {
    expect(await secured('id -u; id -g', { runAsUser: 1000, runAsGroup: 3000 })).toBe('1000\n3000\n');
    expect(await secured('id -u; id -g', { runAsGroup: 3000 })).toBe('0\n3000\n');
  });

  it('cannot gain privileges when it must not', async () => {
    expect(await secured('grep NoNewPrivs /proc/self/status', { allowPrivilegeEscalation: false })).toMatch(/\t1\n$/);
    expect(await secured('grep NoNewPrivs /proc/self/status', {})).toMatch(/\t0\n$/);
  });

  it('can do no more than its seccomp profile lets it', async () => {
    const profile = {
      defaultAction: 'SCMP_ACT_ALLOW',
      syscalls: [{ names: ['mkdir', 'mkdirat'], action: 'SCMP_ACT_ERRNO' }],
    };
    const output = await secured('mkdir /x 2>&1; echo end', { seccompProfile: JSON.stringify(profile) });
    expect(output).toMatch(/not permitted\nend\n$/);
  });

  it('has as much memory and processor time as it may have', async () => {
    const output = await printed(
      'cat /sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/cpu/cpu.cfs_quota_us 2>/dev/null || cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/cpu.max',
    );
    const [memory, quota] = output.trim().split('\n');
    expect([Number(memory), Number(quota!.split(' ')[0])]).toEqual([64 * MEGABYTE, 50_000]);
  });

  it('is ended when it takes more memory than it may', async () => {
    const some = { cpu: 0.5, memoryBytes: 16 * MEGABYTE };
    const resources = { requests: some, limits: some, gpu: undefined };
    const command = ['dd', 'if=/dev/zero', 'of=/dev/null', 'bs=100M', 'count=1'];
    const [target] = await deploy(engine, groupPlan({ containers: [containerPlan({ command, resources })] }));
    expect(await ended(engine, target!)).toMatchObject({ exitCode: 137 });
  });

  it('may ask for more processors than there are', async () => {
    const many = { cpu: 4000, memoryBytes: 64 * MEGABYTE };
    expect(await printed('echo ran', { resources: { requests: many, limits: many, gpu: undefined } })).toBe('ran\n');
  });

  it('lets its init containers have what all its containers have', async () => {
    const plan = groupPlan({ containers: [containerPlan(), containerPlan({ name: 'other' })] });
    const init = containerPlan({
      name: 'init',
      resources: undefined,
      command: shell('cat /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null || cat /sys/fs/cgroup/memory.max'),
    });
    await engine.createSandbox(plan, 1, HALT);
    const { engineId } = await engine.startContainer(plan, init, { generation: 1, run: 1 });
    const target = { uid: plan.uid, container: 'init', engineId };
    await ended(engine, target);
    expect(Number(await engine.logs(target, { timestamps: false, maxBytes: 100 }))).toBe(128 * MEGABYTE);
  });

  it('does not run Windows on Linux', async () => {
    await expect(engine.createSandbox(groupPlan({ osType: 'Windows' }), 1, HALT)).rejects.toThrow(SandboxProblem);
  });

  it('ends what runs on a terminal when its line is cut', async () => {
    const [target] = await deploy(engine, groupPlan());
    const isRunning = async (): Promise<boolean> => {
      const check = { kind: 'exec', command: shell('ps | grep -q "[s]leep 778"') } as const;
      return (await engine.probe(target!, check, 5000)).healthy;
    };
    const terminal = await engine.exec(target!, { command: ['sleep', '778'], rows: 24, cols: 80 });
    await eventually(isRunning);
    terminal.stream.destroy();
    await eventually(async () => !(await isRunning()));
  });

  it('gives the last lines of a log as they were written: in pieces, very long, without an end', async () => {
    const script = 'dd if=/dev/zero bs=20000 count=1 2>/dev/null; echo; printf one; sleep 0.2; echo two; printf end';
    const [target] = await deploy(engine, groupPlan({ containers: [containerPlan({ command: shell(script) })] }));
    await ended(engine, target!);
    const last = async (tail: number): Promise<string> =>
      (await engine.logs(target!, { tail, timestamps: false, maxBytes: 100_000 })).toString();
    expect([await last(0), await last(1), await last(2)]).toEqual(['', 'end', 'onetwo\nend']);
    expect(await last(3)).toBe(`${'\0'.repeat(20_000)}\nonetwo\nend`);
    expect(await last(4)).toBe(await last(3));
  });

  it('gives the end of a long log without the rest', async () => {
    const script =
      'i=0; while [ $i -lt 20000 ]; do echo "line $i is of some length, so that it adds up"; i=$((i+1)); done';
    const [target] = await deploy(engine, groupPlan({ containers: [containerPlan({ command: shell(script) })] }));
    await ended(engine, target!);
    const log = (await engine.logs(target!, { timestamps: false, maxBytes: 1000 })).toString();
    expect(log).toHaveLength(1000);
    expect(log.trimEnd().split('\n').at(-1)).toMatch(/^line 19999 /);
  });
});
