import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore, onBothStores } from '../../../support/jars.ts';

const at = (dateTime: string, timeZone = 'UTC') => ({ dateTime, timeZone });
const between = (from: string, to: string) => `startDateTime=${from}&endDateTime=${to}`;

onAnyStore('the window of a calendar view', (bench) => {
  beforeEach(() => bench.jar.reset());

  const add = (subject: string, start: string, end: string, more: object = {}) =>
    bench.call('POST', '/v1.0/me/events', { body: { subject, start: at(start), end: at(end), ...more } });
  const view = (query: string, headers: Record<string, string> = {}) =>
    bench.call('GET', `/v1.0/me/calendarView?${query}`, { headers });
  const subjects = async (query: string, headers: Record<string, string> = {}) =>
    (await view(query, headers)).body.value.map(({ subject }: { subject: string }) => subject);

  it.each([
    ['ends where the event starts', '08:00', '09:00', false],
    ['ends a minute later', '08:00', '09:01', true],
    ['starts where the event ends', '10:00', '11:00', false],
    ['starts a minute earlier', '09:59', '11:00', true],
    ['is inside of the event', '09:15', '09:30', true],
    ['is around the event', '00:00', '23:00', true],
  ])('a window that %s', async (_, from, to, isIn) => {
    await add('Event', '2026-05-04T09:00:00', '2026-05-04T10:00:00');
    const found = await subjects(between(`2026-05-04T${from}:00Z`, `2026-05-04T${to}:00Z`));
    expect(found).toEqual(isIn ? ['Event'] : []);
  });

  it.each([
    ['starts with it', '09:00', '10:00', true],
    ['ends with it', '08:00', '09:00', false],
    ['is around it', '08:00', '10:00', true],
  ])('an event without length is in a window that %s: %s to %s, %s', async (_, from, to, isIn) => {
    await add('Moment', '2026-05-04T09:00:00', '2026-05-04T09:00:00');
    const found = await subjects(between(`2026-05-04T${from}:00Z`, `2026-05-04T${to}:00Z`));
    expect(found).toEqual(isIn ? ['Moment'] : []);
  });

  it('an offset counts, even where its plus sign arrives as a blank, and without one it is UTC whatever zone is preferred', async () => {
    await add('Event', '2026-05-04T09:00:00', '2026-05-04T10:00:00');
    const pacific = { prefer: 'outlook.timezone="Pacific Standard Time"' };
    expect(await subjects(between('2026-05-04T11:00:00%2B02:00', '2026-05-04T12:00:00%2B02:00'))).toEqual(['Event']);
    expect(await subjects(between('2026-05-04T11:00:00+02:00', '2026-05-04T12:00:00+02:00'))).toEqual(['Event']);
    expect(await subjects(between('2026-05-04T09:00:00', '2026-05-04T10:00:00'), pacific)).toEqual(['Event']);
    expect(await subjects(between('2026-05-04', '2026-05-05'))).toEqual(['Event']);
  });

  it('all-day events are placed in the zone that the client prefers', async () => {
    await add('Day', '2026-05-04T00:00:00', '2026-05-05T00:00:00', { isAllDay: true });
    const hour = between('2026-05-05T05:00:00Z', '2026-05-05T06:00:00Z');
    expect(await subjects(hour)).toEqual([]);
    expect(await subjects(hour, { prefer: 'outlook.timezone="Pacific Standard Time"' })).toEqual(['Day']);
  });

  describe('refusals', () => {
    it.each([
      ['no start', 'endDateTime=2026-05-04', 'ErrorInvalidParameter'],
      ['no end', 'startDateTime=2026-05-04', 'ErrorInvalidParameter'],
      ['no date', between('soon', '2026-05-04'), 'ErrorInvalidParameter'],
      ['the end before the start', between('2026-05-05', '2026-05-04'), 'ErrorInvalidParameter'],
      ['1826 days', between('2026-01-01', '2031-01-01'), 'ErrorInvalidRequest'],
      ['a search', `${between('2026-05-04', '2026-05-05')}&$search="x"`, 'SearchEvents'],
      [
        'the time of creation selected',
        `${between('2026-05-04', '2026-05-05')}&$select=createdDateTime`,
        'ErrorInvalidUrlQuery',
      ],
      ['a page of 1001', `${between('2026-05-04', '2026-05-05')}&$top=1001`, 'ErrorInvalidUrlQuery'],
    ])('%s', async (_, query, code) => {
      const { status, body } = await view(query);
      expect([status, body.error?.code]).toEqual([400, code]);
    });

    it('1825 days are allowed', async () => {
      expect((await view(between('2026-01-01', '2030-12-31'))).status).toBe(200);
      expect((await view(between('2026-01-01', '2030-12-31T00:00:01'))).status).toBe(400);
    });

    it('only a series has instances', async () => {
      const { id } = (await add('Event', '2026-05-04T09:00:00', '2026-05-04T10:00:00')).body;
      const path = `/v1.0/me/events/${id}/instances?${between('2026-05-04', '2026-05-05')}`;
      expect((await bench.call('GET', path)).body.error.code).toBe('ErrorInvalidRequest');
    });
  });
});

