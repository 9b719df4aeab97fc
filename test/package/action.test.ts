import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { root } from '../../scripts/lib/paths.mjs';
import { packedTarball } from './packed.ts';
import { type Ended, makeProject, type Project } from './project.ts';

/** The step of the GitHub Action, run as by a runner: in a project, with files for variables and outputs. */

let project: Project;

beforeAll(async () => {
  project = await makeProject();
});
afterAll(() => project?.remove());

const FREE_PORTS = '--port 0 --https-port 0 --smtp-port 0';

interface Step extends Ended {
  readonly env: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, string>>;
  /** The additions to the PATH. */
  readonly path: string;
}

class Runner {
  readonly temporary = mkdtempSync(join(tmpdir(), 'cloudjar-runner-'));

  async step(inputs: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}): Promise<Step> {
    const file = (name: string) => join(this.temporary, name);
    const files = { GITHUB_ENV: file('env'), GITHUB_OUTPUT: file('output'), GITHUB_PATH: file('path') };
    for (const each of Object.values(files)) writeFileSync(each, '');
    const given = Object.entries(inputs).map(([name, value]) => [`CLOUDJAR_ACTION_${name.toUpperCase()}`, value]);
    const ended = await project.run(process.execPath, [join(root, 'scripts/action.mjs')], {
      ...files,
      RUNNER_TEMP: this.temporary,
      GITHUB_WORKSPACE: project.folder,
      ...Object.fromEntries(given),
      ...env,
    });
    const path = readFileSync(files.GITHUB_PATH, 'utf8').trim();
    return { ...ended, env: valuesIn(files.GITHUB_ENV), outputs: valuesIn(files.GITHUB_OUTPUT), path };
  }
}

function valuesIn(file: string): Record<string, string> {
  const found = readFileSync(file, 'utf8').matchAll(/^([\w-]+)<<(\S+)\n([\s\S]*?)\n\2$/gm);
  return Object.fromEntries(Array.from(found, ([, name, , value]) => [name, value]));
}

function newRunner(): Runner {
  const runner = new Runner();
  onTestFinished(() => rmSync(runner.temporary, { recursive: true, force: true, maxRetries: 5 }));
  return runner;
}

async function stop({ env }: Step): Promise<void> {
  const stopped = await project.run('npx', ['cloudjar', 'stop', '--data', env.CLOUDJAR_DATA ?? '']);
  expect(stopped).toMatchObject({ code: 0 });
}

test('the steps after it find the jar, its key and its CA; a later job restores a snapshot', async () => {
  const runner = newRunner();
  const step = await runner.step({ clock: 'virtual', args: FREE_PORTS });
  expect(step).toMatchObject({ code: 0, stderr: expect.stringContaining('cloudjar: ready on http://') });
  expect(step.path).toBe(join(project.folder, 'node_modules/.bin'));
  const { CLOUDJAR_URL: url = '', CLOUDJAR_ADMIN_KEY: key = '' } = step.env;
  expect(step.stdout).toBe(`::add-mask::${key}\n`);
  expect(step.outputs).toEqual({
    url,
    'https-url': expect.stringMatching(/^https:\/\/localhost:\d+$/),
    'admin-key': key,
    ca: join(runner.temporary, 'cloudjar-data/ca.pem'),
    data: join(runner.temporary, 'cloudjar-data'),
  });

  const clock = await fetch(`${url}/_jar/clock`, { headers: { authorization: `Bearer ${key}` } });
  expect(await clock.json()).toMatchObject({ mode: 'virtual' });
  const ask = `fetch('${step.outputs['https-url']}/_jar/health').then((answer) => console.log(answer.status))`;
  expect(await project.run(process.execPath, ['-e', ask], step.env)).toMatchObject({ code: 0, stdout: '200\n' });
  await project.run('npx', ['cloudjar', 'clock', 'advance', '36h'], step.env);
  const { now } = JSON.parse((await project.run('npx', ['cloudjar', 'clock', '--json'], step.env)).stdout) as {
    now: string;
  };
  await project.run('npx', ['cloudjar', 'snapshot', 'save', 'later'], step.env);
  const file = join(runner.temporary, 'later.gz');
  expect(await project.run('npx', ['cloudjar', 'snapshot', 'export', 'later', file], step.env)).toMatchObject({
    code: 0,
  });
  expect(await project.run('npx', ['cloudjar', 'reset'], step.env)).toMatchObject({ code: 0 });
  await stop(step);

  const trusted = join(runner.temporary, 'company.pem');
  writeFileSync(trusted, readFileSync(step.outputs.ca ?? '', 'utf8').replaceAll('\n', '\r\n'));
  const again = await runner.step(
    { version: await packedTarball(), args: FREE_PORTS, clock: 'virtual', snapshot: file },
    { NODE_EXTRA_CA_CERTS: trusted },
  );
  expect(again).toMatchObject({ code: 0 });
  expect(existsSync(join(runner.temporary, 'cloudjar-package/node_modules/cloudjar'))).toBe(true);
  expect(JSON.parse((await project.run('npx', ['cloudjar', 'clock', '--json'], again.env)).stdout)).toMatchObject({
    now,
  });
  const path = [again.path, dirname(process.execPath)].join(delimiter);
  const byName = await project.run('cloudjar', ['clock', '--json'], { ...again.env, PATH: path });
  expect(JSON.parse(byName.stdout)).toMatchObject({ now });
  expect(again.path).toBe(join(runner.temporary, 'cloudjar-package/node_modules/.bin'));
  expect(readFileSync(again.env.NODE_EXTRA_CA_CERTS ?? '', 'utf8').match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  await stop(again);
});

test('a start that is refused ends the step with the reason, and tells nothing to the steps after it', async () => {
  const step = await newRunner().step({ clock: 'sundial', args: FREE_PORTS });
  expect(step).toMatchObject({
    code: 1,
    env: {},
    outputs: {},
    path: '',
    stderr: expect.stringMatching(/sundial[\s\S]*cloudjar start failed/),
  });
});
