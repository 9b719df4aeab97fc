import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandFirst } from '../../src/cli/command-first.ts';
import { findProject, foldersFrom } from '../../src/cli/find-project.ts';
import { runCli, spawnCli, startCli, temporaryFolder } from './cli.ts';

const BOTH = ['data', 'config'] as const;
const MARK = '{"format":"cloudjar-data","version":1}';

function tree(): { root: string; deep: string } {
  const root = temporaryFolder();
  const deep = join(root, 'a', 'b', 'c');
  mkdirSync(deep, { recursive: true });
  return { root, deep };
}

function addData(folder: string): void {
  mkdirSync(join(folder, '.cloudjar'));
  writeFileSync(join(folder, '.cloudjar', 'cloudjar.json'), MARK);
}

describe('the project of a working folder is', () => {
  test('the next folder above with a data folder or a configuration file', () => {
    const { root, deep } = tree();
    const find = () => findProject({ cwd: deep, wanted: BOTH, env: { HOME: root } });
    expect(find()).toBe(deep);
    writeFileSync(join(root, 'a', 'cloudjar.config.json'), '{}');
    expect(find()).toBe(join(root, 'a'));
    addData(join(root, 'a', 'b'));
    expect(find()).toBe(join(root, 'a', 'b'));
    addData(deep);
    expect(find()).toBe(deep);
  });

  test('never the home folder or one above it, unless it is the working folder', () => {
    const { root, deep } = tree();
    addData(root);
    addData(join(root, 'a'));
    const home = { HOME: join(root, 'a') };
    expect(findProject({ cwd: deep, wanted: BOTH, env: home })).toBe(deep);
    expect(findProject({ cwd: join(root, 'a'), wanted: BOTH, env: home })).toBe(join(root, 'a'));
    expect(findProject({ cwd: deep, wanted: BOTH, env: { HOME: '/nowhere' } })).toBe(join(root, 'a'));
  });

  test('never the root of the file system, unless it is the working folder', () => {
    expect(foldersFrom('/work/shop/api', '/root')).toEqual(['/work/shop/api', '/work/shop', '/work']);
    expect(foldersFrom('/work', '/root')).toEqual(['/work']);
    expect(foldersFrom('/', '/root')).toEqual(['/']);
  });

  test('never one above the git repository of the working folder', () => {
    const { root, deep } = tree();
    addData(join(root, 'a'));
    const env = { HOME: root };
    mkdirSync(join(root, 'a', '.git'));
    expect(findProject({ cwd: deep, wanted: BOTH, env })).toBe(join(root, 'a'));
    writeFileSync(join(root, 'a', 'b', '.git'), 'gitdir: ../../.git/worktrees/b');
    expect(findProject({ cwd: deep, wanted: BOTH, env })).toBe(deep);
  });

  test('ignores folders that are empty or belong to another program, and settings that are given explicitly', () => {
    const { root, deep } = tree();
    mkdirSync(join(root, 'a', '.cloudjar'));
    const env = { HOME: root };
    expect(findProject({ cwd: deep, wanted: BOTH, env })).toBe(deep);
    addData(join(root, 'a', 'b'));
    expect(findProject({ cwd: deep, wanted: ['config'], env })).toBe(deep);
  });

  test.runIf(process.getuid?.() === 0)('refused where another user owns it, and said so', () => {
    const { root, deep } = tree();
    addData(join(root, 'a'));
    chownSync(join(root, 'a', '.cloudjar', 'cloudjar.json'), 4711, 4711);
    const env = { HOME: root };
    expect(() => findProject({ cwd: deep, wanted: BOTH, env })).toThrow(
      `${join(root, 'a', '.cloudjar')} belongs to another user and is not used; if you trust it, give it with --data`,
    );
    expect(findProject({ cwd: deep, wanted: ['config'], env })).toBe(deep);
    expect(findProject({ cwd: deep, wanted: BOTH, env: { ...env, SUDO_UID: '4711' } })).toBe(join(root, 'a'));
    // Root in a container, with another user's project mounted as the working folder.
    expect(findProject({ cwd: join(root, 'a'), wanted: BOTH, env })).toBe(join(root, 'a'));
  });
});

test('a start below a project uses its configuration and its data folder, and says so', async () => {
  const { root, deep } = tree();
  writeFileSync(
    join(root, 'cloudjar.config.json'),
    '{"clock":"virtual","clockStart":"2027-01-01T00:00:00Z","data":"state"}',
  );
  const ports = ['--port', '0', '--https-port', '0', '--smtp-port', '0'];
  const jar = spawnCli([...ports, 'start', '--memory'], { cwd: deep });
  await jar.printed(/\n {2}try /);
  expect(jar.stdout()).toContain(`  project  ${root}, above the working folder\n`);
  expect(jar.stdout()).toContain(`in memory; keys and certificates in ${join(root, 'state')}\n`);
  expect((await runCli(['clock'], { cwd: join(root, 'a') })).stdout).toMatch(/^2027-01-01T00:00:00\.000Z \(virtual\)/);
});

test('options stand before the command, behind it, and between it and the command below', async () => {
  const { folder, url } = await startCli([
    '--memory',
    '--smtp-port',
    '0',
    '--clock',
    'virtual',
    '--clock-start',
    '2027-01-01T00:00:00Z',
  ]);
  const lines = [
    ['clock', '--json', '--data', folder],
    ['--json', 'clock', '--data', folder],
    ['--data', folder, '--json', 'clock'],
    ['--data', folder, 'clock', '--json'],
    [`--data=${folder}`, '--url', url, '--json', 'clock'],
  ];
  const answers = await Promise.all(lines.map((args) => runCli(args)));
  for (const { code, stdout } of answers) {
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ now: '2027-01-01T00:00:00.000Z' });
  }
  const added = await runCli(['--data', folder, 'faults', '--status', '429', '--json', 'add', '--count', '3']);
  expect(JSON.parse(added.stdout)).toMatchObject({ effect: { status: 429 }, count: 3 });
  expect((await runCli(['--data', folder, 'detect', '--plain', 'Guten Morgen'])).stdout).toMatch(/^de\t/);
});

test('a value is not taken for the command', () => {
  const names = ['start', 'clock', 'token'];
  expect(commandFirst(['--data', 'start', 'clock'], names)).toEqual(['clock', '--data', 'start']);
  expect(commandFirst(['--port', '0', 'start', '--memory'], names)).toEqual(['start', '--port', '0', '--memory']);
  expect(commandFirst(['token', '--data', 'clock'], names)).toEqual(['token', '--data', 'clock']);
  expect(commandFirst(['--data', 'x'], names)).toEqual(['--data', 'x']);
});

test('help is printed for every way to ask for it', async () => {
  for (const [args, usage] of [
    [['mail', 'help', 'send'], /^Usage: cloudjar mail send /],
    [['help', 'mail', 'send'], /^Usage: cloudjar mail send /],
    [['mail', 'help'], /^Usage: cloudjar mail /],
    [['mail', 'send', '--help'], /^Usage: cloudjar mail send /],
    [['--help', 'mail'], /^Usage: cloudjar mail /],
    [['--data', 'x', 'start', '-h'], /^Usage: cloudjar start /],
    [['clock', 'advance', '-h'], /^Usage: cloudjar clock advance /],
  ] as const) {
    expect(await runCli(args), args.join(' ')).toEqual({ code: 0, stderr: '', stdout: expect.stringMatching(usage) });
  }
});
