import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { oldNode } from './old-node.ts';
import { makeProject, type Project } from './project.ts';

/** The command of the installed package, used in a project from a terminal. */

let project: Project;

beforeAll(async () => {
  project = await makeProject({ files: { '.gitignore': 'node_modules\n' } });
});
afterAll(() => project?.remove());

const FREE_PORTS = ['--port', '0', '--https-port', '0', '--smtp-port', '0'];

/** Starts a jar in the project, and resolves to its address; it is stopped at the end of the test. */
async function start(args: readonly string[] = []): Promise<string> {
  const command = join(project.folder, 'node_modules/.bin/cloudjar');
  const child: ChildProcess = spawn(command, ['start', ...FREE_PORTS, ...args], { cwd: project.folder });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  });
  let printed = '';
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (text) => {
      printed += text;
    });
    child.stdout?.on('data', (text) => {
      printed += text;
      const [, url] = /^cloudjar ready on (\S+)$/m.exec(printed) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', () => reject(new Error(`it ended:\n${printed}`)));
  });
}

test('npx cloudjar start makes a jar in the project, and git sees nothing of it', async () => {
  await project.run('git', ['init', '-q']);
  await project.run('git', ['add', '-A']);
  const url = await start();
  const token = await project.run('npx', ['cloudjar', 'token']);
  expect(token.code).toBe(0);
  const answer = await fetch(`${url}/subscriptions?api-version=2022-12-01`, {
    headers: { authorization: `Bearer ${token.stdout.trim()}` },
  });
  expect(answer.status).toBe(200);

  expect(readFileSync(join(project.folder, '.cloudjar/.gitignore'), 'utf8')).toBe('*\n');
  const status = await project.run('git', ['status', '--porcelain', '--untracked-files=all']);
  expect(status.stdout).not.toContain('.cloudjar');
});

test('the language detector has its weights, and the client of Kubernetes is there', async () => {
  const detected = await project.run('npx', ['cloudjar', 'detect', 'Guten Morgen, wie geht es dir?']);
  expect(detected).toMatchObject({ code: 0, stdout: expect.stringContaining('de') });
  const kubernetes = await project.run(
    'npx',
    ['cloudjar', 'start', '--engine', 'kubernetes', '--memory', ...FREE_PORTS],
    {
      HOME: project.folder,
      KUBECONFIG: '',
    },
  );
  expect(kubernetes.stderr).toContain('no kubeconfig was found');
});

test('on Node 20 the command fetches its runtime, says so and where, and does so once', async () => {
  const home = mkdtempSync(join(tmpdir(), 'cloudjar-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const node = await oldNode();
  const npmCache = (await project.run('npm', ['config', 'get', 'cache'])).stdout.trim();
  const env = {
    HOME: home,
    XDG_CACHE_HOME: '',
    npm_config_cache: npmCache,
    PATH: [dirname(node), process.env.PATH].join(delimiter),
  };
  const command = join(project.folder, 'node_modules/cloudjar/bin/cloudjar.mjs');
  const first = await project.run(node, [command, '--version'], env);
  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  expect(first.stderr).toContain(
    `cloudjar: fetching Node 24 from the package registry into ${join(home, '.cache/cloudjar')} (this machine has v20.`,
  );
  expect(await project.run(node, [command, '--version'], env)).toEqual({ code: 0, stdout: first.stdout, stderr: '' });
});
