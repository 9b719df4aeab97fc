import { execFileSync, spawn } from 'node:child_process';
import { cpSync, lchownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../scripts/lib/paths.mjs';
import { startOnce } from '../../scripts/lib/start-once.mjs';

// The user `nobody`: when run as root, the command is tested as a user who may write only to the clone.
const ORDINARY_USER = 65534;
const isRoot = process.getuid?.() === 0;
const FIRST_START_MS = 300_000;

const temp = mkdtempSync(join(tmpdir(), 'cloudjar-clone-'));
const clone = join(temp, 'clone');
const home = join(temp, 'home');

beforeAll(() => {
  const ignored = readFileSync(join(root, '.gitignore'), 'utf8').split('\n');
  const left = new Set(['.git', ...ignored.map((line) => line.replace(/\/$/, ''))]);
  cpSync(root, clone, { recursive: true, filter: (path) => path === root || !left.has(basename(path)) });
  mkdirSync(home);
  if (isRoot) giveAway(temp);
});

afterAll(() => {
  // Thousands of files: on a busy disk this takes longer than a hook should, so it runs in the background.
  spawn('rm', ['-rf', temp], { cwd: tmpdir(), detached: true, stdio: 'ignore' }).unref();
});

test(
  'on a fresh clone npm start installs, builds and answers; the next one finds all in place',
  async () => {
    const user = { env: ordinaryEnvironment(), ...(isRoot && { uid: ORDINARY_USER, gid: ORDINARY_USER }) };
    const first = await startOnce(clone, user, { end: 'ctrlC' });
    expect(first.setUp.join('\n')).toMatch(/installing packages[\s\S]*building dist\//);
    expect(first).toMatchObject({ status: 'ready', closed: true });

    expect(await startOnce(clone, user, { end: 'killOfNpm' })).toEqual({ setUp: [], status: 'ready', closed: true });
  },
  2 * FIRST_START_MS,
);

/** The machine's own Node and npm; of the settings of the npm that runs the tests only the registry is kept. */
function ordinaryEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(npm_|NODE_COMPILE_CACHE|NODE_OPTIONS|NODE_ENV|VITEST|CLOUDJAR_|CI$|INIT_CWD)/i;
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(root));
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter), HOME: home, npm_config_registry: registry };
}

function giveAway(folder: string): void {
  const contents = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const path of [folder, ...contents.map((name) => join(folder, name))])
    lchownSync(path, ORDINARY_USER, ORDINARY_USER);
}
