import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openJar, type RunningJar } from '../../../src/jar/index.ts';
import { loadConfig } from '../../../src/kernel/config.ts';
import { snapshotErrors } from '../../../src/kernel/snapshots/errors.ts';
import { blocksOf, runShell, runTypeScript } from '../../docs/examples.ts';

const PAGE = 'docs/snapshots.md';
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

test('the commands of the page do what it shows', async () => {
  const [commands] = (await blocksOf(PAGE)).filter(({ marked }) => marked);
  const shown = await runShell(commands?.code ?? '', { CLOUDJAR_DATA: folder, CLOUDJAR_URL: jar.url });
  const saved = /^before-the-test {2}\S+Z {2}\d+ documents {2}\d+ kB$/;
  expect(shown.trimEnd().split('\n')).toEqual([
    expect.stringMatching(saved),
    expect.stringMatching(saved),
    expect.stringMatching(/^back to before-the-test; it is \S+Z in the jar$/),
    'before-the-test is deleted',
  ]);
});

test('the TypeScript of the page runs', async () => {
  const [block] = (await blocksOf(PAGE)).filter(({ language }) => language === 'ts');
  expect(await runTypeScript(block?.code ?? '')).toBe('2026-01-31T09:00:00.000Z\n');
});

test('the page has every error', async () => {
  const text = await readFile(new URL(`../../../${PAGE}`, import.meta.url), 'utf8');
  for (const code of Object.keys(snapshotErrors)) expect(text).toContain(`| \`${code}\` |`);
});
