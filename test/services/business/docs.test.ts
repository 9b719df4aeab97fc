import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { settingsCalls } from '../../../src/kernel/settings/control.ts';
import { changeControl } from '../../../src/services/business/control/changes-routes.ts';
import { subscriptionControl } from '../../../src/services/business/control/subscription-routes.ts';
import { errors } from '../../../src/services/business/errors.ts';
import { BUSINESS_APPLICATION } from '../../../src/services/business/index.ts';
import { settingsRules } from '../../../src/services/business/settings-schema.ts';
import { BUSINESS_SETTINGS } from '../../../src/services/business/settings-table.ts';
import { blocksOf } from '../../docs/examples.ts';
import { needCurl, PageJar } from '../../docs/page-jar.ts';

const PAGE = 'docs/services/business.md';
const read = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
const page = read(PAGE);
const others = ['entities', 'webhooks', 'batch-and-limits'].map((part) => `business-${part}.md`);
const all = [page, ...others.map((file) => read(`docs/services/${file}`))].join('\n');

describe('the pages about the business application', () => {
  const codes = new Set(Object.keys(errors).map((name) => name.split('__')[0] as string));
  it.each([...codes])('name the error %s', (code) => {
    expect(page.includes(`\`${code}\``)).toBe(true);
  });

  it.each((BUSINESS_APPLICATION.limits ?? []).map(({ name }) => name))('name the limit %s', (name) => {
    expect(all.includes(`\`${name}\``)).toBe(true);
  });

  it.each([...(BUSINESS_APPLICATION.policies ?? [])])('name the policy %s', (name) => {
    expect(all.includes(name)).toBe(true);
  });

  it.each(Object.keys(settingsRules.schema.properties))('name the setting %s', (name) => {
    expect(all.toLowerCase().includes(name.toLowerCase())).toBe(true);
  });

  const settingsControl = Object.values(settingsCalls(BUSINESS_SETTINGS));
  it.each([...settingsControl, ...subscriptionControl, ...changeControl].map(({ method, path }) => [method, path]))(
    'name the call %s %s, here and among those of the control API',
    (_method, path) => {
      expect(all.includes(path)).toBe(true);
      expect(read('docs/reference/control.md').includes(path)).toBe(true);
    },
  );

  it.each(others)('are linked from the first of them: %s', (file) => {
    expect(page.includes(`](${file})`)).toBe(true);
  });
});

it('the example of the first page does what it shows', async ({ skip }) => {
  needCurl(skip);
  await using page = await PageJar.open();
  const [example, console] = await blocksOf(PAGE);
  expect(await page.shell(example?.code ?? '')).toBe(console?.code);
});
