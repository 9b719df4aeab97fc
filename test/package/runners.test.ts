import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf } from '../docs/examples.ts';
import { findChromium } from '../support/chromium.ts';
import { makeProject, type Project } from './project.ts';

/** Test suites of other projects, with each of the usual runners, in a project with the packed package and all runners installed. */

const RUNNERS = join(import.meta.dirname, 'runners');
const INSTALL_MS = 900_000;

/** The project folder for each runner name on the page; its examples begin with `// Vitest: cloud.test.mjs`. */
const FOLDERS: Readonly<Record<string, string>> = {
  Vitest: 'vitest',
  'node:test': 'node-test',
  'Jest with CommonJS': 'jest-commonjs',
  Mocha: 'mocha',
  Playwright: 'playwright',
};

async function examplesOfThePage(): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const { code } of await blocksOf('docs/guides/testing.md')) {
    const [, runner = '', name = ''] = /^\/\/ (.+): (\S+\.[cm]js)\n/.exec(code) ?? [];
    if (runner !== '') files[`${FOLDERS[runner]}/${name}`] = code;
  }
  return files;
}

let project: Project;

beforeAll(async () => {
  const manifest = readFileSync(join(RUNNERS, 'package.json'), 'utf8');
  project = await makeProject({ files: { 'package.json': manifest } });
  const examples = await examplesOfThePage();
  expect(Object.keys(examples)).toHaveLength(6);
  cpSync(RUNNERS, project.folder, { recursive: true, filter: (path) => path !== join(RUNNERS, 'package.json') });
  project.write(examples);
}, INSTALL_MS);
afterAll(() => project?.remove());

const bin = (name: string): string => join(project.folder, 'node_modules/.bin', name);

/** The runner's summary; throws if a test failed. */
async function run(folder: string, command: string, args: readonly string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await project.run(command, args, env, join(project.folder, folder));
  expect(code, `${stdout}${stderr}`).toBe(0);
  return stdout + stderr;
}

test('Vitest', async () => {
  expect(await run('vitest', bin('vitest'), ['run', '--no-color'])).toMatch(/Tests +5 passed \(5\)/);
});

test('Vitest with vm contexts', async () => {
  expect(await run('vitest', bin('vitest'), ['run', '--no-color', '--pool', 'vmForks'])).toMatch(
    /Tests +5 passed \(5\)/,
  );
});

test('node:test', async () => {
  const args = ['--test', '--test-reporter', 'tap', 'clock.test.mjs', 'inbox.test.cjs', 'cloud.test.mjs'];
  expect(await run('node-test', process.execPath, args)).toMatch(/^# pass 4$/m);
});

test('Jest with CommonJS, without flags', async () => {
  const said = await run('jest-commonjs', bin('jest'), []);
  expect(said).toMatch(/^Tests: +8 passed, 8 total$/m);
  expect(said).not.toMatch(/Warning|did not exit/);
});

test('Jest with ES modules', async () => {
  const env = { NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning' };
  const said = await run('jest-esm', bin('jest'), [], env);
  expect(said).toMatch(/^Tests: +2 passed, 2 total$/m);
  expect(said).not.toMatch(/Warning|did not exit/);
});

test('Mocha', async () => {
  expect(await run('mocha', bin('mocha'), [])).toMatch(/4 passing/);
});

test('Playwright', async ({ skip }) => {
  const chromium = await findChromium();
  if ('missing' in chromium) return skip(chromium.missing);
  const env = { CHROMIUM: chromium.executablePath, CHROMIUM_ARGS: JSON.stringify(chromium.args) };
  expect(await run('playwright', bin('playwright'), ['test'], env)).toMatch(/3 passed/);
});
