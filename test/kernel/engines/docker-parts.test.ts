import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EngineAddress, parseAddress } from '../../../src/kernel/engines/docker/address.ts';
import { commonVersion, EngineError } from '../../../src/kernel/engines/docker/client.ts';
import { containerBody } from '../../../src/kernel/engines/docker/container-body.ts';
import { placesToLook } from '../../../src/kernel/engines/docker/find.ts';
import { folderEntries } from '../../../src/kernel/engines/docker/folder-entries.ts';
import { unwrapped } from '../../../src/kernel/engines/docker/frames.ts';
import { loginFor } from '../../../src/kernel/engines/docker/images.ts';
import { jsonLines } from '../../../src/kernel/engines/docker/json-lines.ts';
import { lastBytes } from '../../../src/kernel/engines/docker/logs.ts';
import { isDeadHere, Names, thisProcess, uidInName } from '../../../src/kernel/engines/docker/names.ts';
import { loopbackCandidates, type Publishing, publishingOf } from '../../../src/kernel/engines/docker/publishing.ts';
import { isGone } from '../../../src/kernel/engines/docker/sandbox.ts';
import { tarStream } from '../../../src/kernel/engines/docker/tar.ts';
import { splitImage } from '../../../src/kernel/engines/image-name.ts';
import type { EngineSettings } from '../../../src/kernel/engines/settings.ts';
import { containerPlan, groupPlan } from './plans.ts';

const run = promisify(execFile);

/** Splits the bytes into pieces of the given sizes. */
const inPieces = (bytes: Buffer, sizes: readonly number[]): Buffer[] => {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const size of sizes) {
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return [...pieces, bytes.subarray(at)].filter((piece) => piece.length > 0);
};

const all = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
};

const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 50 });

