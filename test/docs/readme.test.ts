import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openJar, type RunningJar } from '../../src/jar/index.ts';
import { loadConfig } from '../../src/kernel/config.ts';
import { VERSION } from '../../src/version.ts';
import { blocksOf, runShell, runTypeScript } from './examples.ts';

let folder: string;
let jar: RunningJar;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloudjar-docs-'));
  const config = loadConfig({
    flags: { port: 0, httpsPort: 0, data: folder, logLevel: 'error', engine: 'simulated' },
    env: {},
    cwd: folder,
  });
  jar = await openJar({ config });
});
afterAll(async () => {
  await jar.close();
  await rm(folder, { recursive: true });
});

const here = (code: string): string =>
  code.replaceAll('http://127.0.0.1:7400', jar.url).replaceAll('https://localhost:7443', jar.httpsUrl);
const env = () => ({ CLOUDJAR_DATA: folder, CLOUDJAR_URL: jar.url, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') });

it('the two-minute tour of the README does what it shows', async ({ skip }) => {
  if (spawnSync('curl', ['--version']).status !== 0) skip('curl is not on the PATH');
  const tour = (await blocksOf('README.md')).filter(({ marked }) => marked);
  expect(tour).toHaveLength(7);
  const shown = await runShell(here(tour.map(({ code }) => code).join('\necho\n')), env(), folder);
  expect(shown).toContain('"type":"Vendor.Resources/resourceGroups","location":"westeurope","tags":{"env":"demo"}');
  expect(shown).toMatch(/it is \S+Z in the jar; \d+ due items ran on the way/);
  expect(shown).toContain('"code":"ExpiredAuthenticationToken"');
  expect(shown).toContain('back to the seed');
  expect(shown).toContain(`"state":"Running"}\n{"content":"hello from hello\\n"}`);
  expect(shown).toMatch(
    /inbox\/orders {2}200: delivered by policy events.webhook \(1 attempt\)\n\S.*inbox\/orders {2}200 with the validation code that was sent \(1 attempt\)\n/,
  );
  expect(shown).toMatch(/"clientState":"ours"\n"number":"\S+"\nit is/);
  expect(shown).toMatch(/inbox\/books {2}200: delivered by policy business.webhook \(1 attempt\)\n/);
  expect(shown).toMatch(
    /HTTP\/1.1 429 Too Many Requests\s+retry-after: 1\s+x-cloudjar-fault: \w+\s+\{"error":\{"code":"TooManyRequests"/,
  );
  expect(shown).toMatch(/HTTP\/1.1 200 OK\s+1 fault is taken back/);
});

it('the TypeScript of the README runs', async () => {
  const blocks = (await blocksOf('README.md')).filter(({ language }) => language === 'ts');
  expect(blocks).toHaveLength(2);
  for (const { code } of blocks) await runTypeScript(here(code), env());
});

it.each([
  ['docs/resources.md', 'demo\n'],
  ['docs/containers.md', 'hello\n\n'],
])('the example of %s runs', async (page, shown) => {
  const [block] = (await blocksOf(page)).filter(({ language }) => language === 'ts');
  const credential = `const credential = { getToken: async () => ({ token: ${JSON.stringify(await token())}, expiresOnTimestamp: Date.now() + 3.6e6 }) };\n`;
  const [imports, ...rest] = here(block?.code ?? '').split('\n\n') as [string, ...string[]];
  expect(await runTypeScript(`${imports}\n${credential}${rest.join('\n\n')}`, env())).toBe(shown);
});

it('the version is the same everywhere', async () => {
  const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(VERSION).toBe(manifest.version);
});

async function token(): Promise<string> {
  const response = await fetch(`${jar.url}/_jar/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${jar.adminKey}` },
  });
  return ((await response.json()) as { access_token: string }).access_token;
}
