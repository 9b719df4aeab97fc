import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EngineClient } from '../../../src/kernel/engines/docker/client.ts';
import type { GroupPlan, MountPlan, SecurityPlan, VolumePlan } from '../../../src/kernel/engines/plan.ts';
import { type ContainerEngine, MountProblem } from '../../../src/kernel/engines/types.ts';
import type { EngineBench } from './contract.ts';
import { closeJarAfterwards, deploy, ended, HALT, openSharedBench, outputOf } from './docker-bench.ts';
import { containerPlan, groupPlan, shell } from './plans.ts';

const run = promisify(execFile);

const AS_SOMEBODY: SecurityPlan = {
  privileged: false,
  allowPrivilegeEscalation: undefined,
  addCapabilities: [],
  dropCapabilities: [],
  runAsUser: 1000,
  runAsGroup: 1000,
  seccompProfile: undefined,
};

closeJarAfterwards();

describe('volumes on a container engine', () => {
  let folder: string;
  let bench: EngineBench & { readonly socket: string };
  let engine: ContainerEngine;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cloudjar-volumes-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  beforeEach(async ({ skip }) => {
    bench = await openSharedBench(
      { skip },
      { shares: { 'account/share': join(folder, 'share'), 'account/gone': join(folder, 'gone') } },
    );
    engine = bench.engine;
  });
  afterEach(() => bench?.dispose());

  const mount = (changes: Partial<MountPlan> = {}): MountPlan => ({
    volume: 'data',
    path: '/data',
    readOnly: false,
    ...changes,
  });
  const mounting = (
    volume: VolumePlan,
    script: string,
    { mountPlan = mount(), security }: { mountPlan?: MountPlan; security?: SecurityPlan } = {},
  ): GroupPlan =>
    groupPlan({
      volumes: [volume],
      containers: [containerPlan({ command: shell(script), mounts: [mountPlan], security })],
    });
  const secret = (files: Record<string, string>): VolumePlan => ({
    name: 'data',
    kind: 'secret',
    files: Object.fromEntries(
      Object.entries(files).map(([name, content]) => [name, Buffer.from(content).toString('base64')]),
    ),
  });
  const gitRepo = (repository: string, more: { directory?: string; revision?: string } = {}): VolumePlan => ({
    name: 'data',
    kind: 'gitRepo',
    repository,
    directory: more.directory,
    revision: more.revision,
  });
  const share = (shareName: string, readOnly = false): VolumePlan => ({
    name: 'data',
    kind: 'azureFile',
    shareName,
    storageAccountName: 'account',
    storageAccountKey: 'key',
    readOnly,
  });
  const problemWith = async (volume: VolumePlan): Promise<string> => {
    const problem = await engine.createSandbox(mounting(volume, 'true'), 1, HALT).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(MountProblem);
    return (problem as Error).message;
  };

  it('begin empty, whatever the image has in their place, and are open to every user', async () => {
    const plan = mounting({ name: 'data', kind: 'emptyDir' }, 'ls -A /etc2; echo mine > /etc2/file; cat /etc2/file', {
      mountPlan: mount({ path: '/etc2' }),
      security: AS_SOMEBODY,
    });
    expect(await outputOf(engine, plan)).toBe('mine\n');
    const over = mounting({ name: 'data', kind: 'emptyDir' }, 'ls -A /root /tmp', {
      mountPlan: mount({ path: '/root' }),
    });
    expect(await outputOf(engine, over)).toBe('/root:\n\n/tmp:\n');
    const image = mounting({ name: 'data', kind: 'emptyDir' }, 'test ! -e /etc/passwd && echo nothing', {
      mountPlan: mount({ path: '/etc' }),
    });
    expect(await outputOf(engine, image)).toBe('nothing\n');
  });

  it('cannot be written to where they are mounted to be read', async () => {
    const plan = mounting({ name: 'data', kind: 'emptyDir' }, 'touch /data/file 2>&1', {
      mountPlan: mount({ readOnly: true }),
    });
    expect(await outputOf(engine, plan)).toContain('Read-only file system');
  });

  it('of secrets have a file for each, with its content as it was before it was encoded', async () => {
    const long = `${'name'.repeat(40)}.txt`;
    const plan = mounting(
      secret({ 'key.pem': 'first\nsecond\n', [long]: 'long', empty: '' }),
      'cd /data; ls -l; cat *',
      {
        security: AS_SOMEBODY,
      },
    );
    const output = await outputOf(engine, plan);
    expect(output).toContain('first\nsecond\nlong');
    expect(output).toMatch(/-r--r--r-- .* 13 .* key\.pem\n/);
    expect(output).toContain(long);
  });

  it('of secrets never have files elsewhere', async () => {
    expect(await problemWith(secret({ '../outside': 'x' }))).toContain('../outside');
    expect(await problemWith(secret({ '..': 'x' }))).toContain("'..'");
  });

  it('of secrets show a later deployment its own secrets', async () => {
    const before = mounting(secret({ key: 'old', removed: 'x' }), 'sleep 1000');
    const [target] = await deploy(engine, before);
    const after = { ...mounting(secret({ key: 'new' }), 'ls /data; cat /data/key'), uid: before.uid };
    await engine.removeContainer(target!.engineId);
    await engine.addVolumes(after, HALT);
    const { engineId } = await engine.startContainer(after, after.containers[0]!, { generation: 2, run: 2 });
    const second = { ...target!, engineId };
    await ended(engine, second);
    expect((await engine.logs(second, { timestamps: false, maxBytes: 100 })).toString()).toBe('key\nnew');
  });

  it('that a later deployment adds are made, and those that are there are left alone', async () => {
    const before = mounting({ name: 'data', kind: 'emptyDir' }, 'echo kept > /data/file');
    const [first] = await deploy(engine, before);
    await ended(engine, first!);
    const mounts = [mount(), mount({ volume: 'more', path: '/more' })];
    const after: GroupPlan = {
      ...before,
      volumes: [...before.volumes, { ...secret({ file: 'added\n' }), name: 'more' }],
      containers: [containerPlan({ command: shell('cat /data/file /more/file'), mounts })],
    };
    await engine.addVolumes(after, HALT);
    await engine.addVolumes(after, HALT);
    const { engineId } = await engine.startContainer(after, after.containers[0]!, { generation: 2, run: 2 });
    await ended(engine, { ...first!, engineId });
    expect((await engine.logs({ ...first!, engineId }, { timestamps: false, maxBytes: 100 })).toString()).toBe(
      'kept\nadded\n',
    );
  });

  it('of a repository have its files', async () => {
    const { url, revisions } = await makeRepository(join(folder, 'repository'));
    const latest = mounting(gitRepo(url), 'cd /data; ls; cat repository/file; ls -l repository/run.sh repository/link');
    expect(await outputOf(engine, latest)).toMatch(
      /^repository\nsecond\n-rwx.* repository\/run\.sh\nl.* repository\/link -> file\n|^repository\nsecond\nl.* -> file\n-rwx.*\n/,
    );
    const inPlace = mounting(gitRepo(url, { directory: '.' }), 'cat /data/file');
    expect(await outputOf(engine, inPlace)).toBe('second\n');
    const earlier = mounting(
      gitRepo(url, { directory: 'a/b', revision: revisions[0] }),
      'cat /data/a/b/file; echo more >> /data/a/b/file',
    );
    expect(await outputOf(engine, earlier)).toBe('first\n');
  });

  it('of a repository that cannot be cloned say why', async () => {
    const { url } = await makeRepository(join(folder, 'other'));
    const marker = join(folder, 'marker');
    expect(await problemWith(gitRepo(`file://${folder}/nowhere`))).toContain('does not appear to be a git repository');
    expect(await problemWith(gitRepo(url, { revision: 'no-such-revision' }))).toContain('no-such-revision');
    expect(await problemWith(gitRepo(url, { revision: '--orphan=x' }))).toContain('not a revision');
    expect(await problemWith(gitRepo(url, { directory: '../../x' }))).toContain('outside the volume');
    expect(await problemWith(gitRepo(`ext::sh -c "touch% ${marker}"`))).toContain('not a valid address');
    expect(await problemWith(gitRepo(`--upload-pack=touch ${marker}`))).toContain('not a valid address');
    expect(await problemWith(gitRepo(folder))).toContain('must begin with https://');
    expect(await problemWith(gitRepo('http://169.254.169.254/latest'))).toContain('link-local');
    await expect(readFile(marker)).rejects.toThrow();
  });

  it('of a repository are not fetched from where its address is redirected to', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(302, { location: `/elsewhere${request.url}` }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      expect(await problemWith(gitRepo(`http://127.0.0.1:${port}/app.git`))).toContain('302');
      expect(asked).toEqual(['/app.git/info/refs?service=git-upload-pack']);
    } finally {
      server.close();
    }
  });

  it('of a share are the folder that stands for it', async () => {
    await mkdir(join(folder, 'share'), { recursive: true });
    await writeFile(join(folder, 'share/from-outside'), 'outside\n');
    const script = 'cat /data/from-outside; echo inside > /data/from-inside; true';
    expect(await outputOf(engine, mounting(share('share'), script))).toBe('outside\n');
    expect(await readFile(join(folder, 'share/from-inside'), 'utf8')).toBe('inside\n');
    const refused = await outputOf(engine, mounting(share('share', true), 'echo x 2>&1 > /data/refused'));
    expect(refused).toContain('Read-only file system');
  });

  it('of a share without a folder say which setting is missing', async () => {
    expect(await problemWith(share('unknown'))).toContain('services.containers.shares["account/unknown"]');
    expect(await problemWith(share('gone'))).toContain(join(folder, 'gone'));
  });

  it('that were removed from outside are created again for the next run with their content, and are removed with the group', async () => {
    const plan = groupPlan({
      volumes: [
        { name: 'empty', kind: 'emptyDir' },
        { ...secret({ key: 'value' }), name: 'keys' },
      ],
      containers: [
        containerPlan({
          command: shell('touch /empty/mine && cat /keys/key'),
          mounts: [mount({ volume: 'empty', path: '/empty' }), mount({ volume: 'keys', path: '/keys' })],
          security: AS_SOMEBODY,
        }),
      ],
    });
    const [first] = await deploy(engine, plan);
    const client = new EngineClient({ kind: 'unix', path: bench.socket, name: bench.socket });
    const volumes = async (): Promise<string[]> => {
      const { Volumes } = await client.json<{ Volumes: { Name: string }[] | null }>('GET', '/volumes');
      return (Volumes ?? []).map(({ Name }) => Name).filter((name) => name.includes(plan.uid));
    };
    try {
      await ended(engine, first!);
      await engine.removeContainer(first!.engineId);
      const [empty, keys] = (await volumes()).filter((name) => !name.endsWith('filled')).sort();
      for (const name of [empty, keys]) await client.text('DELETE', `/volumes/${name}`, { query: { force: true } });
      const { engineId } = await engine.startContainer(plan, plan.containers[0]!, { generation: 1, run: 2 });
      const second = { ...first!, engineId };
      expect(await ended(engine, second)).toMatchObject({ exitCode: 0 });
      expect((await engine.logs(second, { timestamps: false, maxBytes: 100 })).toString()).toBe('value');
      await client.json('POST', '/volumes/create', { body: { Name: `cloudjar.${plan.uid}.unlabelled` } });
      await engine.removeGroup(plan.uid);
      expect(await volumes()).toEqual([]);
    } finally {
      client.close();
    }
  });

  it('of other groups stay when a group is removed', async () => {
    const staying = mounting(secret({ key: 'kept' }), 'cat /data/key');
    const going = mounting(secret({ key: 'gone' }), 'true');
    await engine.createSandbox(staying, 1, HALT);
    await engine.createSandbox(going, 1, HALT);
    await engine.removeGroup(going.uid);
    expect(await engine.uids()).toEqual([staying.uid]);
    expect(await outputOf(engine, staying)).toBe('kept');
  });

  it('are all gone with their group', async () => {
    const { url } = await makeRepository(join(folder, 'gone-with-it'));
    const plan = groupPlan({
      volumes: [
        { name: 'one', kind: 'emptyDir' },
        { ...secret({ key: 'x' }), name: 'two' },
        { ...gitRepo(url), name: 'three' },
      ],
    });
    await deploy(engine, plan);
    await engine.removeGroup(plan.uid);
    expect(await engine.uids()).toEqual([]);
  });
});

async function makeRepository(path: string): Promise<{ url: string; revisions: string[] }> {
  await mkdir(path);
  const git = async (...args: string[]): Promise<string> => {
    const identity = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.com'];
    return (await run('git', [...identity, ...args], { cwd: path })).stdout.trim();
  };
  await git('init', '--quiet', '--initial-branch=main');
  const revisions: string[] = [];
  for (const content of ['first', 'second']) {
    await writeFile(join(path, 'file'), `${content}\n`);
    await writeFile(join(path, 'run.sh'), 'echo hi\n', { mode: 0o755 });
    await run('ln', ['-sf', 'file', 'link'], { cwd: path });
    await git('add', '.');
    await git('commit', '--quiet', '-m', content);
    revisions.push(await git('rev-parse', 'HEAD'));
  }
  return { url: `file://${path}`, revisions };
}
