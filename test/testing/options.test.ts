import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SETTINGS } from '../../src/kernel/config/config.ts';
import { startJar } from '../../src/testing/index.ts';
import { NOT_IN_PROCESS, OTHER_OPTIONS } from '../../src/testing/options.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cloudjar-options-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('the options of startJar', () => {
  it('are the settings of the command line, each declared and documented', () => {
    const text = readFileSync(join(ROOT, 'src/testing/jar-types.d.ts'), 'utf8');
    const [, members = ''] = /interface StartJarOptions \{([\s\S]*?)\n\}/.exec(text) ?? [];
    const declared = [...members.matchAll(/\/\*\* .+ \*\/\n {2}readonly (\w+)\?:/g)].map(([, name]) => name);
    const own = OTHER_OPTIONS.filter((name) => name !== 'services');
    const wanted = [...Object.keys(SETTINGS).filter((name) => !(name in NOT_IN_PROCESS)), ...own];
    expect(declared.toSorted()).toEqual(wanted.toSorted());
  });

  it.each(['data', 'memory'])('have no %s, and say what there is instead', async (name) => {
    await expect(startJar({ [name]: true } as object)).rejects.toThrow(
      `startJar has no option '${name}': a jar of startJar`,
    );
  });

  it('are named in the error if a value is invalid', async () => {
    await expect(startJar({ port: 70_000 })).rejects.toThrow('port must be a port number from 0 to 65535, not 70000');
    const contradiction = { clock: 'system', clockStart: '2026-01-31T09:00:00Z' } as const;
    await expect(startJar(contradiction)).rejects.toThrow(
      'clockStart needs the virtual clock, but the clock is system',
    );
  });

  it.each<[object, string]>([
    [{ clockStart: 7 }, 'clockStart must be an ISO 8601 time such as 2026-01-31T09:00:00Z, not 7'],
    [{ clockStart: new Date(Number.NaN) }, 'clockStart must be an ISO 8601 time'],
    [{ snapshot: 7 }, 'snapshot must be the path of a file, or its URL with file:'],
    [{ snapshot: new URL('https://vendor.example/x.gz') }, 'snapshot must be the path of a file'],
    [{ observe: 'all' }, 'observe must be a function'],
    [{ settings: 'mail' }, 'settings must be an object of services, each an object of its settings'],
    [{ settings: { mail: 1 } }, 'settings must be an object of services'],
    [[], 'the options of startJar must be an object'],
    ['options' as unknown as object, 'the options of startJar must be an object'],
    [null as unknown as object, 'the options of startJar must be an object'],
  ])('that cannot be are refused by their names: %j', async (options, message) => {
    await expect(startJar(options)).rejects.toThrow(message);
  });

  it('take a configuration file that they name, but not its ports and its data folder, and win over it', async () => {
    const folder = temporaryFolder();
    const config = join(folder, 'jar.json');
    const services = { events: { strictNames: true } };
    writeFileSync(
      config,
      JSON.stringify({
        port: 7400,
        data: 'kept',
        clock: 'shifted',
        clockStart: undefined,
        namespace: ['Contoso'],
        services,
      }),
    );
    await using jar = await startJar({ config });
    expect(jar.url).not.toContain(':7400');
    expect(await jar.health()).toMatchObject({ clock: 'shifted', store: 'memory' });
    await using other = await startJar({ config, clock: 'virtual' });
    expect((await other.health()).clock).toBe('virtual');
    expect(readdirSync(folder)).toEqual(['jar.json']);
    await expect(startJar({ config: join(folder, 'none.json') })).rejects.toThrow('the file does not exist');
  });

  it('name a seed file from the working folder', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'seed.json'), '{"directory":1}');
    const before = process.cwd();
    process.chdir(folder);
    try {
      await expect(startJar({ seed: 'seed.json' })).rejects.toThrow(join(folder, 'seed.json'));
    } finally {
      process.chdir(before);
    }
  });

  it('give the key of the control API, and the address to listen on', async () => {
    await using jar = await startJar({ adminKey: 'the-admin-key', host: 'localhost' });
    expect(jar).toMatchObject({ adminKey: 'the-admin-key', url: expect.stringMatching(/^http:\/\/localhost:/) });
    expect(await jar.token()).toContain('.');
  });
});