describe('the parts of talking to a container engine', () => {
  it('take output out of its wrapping, however it is cut', async () => {
    const outputs = fc.array(fc.tuple(fc.constantFrom(1, 2), fc.uint8Array({ maxLength: 40 })), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(outputs, sizes, async (frames, cuts) => {
        const wrapped = frames.map(([stream, bytes]) => {
          const header = Buffer.alloc(8);
          header[0] = stream;
          header.writeUInt32BE(bytes.length, 4);
          return Buffer.concat([header, bytes]);
        });
        const plain = Readable.from(inPieces(Buffer.concat(wrapped), cuts)).pipe(unwrapped());
        expect(await all(plain)).toEqual(Buffer.concat(frames.map(([, bytes]) => bytes)));
      }),
    );
  });

  it('keep the end of an output', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        sizes,
        fc.integer({ min: 1, max: 100 }),
        async (bytes, cuts, most) => {
          const pieces = Readable.from(inPieces(Buffer.from(bytes), cuts));
          expect(await lastBytes(pieces, most)).toEqual(Buffer.from(bytes.slice(-most)));
        },
      ),
    );
  });

  it('read objects line by line, however they are cut', async () => {
    const lines = Buffer.from('{"a":"€"}\n\nnot json\n{"b":2}\r\n{"c":3}');
    await fc.assert(
      fc.asyncProperty(sizes, async (cuts) => {
        const stream = new PassThrough();
        for (const piece of inPieces(lines, cuts)) stream.write(piece);
        stream.end();
        const read: object[] = [];
        for await (const value of jsonLines(stream)) read.push(value);
        expect(read).toEqual([{ a: '€' }, { b: 2 }, { c: 3 }]);
      }),
    );
  });

  it('pack folders so that they are unpacked as they were', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cloudjar-tar-'));
    try {
      const long = `${'directory/'.repeat(12)}${'n'.repeat(120)}`;
      const from = join(folder, 'from');
      const files = {
        'plain.txt': 'some text',
        empty: '',
        'ünïcode €': 'x',
        [long]: 'y'.repeat(100_000),
        exact: 'z'.repeat(512),
      };
      for (const [name, content] of Object.entries(files)) {
        await mkdir(join(from, name, '..'), { recursive: true });
        await writeFile(join(from, name), content);
      }
      await writeFile(join(from, 'run.sh'), 'true', { mode: 0o755 });
      await run('ln', ['-s', `../${long}`, join(from, 'link')]);
      const archive = join(folder, 'archive.tar');
      await writeFile(archive, await all(tarStream(await folderEntries(from))));
      const to = join(folder, 'to');
      await mkdir(to);
      await run('tar', ['-xf', archive, '-C', to]);
      await run('diff', ['-r', '--no-dereference', from, to]);
      expect((await stat(join(to, 'run.sh'))).mode & 0o777).toBe(0o755);
      expect(await readFile(join(to, 'ünïcode €'), 'utf8')).toBe('x');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('know the address of an engine in every way it is written', () => {
    expect(parseAddress('/run/x.sock')).toEqual({ kind: 'unix', path: '/run/x.sock', name: '/run/x.sock' });
    expect(parseAddress('unix:///run/x.sock')).toMatchObject({ kind: 'unix', path: '/run/x.sock' });
    const pipe = '\\\\.\\pipe\\docker_engine';
    expect(parseAddress('npipe:////./pipe/docker_engine')).toMatchObject({ kind: 'unix', path: pipe });
    expect(parseAddress(pipe)).toEqual({ kind: 'unix', path: pipe, name: pipe });
    expect(parseAddress('tcp://10.0.0.1:2375')).toMatchObject({ kind: 'http', origin: 'http://10.0.0.1:2375' });
    expect(parseAddress('https://engine:2376/')).toMatchObject({ kind: 'http', origin: 'https://engine:2376' });
    expect(parseAddress('ssh://me@engine')).toBeUndefined();
  });

  it('try the configured address of an engine, otherwise all default places', () => {
    expect(placesToLook('/a', 'here.socket', { DOCKER_HOST: 'tcp://b' }).map(({ address }) => address)).toEqual(['/a']);
    expect(placesToLook(undefined, 'here.socket', { DOCKER_HOST: 'tcp://b' }).map(({ address }) => address)).toEqual([
      'tcp://b',
    ]);
    const usual = placesToLook(undefined, 'here.socket', { XDG_RUNTIME_DIR: '/run/user/1000' }).map(
      ({ address }) => address,
    );
    expect(usual).toEqual(
      expect.arrayContaining(['/var/run/docker.sock', '/run/podman/podman.sock', '/run/user/1000/podman/podman.sock']),
    );
  });

  it('look at the named pipes of Docker and Podman on Windows', () => {
    expect(placesToLook(undefined, 'here.socket', {}, 'win32')).toEqual([
      { address: '\\\\.\\pipe\\docker_engine' },
      { address: '\\\\.\\pipe\\podman-machine-default' },
    ]);
  });

  it('select an API version that both sides support', () => {
    expect(commonVersion({ ApiVersion: '1.41', MinAPIVersion: '1.24' })).toBe('1.41');
    expect(commonVersion({ ApiVersion: '1.47', MinAPIVersion: '1.24' })).toBe('1.41');
    expect(commonVersion({ ApiVersion: '1.39' })).toBe('1.39');
    expect(commonVersion({ ApiVersion: '1.52', MinAPIVersion: '1.44' })).toBe('1.44');
  });

  it('know a container that is gone by what either engine says, from other failures', () => {
    const gone = [new EngineError(404, 'No such container: x'), new EngineError(500, 'no such container 12ab')];
    const others = [new EngineError(500, 'no space left on device'), new Error('no such container'), undefined];
    expect([...gone, ...others].map(isGone)).toEqual([true, true, false, false, false]);
  });

  it('know the version in the name of an image', () => {
    const digest = `sha256:${'0'.repeat(64)}`;
    expect(splitImage('nginx')).toEqual({ name: 'nginx', version: 'latest' });
    expect(splitImage('host:5000/a/b')).toEqual({ name: 'host:5000/a/b', version: 'latest' });
    expect(splitImage('host:5000/a/b:1.2')).toEqual({ name: 'host:5000/a/b', version: '1.2' });
    expect(splitImage(`a/b@${digest}`)).toEqual({ name: 'a/b', version: digest });
    expect(splitImage(`host:1/b:2@${digest}`)).toEqual({ name: 'host:1/b', version: digest });
  });

  it('know which login is for the registry of an image', () => {
    const logins = ['my.registry.example', 'docker.io', 'localhost:5000'].map((server) => ({
      server,
      username: 'u',
      password: 'p',
    }));
    const serverFor = (image: string): string | undefined => loginFor(image, logins)?.server;
    expect(serverFor('my.registry.example/a/b:1')).toBe('my.registry.example');
    expect(serverFor('MY.registry.example/a')).toBe('my.registry.example');
    expect(serverFor('nginx')).toBe('docker.io');
    expect(serverFor('library/nginx:1')).toBe('docker.io');
    expect(serverFor('index.docker.io/library/nginx')).toBe('docker.io');
    expect(serverFor('localhost:5000/x')).toBe('localhost:5000');
    expect(serverFor('other.example/x')).toBeUndefined();
  });

  it('give a group loopback addresses that are its own and always the same', () => {
    fc.assert(
      fc.property(fc.uuid(), (uid) => {
        const candidates = loopbackCandidates(uid);
        expect(candidates).toEqual(loopbackCandidates(uid));
        for (const candidate of candidates) {
          const [first, second, , last] = candidate.split('.').map(Number);
          expect([first, second! >= 64 && second! <= 127, last! >= 1 && last! <= 254]).toEqual([127, true, true]);
        }
      }),
    );
  });

  it('publish where the settings say, else where it can be reached', () => {
    const publishing = (settings: EngineSettings, address: EngineAddress, platform: NodeJS.Platform): Publishing =>
      publishingOf({ settings, settingsPath: 'services.containers' }, address, platform);
    const local = { kind: 'unix', path: '/x', name: '/x' } as const;
    const remote = { kind: 'http', origin: 'http://10.1.2.3:2375', name: 'tcp://10.1.2.3:2375' } as const;
    expect(publishing({}, local, 'linux').candidates('u')).toEqual(loopbackCandidates('u'));
    expect(publishing({}, local, 'darwin').candidates('u')).toEqual(['127.0.0.1']);
    expect(publishing({ publish: 'loopback' }, local, 'darwin').candidates('u')).toEqual(loopbackCandidates('u'));
    const elsewhere = publishing({}, remote, 'linux');
    expect([elsewhere.candidates('u'), elsewhere.shown('0.0.0.0')]).toEqual([['0.0.0.0'], '10.1.2.3']);
    expect(publishing({ publish: '192.0.2.7' }, local, 'linux').shown('192.0.2.7')).toBe('192.0.2.7');
    expect(() => publishing({ publish: 'everywhere' }, local, 'linux')).toThrow('services.containers.publish');
  });

  it('call and label everything as in every release, so that a jar finds again what it has left running', () => {
    const names = new Names({ owner: 'jar-one', lifetime: 'jar' });
    const run = { generation: 2, run: 3 };
    expect(names.runLabels('uid', 'web', run)).toEqual({
      'cloudjar.jar': 'jar-one',
      'cloudjar.group': 'uid',
      'cloudjar.role': 'run',
      'cloudjar.container': 'web',
      'cloudjar.generation': '2',
      'cloudjar.run': '3',
    });
    expect([names.sandbox('uid'), names.run('uid', 'web', run), names.volume('uid', 'data')]).toEqual([
      'cloudjar.uid',
      'cloudjar.uid.web.2.3',
      'cloudjar.uid.data',
    ]);
  });

  it('know a process that is no more from one that is, and from those of other machines', () => {
    const own = thisProcess();
    expect(isDeadHere(own)).toBe(false);
    const [host, namespace, pid, start] = own.split(':');
    expect(isDeadHere(`${host}:${namespace}:${pid}:${Number(start) - 1}`)).toBe(true);
    expect(isDeadHere(`${host}:${namespace}:4194304000:1`)).toBe(true);
    expect(isDeadHere(`${host}-other:${namespace}:4194304000:1`)).toBe(false);
    expect(isDeadHere(`${host}:1:4194304000:1`)).toBe(false);
    for (const odd of ['', 'x', `${host}:${namespace}:`, `${host}:${namespace}:0:1`])
      expect(isDeadHere(odd)).toBe(false);
  });

  it('know the group from the name of a container', () => {
    expect(uidInName('/cloudjar.some-uid.main.1.2')).toBe('some-uid');
    expect(uidInName('cloudjar.some-uid')).toBe('some-uid');
    expect(uidInName('somebody-elses')).toBeUndefined();
  });
});

