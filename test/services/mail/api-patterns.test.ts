import { expect, it } from 'vitest';
import { readPath } from '../../../src/services/mail/api/path.ts';
import { readPreferences } from '../../../src/services/mail/api/preferences.ts';
import { normalValue } from '../../../src/services/mail/extras/property-value.ts';
import { readContainerId, readId } from '../../../src/services/mail/mailbox/ids.ts';
import { countStyleSheetLoads, filterStyle } from '../../../src/services/mail/page/body/style-attribute.ts';

const BLANKS = ' '.repeat(50_000);

it.each([
  ['outlook.timezone="Pacific Standard Time"', { zone: 'America/Los_Angeles', zoneName: 'Pacific Standard Time' }],
  ["outlook.timezone = 'UTC' , odata.maxpagesize=5", { zone: 'UTC', pageSize: 5 }],
  ['IdType="ImmutableId"; outlook.body-content-type=text', { immutableIds: true, body: 'text' }],
  [`a=${BLANKS}"x, odata.maxpagesize=7`, { pageSize: 7 }],
  [`a${BLANKS}"x, odata.maxpagesize=7`, { pageSize: 7 }],
])('preferences are read in time that grows with their length: %.60s', (header, wanted) => {
  expect(readPreferences(header, 'GET')).toMatchObject(wanted);
});

it('arguments of functions are read in time that grows with their length', () => {
  const [view] = readPath([`reminderView(startDateTime='2026-01-01', endDateTime = x ${BLANKS})`])?.segments ?? [];
  expect(view?.args).toEqual({ startdatetime: '2026-01-01', enddatetime: 'x' });
  expect(readPath([`reminderView(a=${BLANKS}'x)`])?.segments[0]?.args).toBeUndefined();
});

it('ids and values of extended properties are read in time that grows with their length', () => {
  expect(readId(`${'='.repeat(1_000_000)}a`)).toBeUndefined();
  expect(readContainerId(`${'='.repeat(1_000_000)}a`)).toBeUndefined();
  expect(normalValue('Double', `${'1'.repeat(1_000_000)}x`)).toBeUndefined();
  expect(['1', '1.', '1.5', '.5', '-1.5e3', '.'].map((text) => normalValue('Double', text))).toEqual([
    '1',
    '1',
    '1.5',
    '0.5',
    '-1500',
    undefined,
  ]);
});

it('styles are read in time that grows with their length', () => {
  const blanks = ' '.repeat(1_000_000);
  expect(
    countStyleSheetLoads(`<style>url(${blanks}data:x) url(${blanks}"${blanks}https://x) @import "a"</style>`),
  ).toBe(2);
  const style = `background:url(${' '.repeat(9900)}`;
  for (let round = 0; round < 1000; round += 1) expect(filterStyle(style)).toEqual({ style: '', blocked: 1 });
});

it.each([
  ['color:rgb(1,2,3)', 'color:rgb(1,2,3)'],
  ['width:calc (1px + 2px)', 'width:calc (1px + 2px)'],
  ['width:calc(1px + (2px))', ''],
  ['width:other(1px)', ''],
  ['width:(1px)', ''],
  ['width:1px  (2px)', ''],
])('of functions in styles only those that load nothing stay: %s', (style, kept) => {
  expect(filterStyle(style).style).toBe(kept);
});
