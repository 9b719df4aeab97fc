import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eventControlErrors } from '../../../src/services/events/control/errors.ts';
import { EVENT_CONTROL } from '../../../src/services/events/control/routes.ts';
import { EVENT_POLICIES, WEB_HOOK } from '../../../src/services/events/delivering/policies.ts';
import { eventErrors } from '../../../src/services/events/errors.ts';
import { EVENT_PUBLISHING, EVENTS } from '../../../src/services/events/index.ts';
import { INPUT_INVALID, publishErrors } from '../../../src/services/events/publish/errors.ts';
import { SettingsSchema } from '../../../src/services/events/settings-schema.ts';
import { EVENT_SETTINGS } from '../../../src/services/events/settings-table.ts';
import { DEFAULT_TRACES } from '../../../src/services/events/traces.ts';
import { blocksOf } from '../../docs/examples.ts';
import { markedCode, needCurl, PageJar } from '../../docs/page-jar.ts';

const PAGE = 'docs/services/events.md';
const read = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
const page = read(PAGE);
const PARTS = ['topics', 'system-topics', 'subscriptions', 'publishing', 'filters', 'destinations', 'partners'];
const others = PARTS.map((part) => ({
  file: `events-${part}.md`,
  text: read(`docs/services/events-${part}.md`),
}));
const all = [page, ...others.map(({ text }) => text)].join('\n');

const LIMITS = [...(EVENTS.limits ?? []), ...(EVENT_PUBLISHING.limits ?? [])];
const CODES = [
  ...[eventErrors, publishErrors, eventControlErrors].flatMap((table) => Object.keys(table)),
  INPUT_INVALID,
];

const UNITS = [
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

/** In the notation of the page: `30 s`, `5 min`. */
function spoken(ms: number): string {
  const [size, name] = UNITS.find(([each]) => ms % each === 0) ?? UNITS[2];
  return `${ms / size} ${name}`;
}

describe('the pages about events', () => {
  it.each(CODES)('name the error %s', (code) => {
    expect(all.includes(`\`${code}\``)).toBe(true);
  });

  it.each(LIMITS.map(({ name }) => name))('name the limit %s', (name) => {
    expect(all.includes(`\`${name}\``)).toBe(true);
  });

  it.each(Object.keys({ ...SettingsSchema.properties, ...EVENT_SETTINGS.rows }))(
    'name the setting %s where all are',
    (name) => {
      expect(page.includes(`| \`${name}\` |`)).toBe(true);
    },
  );

  it.each(EVENT_POLICIES.map(({ name }) => name))('name the policy %s', (name) => {
    expect(all.includes(`\`${name}\``) || all.includes(`policy=${name}`)).toBe(true);
  });

  it.each(EVENT_CONTROL.map(({ method, path }) => [method, path.replace('{queue}', '{id}')]))(
    'name the call %s %s, here and among those of the control API',
    (method, path) => {
      expect(all.includes(`\`${method} ${path}`)).toBe(true);
      expect(read('docs/reference/control.md').includes(path)).toBe(true);
    },
  );

  it.each(others)('are linked from the first of them: $file', ({ file }) => {
    expect(page.includes(`](${file})`)).toBe(true);
  });

  it('state the schedule, the limits and the probation of web hooks', () => {
    const { schedule, maxAttempts, timeToLiveMs = 0, jitter = 0, timeoutMs = 0, circuit } = WEB_HOOK;
    const last = spoken(schedule.at(-1) ?? 0);
    expect(page).toContain(`at once, then after ${schedule.slice(0, -1).map(spoken).join(', ')}, then every ${last}`);
    expect(page).toContain(`up to ${jitter * 100} % is added`);
    expect(page).toContain(`\`maxDeliveryAttempts\` (${maxAttempts})`);
    expect(page).toContain(`\`eventTimeToLiveInMinutes\` (${timeToLiveMs / 60_000})`);
    expect(page).toContain(`| timeout of an attempt | ${spoken(timeoutMs)} |`);
    const [first = 0, ...further] = circuit?.probationMs ?? [];
    expect(page).toContain(`for ${spoken(first)}, then ${further.map(spoken).join(', ')},`);
  });

  it('state how many events are kept', () => {
    expect(page).toContain(`The newest ${DEFAULT_TRACES.toLocaleString('en')} events are kept`);
  });
});

it('the example of the page about events does what it shows', async ({ skip }) => {
  needCurl(skip);
  await using page = await PageJar.open();
  expect((await blocksOf(PAGE)).filter(({ marked }) => marked)).toHaveLength(1);
  const shown = await page.shell(await markedCode(PAGE));
  expect(shown).toContain('"provisioningState":"Succeeded"\n"aeg-subscription-name":"RED"\n');
  expect(shown).toMatch(/delivered {6}\S+inbox\/red {2}200: delivered by policy events\.webhook \(1 attempt\)\n/);
  expect(shown).toMatch(/delivered {6}\S+inbox\/red {2}200 with the validation code that was sent \(1 attempt\)\n/);
});

it('the example of the page about system topics does what it shows', async ({ skip }) => {
  needCurl(skip);
  await using page = await PageJar.open();
  const shown = await page.shell(await markedCode('docs/services/events-system-topics.md'));
  expect(shown).toContain('"provisioningState":"Succeeded"');
  expect(shown).toContain('"type":"Vendor.Storage.BlobCreated","matched":1,"refused":0}],"matched":1}');
});
