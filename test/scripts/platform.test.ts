import { describe, expect, test } from 'vitest';
import {
  batchFile,
  cacheFolder,
  localSocket,
  npmCacheFolder,
  npmCommand,
  signalsFor,
} from '../../scripts/lib/platform.mjs';

/** The behaviour of the scripts on systems that this test does not run on. */

const LINUX_HOME = '/home/ana';
const MAC_HOME = '/Users/ana';
const WINDOWS_HOME = 'C:\\Users\\ana';
const LOCAL = 'C:\\Users\\ana\\AppData\\Local';

describe('the cache folder', () => {
  test.each([
    ['linux', {}, LINUX_HOME, '/home/ana/.cache/cloudjar'],
    ['linux', { XDG_CACHE_HOME: '/var/cache/ana' }, LINUX_HOME, '/var/cache/ana/cloudjar'],
    ['linux', { XDG_CACHE_HOME: '' }, LINUX_HOME, '/home/ana/.cache/cloudjar'],
    ['linux', { XDG_CACHE_HOME: 'relative' }, LINUX_HOME, '/home/ana/.cache/cloudjar'],
    ['darwin', { XDG_CACHE_HOME: '/elsewhere' }, MAC_HOME, '/Users/ana/Library/Caches/cloudjar'],
    ['win32', { LOCALAPPDATA: 'D:\\Local' }, WINDOWS_HOME, 'D:\\Local\\cloudjar'],
    ['win32', {}, WINDOWS_HOME, `${LOCAL}\\cloudjar`],
    ['freebsd', {}, LINUX_HOME, '/home/ana/.cache/cloudjar'],
  ])('on %s with %j and the home %s is %s', (platform, env, home, folder) => {
    expect(cacheFolder({ platform, env, home })).toBe(folder);
  });
});

test.each([
  ['linux', {}, LINUX_HOME, '/home/ana/.npm'],
  ['darwin', {}, MAC_HOME, '/Users/ana/.npm'],
  ['win32', {}, WINDOWS_HOME, `${LOCAL}\\npm-cache`],
  ['win32', { LOCALAPPDATA: 'D:\\Local' }, WINDOWS_HOME, 'D:\\Local\\npm-cache'],
  ['linux', { npm_config_cache: '/cache' }, LINUX_HOME, '/cache'],
])("npm's cache on %s with %j is %s", (platform, env, home, folder) => {
  expect(npmCacheFolder({ platform, env, home })).toBe(folder);
});

test.each([
  ['linux', '/tmp', { address: '\0cloudjar-1', isFile: false }],
  ['darwin', '/var/folders/x/T', { address: '/var/folders/x/T/cloudjar-1', isFile: true }],
  ['win32', 'C:\\Temp', { address: '\\\\.\\pipe\\cloudjar-1', isFile: false }],
])('a lock on %s listens where no other machine reaches it', (platform, tmp, socket) => {
  expect(localSocket({ platform, tmp }, 'cloudjar-1')).toEqual(socket);
});

describe('signals while a program runs', () => {
  test.each(['linux', 'darwin'])('go on to it on %s', (platform) => {
    expect(signalsFor(platform)).toEqual({ outlived: ['SIGINT', 'SIGTERM', 'SIGHUP'], passedOn: true });
  });

  test('reach it from the console on Windows, where passing them on would end it at once', () => {
    expect(signalsFor('win32')).toEqual({ outlived: ['SIGINT', 'SIGBREAK', 'SIGHUP'], passedOn: false });
  });
});

describe('npm is run', () => {
  interface Machine {
    readonly platform: string;
    readonly execPath: string;
    readonly env?: Record<string, string>;
    readonly files?: readonly string[];
  }
  const found = ({ platform, execPath, env = {}, files = [] }: Machine) =>
    npmCommand({ platform, execPath, env, isFile: (path) => files.includes(path) }, 'NODE');

  const linux = { platform: 'linux', execPath: '/opt/node/bin/node' };
  const windows = { platform: 'win32', execPath: 'C:\\Program Files\\nodejs\\node.exe' };
  const beside = 'C:\\Program Files\\nodejs\\node_modules\\npm\\bin\\npm-cli.js';
  const updated = 'C:\\Users\\ana\\AppData\\Roaming\\npm\\node_modules\\npm\\bin\\npm-cli.js';

  test.each([
    [
      'the one that runs the script',
      { ...linux, env: { npm_execpath: '/usr/share/npm-cli.js' }, files: ['/usr/share/npm-cli.js'] },
      '/usr/share/npm-cli.js',
    ],
    [
      'the one that came with Node',
      { ...linux, files: ['/opt/node/lib/node_modules/npm/bin/npm-cli.js'] },
      '/opt/node/lib/node_modules/npm/bin/npm-cli.js',
    ],
    [
      'the one that runs the script, on Windows',
      { ...windows, env: { npm_execpath: updated }, files: [beside, updated] },
      updated,
    ],
    ['the one that came with Node, on Windows', { ...windows, files: [beside] }, beside],
    [
      'the one of the PATH, on Windows',
      { ...windows, env: { Path: 'C:\\Windows;C:\\Users\\ana\\AppData\\Roaming\\npm' }, files: [updated] },
      updated,
    ],
  ])('as a file for Node: %s', (_, machine, file) => {
    expect(found(machine)).toEqual({ command: 'NODE', args: [file] });
  });

  test('by its name where it came by itself, except on Windows', () => {
    expect(found(linux)).toEqual({ command: 'npm', args: [] });
    expect(found(windows)).toBeUndefined();
  });

  test.each(['/opt/yarn/bin/yarn.js', '/opt/pnpm/bin/pnpm.cjs'])(
    'not as %s, which another package manager names',
    (file) => {
      expect(found({ ...linux, env: { npm_execpath: file }, files: [file] })).toEqual({ command: 'npm', args: [] });
    },
  );
});

test('a command of the clone on Windows is a batch file that finds the program from where it is', () => {
  expect(batchFile('C:\\jar\\node_modules\\.bin', 'C:\\jar\\bin\\cloudjar.mjs')).toBe(
    '@node "%~dp0..\\..\\bin\\cloudjar.mjs" %*\r\n',
  );
});
