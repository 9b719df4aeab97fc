import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadYaml } from '@kubernetes/client-node';
import { expect, it, onTestFinished } from 'vitest';
import { chooseEngine, readOptions } from '../../scripts/lib/image-plan.mjs';
import { describeFailure } from '../../scripts/lib/npm.mjs';
import { cacheFolder } from '../../scripts/lib/platform.mjs';
import { chooseRuntime } from '../../scripts/lib/runtime.mjs';
import { loadConfig } from '../../src/kernel/config/config.ts';
import { SETTINGS } from '../../src/kernel/config/settings.ts';
import { blocksOf, runShell } from './examples.ts';
import { markedCode, withPageJar } from './page-jar.ts';

const textOf = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = textOf('docs/guides/install.md');
const jar = withPageJar();

it('the commands for a jar in the background do what docs/guides/install.md says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cloudjar-install-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const shown = await runShell(
    await markedCode('docs/guides/install.md'),
    { CLOUDJAR_DATA: join(folder, 'data') },
    folder,
  );
  expect(shown).toMatch(/^cloudjar ready on http:\/\/127\.0\.0\.1:\d+$/m);
  expect(shown).toMatch(/the jar on http:\/\/127\.0\.0\.1:\d+ \(process \d+\) has stopped/);
});

it('the copy before an upgrade is made as docs/guides/upgrading.md says', async () => {
  const shown = await jar.opened.shell(await markedCode('docs/guides/upgrading.md'));
  expect(shown).toContain('before-upgrade');
});

it('every variable that the page names is one of the table of settings, or of the action and the client', () => {
  const known = [...Object.values(SETTINGS).map(({ env }) => env), 'CLOUDJAR_URL', 'CLOUDJAR_CA', 'CLOUDJAR_IMAGE'];
  expect([...new Set(page.match(/\bCLOUDJAR_[A-Z_]+/g))].filter((name) => !known.includes(name))).toEqual([]);
});

it('the workflow of the page uses inputs that the action has, and the table has all of them', async () => {
  interface Workflow {
    readonly jobs: { readonly test: { readonly steps: readonly { readonly uses?: string; readonly with?: object }[] } };
  }
  const { inputs, outputs } = loadYaml<{ inputs: object; outputs: object }>(textOf('action.yml'));
  const [block] = (await blocksOf('docs/guides/install.md')).filter(({ language }) => language === 'yaml');
  const steps = loadYaml<Workflow>(block?.code ?? '').jobs.test.steps;
  const given = steps.find(({ uses }) => uses?.includes('/cloudjar@'))?.with ?? {};
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
  const rows = [...page.matchAll(/^\| `(\w+)` \| /gm)].map(([, name]) => name);
  expect(rows).toEqual(Object.keys(inputs));
  for (const name of Object.keys(outputs)) expect(page).toContain(`\`${name}\``);
});

it('the messages, ports and folders of the page are those of the program', async () => {
  expect(page).toContain(describeFailure('install', 1, 'ENOTFOUND').split('. npm said')[0]);
  const none = chooseRuntime({ platform: 'win32', arch: 'arm64', version: 'v20.1.0' });
  expect(page).toContain(none.kind === 'none' ? none.reason : '?');
  const { port, httpsPort, smtpPort } = loadConfig({ env: {}, flags: {}, cwd: '/' });
  expect([...page.matchAll(/^\| (\d+) \| /gm)].map(([, number]) => Number(number))).toEqual([
    port,
    httpsPort,
    smtpPort,
  ]);
  for (const [platform, home] of [
    ['linux', '~'],
    ['darwin', '~'],
  ] as const)
    expect(page).toContain(`\`${cacheFolder({ platform, env: {}, home })}\``);
  expect(page).toContain(
    `\`${cacheFolder({ platform: 'win32', env: { LOCALAPPDATA: '%LOCALAPPDATA%' }, home: '' })}\``,
  );
});

it('the options of npm run image are those of the page', async () => {
  const rows = [...page.matchAll(/^\| `--(\w+) (\S+?)`/gm)];
  expect(rows.map(([, name]) => name)).toEqual(['base', 'engine', 'arch', 'name', 'mirror']);
  const args = rows.flatMap(([, name = '', value = '']) => [`--${name}`, value.toLowerCase()]);
  const { engine } = readOptions(args, 'x64');
  expect(await chooseEngine(engine, async () => true)).toBe('podman');
});
