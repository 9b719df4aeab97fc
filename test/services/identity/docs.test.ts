import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Application } from '../../../src/kernel/auth/directory.ts';
import { ERROR_TABLE } from '../../../src/services/identity/errors.ts';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { control } from './support.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const guide = await readFile(join(ROOT, 'docs/identity.md'), 'utf8');
const programs = [...guide.matchAll(/<!-- runs -->\n```js\n(.*?)```/gs)].map(([, code = '']) => code);

let jar: TestJar;
let folder: string;
beforeAll(async () => {
  jar = await startJar();
  folder = await mkdtemp(join(tmpdir(), 'cloudjar-guide-'));
  await writeFile(join(folder, 'ca.pem'), jar.ca);
});
afterAll(async () => {
  await jar.close();
  await rm(folder, { recursive: true });
});

test('the guide has programs to run', () => {
  expect(programs.length).toBeGreaterThanOrEqual(3);
});

test.each(programs.map((code) => [code.split('\n', 1)[0], code] as const))(
  'the guide shows a program that works: %s',
  async (_, code) => {
    const here = code.replaceAll('https://localhost:7443', jar.httpsUrl).replaceAll('http://127.0.0.1:7400', jar.url);
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'), CLOUDJAR_ADMIN_KEY: jar.adminKey };
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', here], { cwd: ROOT, env });
  },
);

test('the guide lists every error, as it is told', () => {
  const rows = Object.values(ERROR_TABLE).map(
    ([number, code, , message]) => `| ${number} | \`${code}\` | ${message} |`,
  );
  for (const row of rows) expect(guide).toContain(row);
});

test('the guide lists who is there from the start', async () => {
  const people = (await control(jar, 'GET', 'users')).body.value as { id: string; username: string }[];
  for (const { id, username } of people.filter((each) => !each.username.startsWith('zoe'))) {
    expect(guide).toContain(`| \`${username}\` | \`${id}\` |`);
  }
  const registered = (await control(jar, 'GET', 'applications')).body.value as Application[];
  for (const { id, alias, redirectUris } of registered.filter((each) => each.displayName !== 'My page')) {
    expect(guide).toContain(`| \`${alias}\` | \`${id}\` |`);
    for (const uri of redirectUris) expect(guide).toContain(`\`${uri}\``);
  }
});