it('options and names that a call of the jar cannot take are refused before anything is done', async () => {
  const file = join(temporaryFolder(), 'x.gz');
  await using jar = await startJar();
  // As written by a JavaScript program.
  const { env, export: exportTo, import: importFrom, inbox, mailbox, snapshot, restore, deleteSnapshot, clock } = jar;
  const loose = {
    env,
    exportTo,
    importFrom,
    inbox,
    mailbox,
    snapshot,
    restore,
    deleteSnapshot,
    advance: clock.advance,
  };
  const call = (name: keyof typeof loose, ...values: unknown[]) =>
    (loose[name] as (...all: unknown[]) => unknown)(...values);
  await expect(async () => call('exportTo', file, { passfrase: 'eight or more' })).rejects.toThrow(
    "jar.export has no option 'passfrase'; it has passphrase, portable",
  );
  await expect(async () => call('importFrom', file, { restor: false })).rejects.toThrow(
    "jar.import has no option 'restor'; it has passphrase, restore, name",
  );
  expect(() => call('env', { tokn: 'a' })).toThrow("jar.env has no option 'tokn'; it has token");
  expect(() => call('env', null)).toThrow('the options of jar.env must be an object');
  for (const name of ['exportTo', 'importFrom'] as const)
    await expect(async () => call(name)).rejects.toThrow('file must be the path of a file');
  for (const name of ['snapshot', 'restore', 'deleteSnapshot'] as const)
    await expect(async () => call(name)).rejects.toThrow('the name of a snapshot must be a string');
  expect(() => call('inbox')).toThrow("'undefined' is not a valid name of an inbox");
  expect(() => call('mailbox')).toThrow('the name of the mailbox is empty');
  await expect(async () => call('advance')).rejects.toThrow("'undefined' is not a duration; give");
  expect(existsSync(file)).toBe(false);
});

/** Prints properties of the jar. Any access to another machine or to a file of the user's jar would fail here. */
const PROGRAM = `
const { startJar } = await import(process.argv[1]);
const jar = await startJar();
const headers = { authorization: 'Bearer ' + (await jar.token()) };
await jar.inbox('orders').failTimes(1);
const groups = jar.url + '/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups/demo';
const { request } = await import('node:http');
const status = await new Promise((resolve, reject) => {
  const asked = request(groups + '?api-version=2025-04-01', { method: 'PUT', agent: false, headers: { ...headers, 'content-type': 'application/json' } });
  asked.on('response', (answer) => resolve(answer.resume().statusCode)).on('error', reject).end('{"location":"westeurope"}');
});
await jar.clock.advance('1h');
const { clock, store } = await jar.health();
console.log(JSON.stringify({ clock, store, status, standard: /:(7400|1)$/.test(jar.url), poisoned: jar.adminKey === 'poisoned-key' }));
await jar.close();
`;

it('neither the environment nor the working folder changes a jar of startJar, and nothing is written', async () => {
  const folder = temporaryFolder();
  const poison = Object.fromEntries(Object.values(SETTINGS).map(({ env }) => [env, 'poison']));
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    TMPDIR: folder,
    ...poison,
    CLOUDJAR_ADMIN_KEY: 'poisoned-key',
    CLOUDJAR_URL: 'http://127.0.0.1:1',
    // A proxy that does not exist.
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: 'http://127.0.0.1:1',
    HTTPS_PROXY: 'http://127.0.0.1:1',
    http_proxy: 'http://127.0.0.1:1',
    DOCKER_HOST: 'tcp://127.0.0.1:1',
    KUBECONFIG: join(folder, 'nowhere'),
    PGHOST: '127.0.0.1',
    PGPORT: '1',
  };
  for (const name of ['cloudjar.config.json', 'cloudjar.json', '.cloudjar'])
    writeFileSync(join(folder, name), '{ poison');
  const entry = pathToFileURL(join(ROOT, 'dist/testing.js')).href;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', PROGRAM, entry],
    { cwd: folder, env },
  );
  expect(JSON.parse(stdout)).toEqual({
    clock: 'virtual',
    store: 'memory',
    status: 201,
    standard: false,
    poisoned: false,
  });
  expect(stderr).not.toMatch(/poison/);
  expect(readdirSync(folder).toSorted()).toEqual(['.cloudjar', 'cloudjar.config.json', 'cloudjar.json']);
});
