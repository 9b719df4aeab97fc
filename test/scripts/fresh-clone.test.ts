import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, lchownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../scripts/lib/paths.mjs';

// The user `nobody`: a run as root tries the command as somebody who may write to nothing but the clone.
const ORDINARY_USER = 65534;
const isRoot = process.getuid?.() === 0;
const FIRST_START_MS = 300_000;
/** Every package of the project; otherwise those that a start needs. The run itself has installed all of them, if it is one of a fresh clone. */
const SOAK = process.env.CLOUDJAR_SOAK === '1';
const NEEDED_TO_BUILD = ['esbuild'];

interface Manifest {
  devDependencies: Record<string, string>;
}

const temp = mkdtempSync(join(tmpdir(), 'cloudjar-clone-'));
const clone = join(temp, 'clone');
const home = join(temp, 'home');
const running = new Set<ChildProcess>();

beforeAll(() => {
  const ignored = readFileSync(join(root, '.gitignore'), 'utf8').split('\n');
  const left = new Set(['.git', ...ignored.map((line) => line.replace(/\/$/, ''))]);
  cpSync(root, clone, { recursive: true, filter: (path) => path === root || !left.has(basename(path)) });
  if (!SOAK) leaveOutTools();
  mkdirSync(home);
  if (isRoot) giveAway(temp);
});

afterAll(() => {
  for (const child of running) if (child.pid) process.kill(-child.pid, 'SIGKILL');
  // Thousands of files: on a busy disk that takes longer than a hook should, and nobody has to wait for it.
  spawn('rm', ['-rf', temp], { cwd: tmpdir(), detached: true, stdio: 'ignore' }).unref();
});

test(
  'on a fresh clone npm start installs, builds and answers; the next one finds all in place',
  async () => {
    const first = await startOnce();
    expect(first.setUp).toContain('installing packages');
    expect(first.setUp).toContain('building dist/');
    expect(first).toMatchObject({ health: { status: 'ready' }, exitCode: 0 });

    const second = await startOnce();
    expect(second).toMatchObject({ setUp: '', health: { status: 'ready' }, exitCode: 0 });
  },
  2 * FIRST_START_MS,
);

/** Nine tenths of the packages are clients and tools of the tests. */
function leaveOutTools(): void {
  const edit = (name: string, change: (content: Manifest & { packages: Record<string, Manifest> }) => Manifest) => {
    const content = JSON.parse(readFileSync(join(clone, name), 'utf8'));
    const manifest = change(content);
    const kept = Object.entries(manifest.devDependencies).filter(([each]) => NEEDED_TO_BUILD.includes(each));
    expect(kept).toHaveLength(NEEDED_TO_BUILD.length);
    manifest.devDependencies = Object.fromEntries(kept);
    writeFileSync(join(clone, name), JSON.stringify(content, null, 2));
  };
  edit('package.json', (manifest) => manifest);
  edit('package-lock.json', ({ packages }) => packages['']!);
}

async function startOnce() {
  const child = spawn('npm', ['start', '--', '--port', '0', '--https-port', '0'], {
    cwd: clone,
    env: ordinaryEnvironment(),
    detached: true,
    ...(isRoot && { uid: ORDINARY_USER, gid: ORDINARY_USER }),
  });
  running.add(child);
  const exit = once(child, 'exit');
  const output = { stdout: '', stderr: '' };
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output.stdout += text;
      const ready = /^cloudjar ready on (http:\/\/\S+)$/m.exec(output.stdout);
      if (ready?.[1]) resolve(ready[1]);
    });
    exit.then(() => reject(new Error(`npm start ended early:\n${output.stdout}\n${output.stderr}`)));
  });
  const health: unknown = await (await fetch(`${url}/_jar/health`)).json();
  child.kill('SIGTERM');
  const [exitCode] = await exit;
  running.delete(child);
  const setUp = output.stderr.split('\n').filter((line) => line.startsWith('cloudjar: '));
  return { setUp: setUp.join('\n'), health, exitCode };
}

/** The machine's own Node and npm, and no setting of the npm that runs the tests but the registry. */
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