it('a container has a bound on its processes, on Docker by the jar and on Podman by itself, and GPUs where there are any', () => {
  const parts = {
    labels: {},
    sandbox: 's',
    mounts: { Mounts: [], Binds: [] },
    seccomp: undefined,
    cpus: 2,
    hasGpus: false,
    imageUser: undefined,
  };
  const bodyOf = (isPodman: boolean) => containerBody(groupPlan(), containerPlan(), { ...parts, isPodman });
  expect(bodyOf(false)).toMatchObject({ HostConfig: { PidsLimit: 2048 } });
  expect(bodyOf(true)).not.toMatchObject({ HostConfig: { PidsLimit: expect.anything() } });
  const amounts = { cpu: 1, memoryBytes: 1 };
  const resources = { requests: amounts, limits: amounts, gpu: { count: 2, sku: 'K80' } };
  const withGpus = (hasGpus: boolean) =>
    containerBody(groupPlan(), containerPlan({ resources }), { ...parts, isPodman: false, hasGpus });
  const DeviceRequests = [{ Driver: 'nvidia', Count: 2, Capabilities: [['gpu']] }];
  expect(withGpus(true)).toMatchObject({ HostConfig: { DeviceRequests } });
  expect(withGpus(false)).not.toMatchObject({ HostConfig: { DeviceRequests } });
});
