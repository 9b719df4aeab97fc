import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openJar, type RunningJar } from '../../../../src/jar/index.ts';
import { loadConfig } from '../../../../src/kernel/config.ts';
import { ALLOWED_OUTPUTS } from '../../../../src/services/events/forms.ts';
import { INPUT_INVALID, publishErrors } from '../../../../src/services/events/publish/errors.ts';
import { EVENT_DATA } from '../../../../src/services/events/publish/family.ts';
import { PUBLISH_LIMITS } from '../../../../src/services/events/publish/limits.ts';
import { blocksOf, runShell, runTypeScript } from '../../../docs/examples.ts';

const PAGE = 'docs/events-publishing.md';
let page: string;
let folder: string;
let jar: RunningJar;

beforeAll(async () => {
  page = await readFile(new URL(`../../../../${PAGE}`, import.meta.url), 'utf8');
  folder = await mkdtemp(join(tmpdir(), 'cloudjar-publishing-'));
  const flags = { port: 0, httpsPort: 0, data: folder, logLevel: 'error', engine: 'simulated' };
  jar = await openJar({ config: loadConfig({ flags, env: {}, cwd: folder }) });
});
afterAll(async () => {
  await jar.close();
  await rm(folder, { recursive: true });
});

const here = (code: string): string =>
  code.replaceAll('http://127.0.0.1:7400', jar.url).replaceAll('https://localhost:7443', jar.httpsUrl);
const env = () => ({ CLOUDJAR_DATA: folder, CLOUDJAR_URL: jar.url, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') });

it('the shell of the page about publishing does what it shows', async ({ skip }) => {
  if (spawnSync('curl', ['--version']).status !== 0) skip('curl is not on the PATH');
  const blocks = await blocksOf(PAGE);
  const commands = blocks.filter(({ marked }) => marked).map(({ code }) => code);
  expect(commands).toHaveLength(4);
  const shown = blocks.filter(({ language }) => language === 'console' || language === 'json').map(({ code }) => code);
  expect(shown).toHaveLength(3);
  const printed = await runShell(here(commands.join('\n')), env(), folder);
  expect(printed.replaceAll(/\}(?=200)/g, '}\n')).toBe(shown.join(''));
});

it('the TypeScript of the page about publishing runs', async () => {
  const blocks = (await blocksOf(PAGE)).filter(({ language }) => language === 'ts');
  expect(blocks).toHaveLength(1);
  const token = (await runShell('npx cloudjar token', env(), folder)).trim();
  const credential = `const credential = { getToken: async () => ({ token: ${JSON.stringify(token)}, expiresOnTimestamp: Date.now() + 3.6e6 }) };\n`;
  const [imports, ...rest] = here(blocks[0]?.code ?? '').split('\n\n') as [string, ...string[]];
  expect(await runTypeScript(`${imports}\n${credential}${rest.join('\n\n')}`, env())).toBe('published\n');
});

it('the page names every error, limit and schema', () => {
  const names = [
    ...Object.keys(publishErrors),
    INPUT_INVALID,
    EVENT_DATA.codes.bodyTooLarge,
    EVENT_DATA.codes.methodNotAllowed,
    ...PUBLISH_LIMITS.map(({ name }) => name),
    ...Object.keys(ALLOWED_OUTPUTS),
    ...Object.values(ALLOWED_OUTPUTS).flat(),
  ];
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

it('the page says which schema becomes which', () => {
  for (const [input, outputs] of Object.entries(ALLOWED_OUTPUTS)) {
    expect(page).toContain(`| \`${input}\` | ${outputs.map((each) => `\`${each}\``).join(', ')} |`);
  }
});
