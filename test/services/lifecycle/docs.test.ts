import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { numbersOf } from '../../../src/kernel/limits/table.ts';
import { controlErrors } from '../../../src/services/lifecycle/control/errors.ts';
import { lifecycleControl } from '../../../src/services/lifecycle/control/routes.ts';
import { errors } from '../../../src/services/lifecycle/errors.ts';
import { LIFECYCLE } from '../../../src/services/lifecycle/index.ts';
import { logErrors } from '../../../src/services/lifecycle/logs/errors.ts';
import { NEEDS, type NeedName, type Needs, traitsOf } from '../../../src/services/lifecycle/operation.ts';
import { lifecycleRoutes } from '../../../src/services/lifecycle/routes.ts';
import { SettingsSchema } from '../../../src/services/lifecycle/settings-schema.ts';
import { startJar } from '../../../src/testing/index.ts';
import { blocksOf, runTypeScript } from '../../docs/examples.ts';
import { markedCode, needCurl, PageJar, shownBy, typeScriptOf } from '../../docs/page-jar.ts';

const PAGE = 'docs/services/lifecycle.md';
const DATA_PAGE = 'docs/services/lifecycle-diagnostics.md';
const OPERATIONS_PAGE = 'docs/services/lifecycle-operations.md';
const read = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
const page = read(PAGE);

describe('the page about app lifecycle', () => {
  it.each([...Object.keys(errors), ...Object.values(LIFECYCLE.family.codes), ...Object.keys(controlErrors)])(
    'has the error %s',
    (code) => expect(page).toContain(`\`${code}\``),
  );

  it.each((LIFECYCLE.limits ?? []).map((limit) => ({ name: limit.name, limit })))(
    'has the limit $name with its number',
    ({ name, limit }) => {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? '';
      expect(row).toContain(`| ${limit.kind} | ${(numbersOf(limit).limit ?? 0).toLocaleString('en')} `);
    },
  );

  it.each(Object.keys(SettingsSchema.properties))('has the setting %s in its table', (name) => {
    expect(page).toContain(`| \`${name}\` |`);
  });

  it.each(lifecycleControl.map(({ method, path }) => [method, path]))(
    'has the call %s %s, which is among those of the control API',
    (method, path) => {
      expect(page).toContain(`| \`${method} ${path}\` |`);
      expect(read('docs/reference/control.md')).toContain(path);
    },
  );
});

it('the page of operations has each of them with its permissions, and no other', () => {
  const expected = lifecycleRoutes
    .filter(({ open }) => !open)
    .map((route) => {
      const needs: Needs = NEEDS[traitsOf(route).needs as NeedName];
      const role = needs.of === 'account' ? 'an account' : needs.role + (needs.orSelf ? ', or oneself' : '');
      const tick = needs.readOnlyTokens ? '✓' : '';
      return `| \`${route.method} ${route.path.replace('/v0.1', '')}\` | ${route.summary} | ${role} | ${tick} |`;
    });
  const rows = read(OPERATIONS_PAGE)
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect([...rows].sort()).toEqual([...expected].sort());
});

it.each(Object.keys(logErrors))('the page about crash reports and analytics has the error %s', (code) => {
  expect(read(DATA_PAGE)).toContain(`\`${code}\``);
});

it.for([PAGE, DATA_PAGE])('the examples for a shell in %s do what they show', async (name, { skip }) => {
  needCurl(skip);
  await using page = await PageJar.open();
  expect(await page.shell(await markedCode(name))).toBe(await shownBy(name, 'console'));
});

it('the example for a test does what it shows', async () => {
  expect(await runTypeScript(await typeScriptOf(PAGE))).toBe('acme\n');
});

it('the example of the seed file is one', async () => {
  const blocks = await blocksOf('docs/reference/seed.md');
  const example = blocks.find(({ language, code }) => language === 'json' && code.includes('"lifecycle"'));
  const folder = await mkdtemp(join(tmpdir(), 'cloudjar-lifecycle-'));
  try {
    await writeFile(join(folder, 'seed.json'), example?.code ?? '');
    await using jar = await startJar({ seed: join(folder, 'seed.json') });
    const { lifecycle: token } = await jar.keys();
    const answer = await fetch(`${jar.url}/v0.1/apps/acme/phone`, { headers: { 'x-api-token': token } });
    expect(await answer.json()).toMatchObject({ name: 'phone', owner: { name: 'acme', type: 'org' } });
  } finally {
    await rm(folder, { recursive: true });
  }
});
