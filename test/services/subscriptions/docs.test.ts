import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { settingsCalls } from '../../../src/kernel/settings/control.ts';
import { formatDuration } from '../../../src/kernel/time/index.ts';
import { DEV_TEST_QUOTA_ID, PRODUCTION_QUOTA_IDS } from '../../../src/services/subscriptions/billing/offers.ts';
import { subscriptionErrors } from '../../../src/services/subscriptions/errors.ts';
import { SUBSCRIPTIONS } from '../../../src/services/subscriptions/index.ts';
import { RESOURCE_TYPES } from '../../../src/services/subscriptions/names.ts';
import { SUBSCRIPTIONS_SETTINGS } from '../../../src/services/subscriptions/settings-table.ts';
import { STATES } from '../../../src/services/subscriptions/states.ts';
import { startJar } from '../../../src/testing/index.ts';
import { blocksOf } from '../../docs/examples.ts';
import { markedCode, needCurl, PageJar, shownBy, typeScriptOf, withCredential } from '../../docs/page-jar.ts';
import { seedFile } from './support.ts';

const PAGE = 'docs/services/subscriptions.md';
const read = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
const page = read(PAGE);

const errors = Object.values(subscriptionErrors).map((make) =>
  (make as (values: object) => { code: string; status: number })({}),
);
const states = Object.entries(STATES).flatMap(([field, rows]) =>
  Object.entries(rows).map(([state, when]) => ({ field, state, row: `| \`${field}\` | \`${state}\` | ${when} |` })),
);

describe('the page about subscriptions', () => {
  it.each(errors)('has the error $code with its status', ({ code, status }) => {
    expect(page).toContain(`| \`${code}\` | ${status} |`);
  });

  it.each(states)('has the state $state of $field, and when there is it', ({ row }) => {
    expect(page).toContain(row);
  });

  it('has no states but those', () => {
    const rows = page.match(/^\| `(provisioningState|acceptOwnershipState|state)` \| `/gm);
    expect(rows).toHaveLength(states.length);
  });

  it.each(Object.entries(SUBSCRIPTIONS_SETTINGS.defaults))('has the setting %s with its default', (name, ms) => {
    expect(page).toContain(`| \`${name}\` | ${formatDuration(ms)} |`);
  });

  it.each((SUBSCRIPTIONS.limits ?? []).map(({ name }) => name))(
    'has the limit %s, as the page of all limits has',
    (name) => {
      expect(page).toContain(`| \`${name}\` | bucket |`);
      expect(read('docs/reference/limits.md')).toContain(`\`${name}\``);
    },
  );

  it.each(Object.values(PRODUCTION_QUOTA_IDS))('has the offer %s beside that for tests', (quotaId) => {
    expect(page).toContain(`| \`${quotaId}\` | \`${DEV_TEST_QUOTA_ID}\` |`);
  });

  it.each([...new Set(RESOURCE_TYPES.flatMap(({ apiVersions }) => apiVersions))])('has the version %s', (version) => {
    expect(page).toContain(`\`${version}\``);
  });

  it.each(Object.values(settingsCalls(SUBSCRIPTIONS_SETTINGS)).map(({ path }) => path))(
    'has the call %s, which is among those of the control API',
    (path) => {
      expect(page).toContain(path);
      expect(read('docs/reference/control.md')).toContain(path);
    },
  );
});

it('the example for a shell does what it shows', async ({ skip }) => {
  needCurl(skip);
  await using opened = await PageJar.open();
  expect((await blocksOf(PAGE)).filter(({ marked }) => marked)).toHaveLength(1);
  expect(await opened.shell(await markedCode(PAGE))).toBe(await shownBy(PAGE, 'console'));
});

it('the example for the official client does what it shows', async () => {
  await using opened = await PageJar.open();
  const token = (await opened.shell('npx cloudjar token')).trim();
  expect(await opened.typeScript(withCredential(await typeScriptOf(PAGE), token))).toBe('Succeeded\n');
});

it('the example of the seed file is one', async () => {
  const blocks = await blocksOf('docs/reference/seed.md');
  const example = blocks.find(({ code }) => code.includes('"billingAccounts"'));
  await using jar = await startJar({ seed: seedFile(JSON.parse(example?.code ?? '')) });
  const response = await fetch(`${jar.url}/providers/Vendor.Billing/billingAccounts?api-version=2024-04-01`, {
    headers: { authorization: `Bearer ${await jar.token()}` },
  });
  expect(await response.json()).toMatchObject({ value: [{ name: 'acme' }] });
});
