import { expect, it } from 'vitest';
import { readPath } from '../../../src/services/mail/api/path.ts';
import { readPreferences } from '../../../src/services/mail/api/preferences.ts';

const BLANKS = ' '.repeat(50_000);

it.each([
  ['outlook.timezone="Pacific Standard Time"', { zone: 'America/Los_Angeles', zoneName: 'Pacific Standard Time' }],
  ["outlook.timezone = 'UTC' , odata.maxpagesize=5", { zone: 'UTC', pageSize: 5 }],
  ['IdType="ImmutableId"; outlook.body-content-type=text', { immutableIds: true, body: 'text' }],
  [`a=${BLANKS}"x, odata.maxpagesize=7`, { pageSize: 7 }],
  [`a${BLANKS}"x, odata.maxpagesize=7`, { pageSize: 7 }],
])('preferences are read in time that grows with their length: %.60s', (header, wanted) => {
  expect(readPreferences(header)).toMatchObject(wanted);
});

it('arguments of functions are read in time that grows with their length', () => {
  const [view] = readPath([`reminderView(startDateTime='2026-01-01', endDateTime = x ${BLANKS})`])?.segments ?? [];
  expect(view?.args).toEqual({ startdatetime: '2026-01-01', enddatetime: 'x' });
  expect(readPath([`reminderView(a=${BLANKS}'x)`])?.segments[0]?.args).toBeUndefined();
});
