import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Application } from '../../../src/kernel/auth/directory.ts';
import { ERROR_TABLE } from '../../../src/services/identity/errors.ts';
import { blocksOf } from '../../docs/examples.ts';
import { withPageJar } from '../../docs/page-jar.ts';
import { control } from './support.ts';

const PAGE = 'docs/services/identity.md';
const guide = await readFile(new URL(`../../../${PAGE}`, import.meta.url), 'utf8');
const programs = (await blocksOf(PAGE)).filter(({ marked }) => marked).map(({ code }) => code);
const page = withPageJar();

test('the guide has programs to run', () => {
  expect(programs.length).toBeGreaterThanOrEqual(3);
});

test.each(programs.map((code) => [code.split('\n', 1)[0], code] as const))(
  'the guide shows a program that works: %s',
  async (_, code) => {
    const { opened } = page;
    expect(await opened.typeScript(code, { CLOUDJAR_ADMIN_KEY: opened.jar.adminKey })).toBe('');
  },
);

test('the guide lists every error, as it is told', () => {
  const rows = Object.values(ERROR_TABLE).map(
    ([number, code, , message]) => `| ${number} | \`${code}\` | ${message} |`,
  );
  for (const row of rows) expect(guide).toContain(row);
});

test('the guide lists the seeded users and applications', async () => {
  const people = (await control(page.opened.jar, 'GET', 'users')).body.value as { id: string; username: string }[];
  for (const { id, username } of people.filter((each) => !each.username.startsWith('zoe'))) {
    expect(guide).toContain(`| \`${username}\` | \`${id}\` |`);
  }
  const registered = (await control(page.opened.jar, 'GET', 'applications')).body.value as Application[];
  for (const { id, alias, redirectUris } of registered.filter((each) => each.displayName !== 'My page')) {
    expect(guide).toContain(`| \`${alias}\` | \`${id}\` |`);
    for (const uri of redirectUris) expect(guide).toContain(`\`${uri}\``);
  }
});
