import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { blocksOf } from './examples.ts';
import { markedCode, needCurl, typeScriptOf, withCredential, withPageJar } from './page-jar.ts';

const jar = withPageJar();

it('the two-minute tour of the README does what it shows', async ({ skip }) => {
  needCurl(skip);
  const tour = (await blocksOf('README.md')).filter(({ marked }) => marked);
  expect(tour).toHaveLength(9);
  // The certificate is created on the first use of HTTPS.
  const before = [...(await readdir(jar.opened.folder)), 'server.key', 'server.pem'];
  const shown = await jar.opened.shell(await markedCode('README.md'));
  expect(shown.endsWith('\n')).toBe(true);
  expect((await readdir(jar.opened.folder)).filter((name) => !before.includes(name))).toEqual([]);
  expect(shown).toContain('"type":"Vendor.Resources/resourceGroups","location":"westeurope","tags":{"env":"demo"}');
  expect(shown).toMatch(
    /the jar's time is \S+Z; \d+ due items ran\n200\n\{"error":\{"code":"ExpiredAuthenticationToken"/,
  );
  expect(shown).toContain('reset to the seed');
  expect(shown).toContain(`"state":"Running"}\n{"content":"hello from hello\\n"}`);
  expect(shown).toMatch(
    /inbox\/orders {2}200: delivered by policy events.webhook \(1 attempt\)\n\S.*inbox\/orders {2}200 with the validation code that was sent \(1 attempt\)\n/,
  );
  expect(shown).toMatch(/"clientState":"ours"\n"number":"\S+"\nthe jar.s time is/);
  expect(shown).toMatch(/inbox\/books {2}200: delivered by policy business.webhook \(1 attempt\)\n/);
  expect(shown).toMatch(
    /"response":"notResponded"\n"response":"accepted"\nadmin@vendor\.example {2}carol@fabrikam\.example {2}Accepted: Review\n/,
  );
  expect(shown).toMatch(/5 "result_state":"SUCCESS"\n/);
  expect(shown).toMatch(
    /HTTP\/1.1 429 Too Many Requests\s+retry-after: 1\s+x-cloudjar-fault: \w+\s+\{"error":\{"code":"TooManyRequests"/,
  );
  expect(shown).toMatch(/HTTP\/1.1 200 OK\s+1 fault is removed/);
});

it('the TypeScript of the README runs', async () => {
  const blocks = (await blocksOf('README.md')).filter(({ language }) => language === 'ts');
  expect(blocks).toHaveLength(2);
  for (const { code } of blocks) await jar.opened.typeScript(code);
});

it.each([
  ['docs/services/resources.md', 'demo\n'],
  ['docs/services/containers.md', 'hello\n\n'],
])('the example of %s runs', async (page, shown) => {
  expect(await jar.opened.typeScript(withCredential(await typeScriptOf(page), await token()))).toBe(shown);
});

it('the version is the same everywhere', async () => {
  const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(VERSION).toBe(manifest.version);
});

async function token(): Promise<string> {
  const { url, adminKey } = jar.opened.jar;
  const response = await fetch(`${url}/_jar/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}` },
  });
  return ((await response.json()) as { access_token: string }).access_token;
}