onBothStores('pages of a calendar view', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('single events and occurrences are ordered by start, ten on a page, and can be filtered and ordered', async () => {
    const daily = {
      subject: 'Daily',
      start: at('2026-05-01T09:00:00'),
      end: at('2026-05-01T09:15:00'),
      recurrence: { pattern: { type: 'daily', interval: 1 }, range: { type: 'noEnd', startDate: '2026-05-01' } },
    };
    const { id } = (await bench.call('POST', '/v1.0/me/events', { body: daily })).body;
    for (const [subject, day] of [
      ['Zulu', '03'],
      ['Alfa', '20'],
    ])
      await bench.call('POST', '/v1.0/me/calendar/events', {
        body: { subject, start: at(`2026-05-${day}T08:00:00`), end: at(`2026-05-${day}T20:00:00`) },
      });
    const window = between('2026-05-01', '2026-06-01');
    const first = (await bench.call('GET', `/v1.0/me/calendarView?${window}&$count=true`)).body;
    expect(first['@odata.context']).toMatch(/\$metadata#users\('[^']+'\)\/calendarView$/);
    expect(first['@odata.count']).toBe(33);
    expect(first.value.map(({ subject }: { subject: string }) => subject)).toEqual([
      'Daily',
      'Daily',
      'Zulu',
      ...Array.from({ length: 7 }, () => 'Daily'),
    ]);
    expect(first['@odata.nextLink']).toContain('$skip=10');
    const seen = new Set<string>();
    for (let next: string | undefined = `/v1.0/me/calendarView?${window}&$top=7&$select=id`; next; ) {
      const page: { value: { id: string }[]; '@odata.nextLink'?: string } = (await bench.call('GET', next)).body;
      for (const each of page.value) seen.add(each.id);
      next = page['@odata.nextLink'];
    }
    expect(seen.size).toBe(33);
    const asked = async (query: string) =>
      (await bench.call('GET', `/v1.0/me/calendarView?${window}&$top=100&${query}`)).body.value;
    expect(await asked("$filter=type eq 'singleInstance'&$orderby=subject")).toMatchObject([
      { subject: 'Alfa' },
      { subject: 'Zulu' },
    ]);
    expect(await asked(`$filter=seriesMasterId eq '${id}'`)).toHaveLength(31);
    expect(await asked("$filter=start/dateTime ge '2026-05-30T09:00:00'")).toHaveLength(2);
    expect((await asked('$orderby=start/dateTime desc'))[0].start.dateTime).toBe('2026-05-31T09:00:00.0000000');
    expect((await asked("$filter=subject eq 'Zulu'&$expand=calendar"))[0].calendar.name).toBe('Calendar');
    const calendar = (await bench.call('GET', '/v1.0/me/calendar')).body;
    const inCalendar = (await bench.call('GET', `/v1.0/me/calendars/${calendar.id}/calendarView?${window}&$top=100`))
      .body;
    expect(inCalendar.value).toHaveLength(33);
    const other = (await bench.call('POST', '/v1.0/me/calendars', { body: { name: 'Other' } })).body;
    expect((await bench.call('GET', `/v1.0/me/calendars/${other.id}/calendarView?${window}`)).body.value).toEqual([]);
  });

  it('reminders are those of the events in the window, and can be snoozed and dismissed', async () => {
    const post = async (subject: string, hour: string, more: object = {}) =>
      (
        await bench.call('POST', '/v1.0/me/events', {
          body: { subject, start: at(`2026-05-04T${hour}:00:00`), end: at(`2026-05-04T${hour}:30:00`), ...more },
        })
      ).body.id;
    const [first, second] = [await post('First', '09'), await post('Second', '10', { reminderMinutesBeforeStart: 30 })];
    await post('Silent', '11', { isReminderOn: false });
    const reminders = async () =>
      (
        await bench.call(
          'GET',
          "/v1.0/me/reminderView(StartDateTime='2026-05-04T00:00:00',EndDateTime='2026-05-05T00:00:00')",
        )
      ).body.value.map(({ eventSubject, reminderFireTime }: Record<string, { dateTime: string }>) => [
        eventSubject,
        reminderFireTime?.dateTime.slice(11, 16),
      ]);
    expect(await reminders()).toEqual([
      ['First', '08:45'],
      ['Second', '09:30'],
    ]);
    expect((await bench.call('POST', `/v1.0/me/events/${first}/dismissReminder`)).status).toBe(200);
    const later = { newReminderTime: at('2026-05-04T09:50:00') };
    expect((await bench.call('POST', `/v1.0/me/events/${second}/snoozeReminder`, { body: later })).status).toBe(200);
    expect(await reminders()).toEqual([['Second', '09:50']]);
    expect((await bench.call('POST', `/v1.0/me/events/${second}/snoozeReminder`, { body: {} })).status).toBe(400);
  });
});
