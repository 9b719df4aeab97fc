import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openJar, type RunningJar } from '../../../src/jar/index.ts';
import { loadConfig } from '../../../src/kernel/config.ts';
import { EffectSchema, MatchSchema } from '../../../src/kernel/faults/schema.ts';
import { blocksOf, runShell, runTypeScript } from '../../docs/examples.ts';

let folder: string;
let jar: RunningJar;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloudjar-docs-'));
  const flags = { port: 0, httpsPort: 0, data: folder, logLevel: 'error' };
  jar = await openJar({ config: loadConfig({ flags, env: {}, cwd: folder }) });
});
afterAll(async () => {
  await jar.close();
  await rm(folder, { recursive: true });
});

const shell = async (page: string): Promise<string> => {
  const blocks = (await blocksOf(page)).filter(({ marked }) => marked);
  expect(blocks).not.toHaveLength(0);
  const code = blocks.map((block) => block.code).join('\necho\n');
  return runShell(code.replaceAll('http://127.0.0.1:7400', jar.url), { CLOUDJAR_DATA: folder, CLOUDJAR_URL: jar.url });
};

const typeScript = async (page: string): Promise<string> => {
  const [block] = (await blocksOf(page)).filter(({ language }) => language === 'ts');
  return runTypeScript(block?.code ?? '');
};

it('docs/faults.md shows commands that do what it says', async () => {
  const shown = (await shell('docs/faults.md')).split('\n');
  expect(shown[0]).toMatch(/^fault \w{12} is ordered: \/subscriptions\* -> status 429, count 3$/);
  expect(shown[1]).toMatch(/^\w{12} {2}0 of 0 {8}\/subscriptions\* -> status 429, count 3$/);
  expect(shown[2]).toBe('1 fault is taken back');
});

it('docs/faults.md shows a program that prints what it says', async () => {
  expect(await typeScript('docs/faults.md')).toBe('[ 429, 429, 200 ]\nexhausted 2\n');
});

it('docs/faults.md explains every member of a rule', async () => {
  const page = await readFile(new URL('../../../docs/faults.md', import.meta.url), 'utf8');
  for (const { properties } of [MatchSchema, EffectSchema])
    for (const name of Object.keys(properties)) expect(page).toMatch(new RegExp(`^\\| .*\`${name}\`.* \\| `, 'm'));
});

it('docs/inbox.md shows a program that prints what it says', async () => {
  expect(await typeScript('docs/inbox.md')).toBe('POST 7 503\n[ 503, 503, 200 ]\n');
});

it('docs/inbox.md shows requests that are answered as it says', async ({ skip }) => {
  if (spawnSync('curl', ['--version']).status !== 0) skip('curl is not on the PATH');
  expect(await shell('docs/inbox.md')).toBe('abc');
  const response = await fetch(`${jar.url}/_jar/inbox/demo/requests/2`, {
    headers: { authorization: `Bearer ${jar.adminKey}` },
  });
  expect(await response.json()).toMatchObject({ path: '/_jar/inbox/demo/orders', body: '{"order":7}' });
});
