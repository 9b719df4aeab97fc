import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';

const EVENTS = '/beta/me/events';
const at = (dateTime: string, timeZone = 'Europe/Berlin') => ({ dateTime, timeZone });

/** Mondays, Wednesdays and Fridays of May 2026 at nine: 4, 6, 8, 11, 13, 15, 18, ... */
const SERIES = {
  subject: 'Series',
  location: { displayName: 'Room 1' },
  start: at('2026-05-04T09:00:00'),
  end: at('2026-05-04T10:00:00'),
  recurrence: {
    pattern: { type: 'weekly', interval: 1, daysOfWeek: ['monday', 'wednesday', 'friday'] },
    range: { type: 'endDate', startDate: '2026-05-04', endDate: '2026-05-29' },
  },
};

onAnyStore('occurrences of a series', (bench) => {
  let master: { id: string; uid: string };

  beforeEach(async () => {
    await bench.jar.reset();
    master = (await bench.call('POST', EVENTS, { body: SERIES })).body;
  });

  const key = (day: string) => `${EVENTS}/OID.${master.id}.${day}`;
  const patch = (path: string, body: object) => bench.call('PATCH', path, { body });
  const days = async () =>
    (
      await bench.call(
        'GET',
        `${EVENTS}/${master.id}/instances?startDateTime=2026-05-01T00:00:00Z&endDateTime=2026-06-15T00:00:00Z&$top=100`,
      )
    ).body.value.map(
      ({ start, subject, type }: { start: { dateTime: string }; subject: string; type: string }) =>
        `${start.dateTime.slice(8, 16)} ${subject} ${type}`,
    );

  describe('an occurrence stays between the days of its neighbours', () => {
    // The occurrence of Wednesday 6; the one of Friday 8 was moved to Saturday 9.
    it.each([
      ['to the day before', '2026-05-05T23:59:00', 200],
      ['to the day of the one before', '2026-05-04T23:00:00', 400],
      ['to before the one before', '2026-05-01T09:00:00', 400],
      ['to where the next one was before it moved', '2026-05-08T09:00:00', 200],
      ['to the day to which the next one has moved', '2026-05-09T08:00:00', 400],
      ['to behind the next one', '2026-05-10T09:00:00', 400],
      ['to another time of its day', '2026-05-06T22:00:00', 200],
    ])('moved %s (%s): %i', async (_, start, status) => {
      expect(
        (await patch(key('2026-05-08'), { start: at('2026-05-09T09:00:00'), end: at('2026-05-09T10:00:00') })).status,
      ).toBe(200);
      const moved = await patch(key('2026-05-06'), { start: at(start), end: at(start) });
      expect(moved.status).toBe(status);
      if (status === 400) expect(moved.body.error.code).toBe('ErrorOccurrenceCrossingBoundary');
    });

    it('the first may be earlier and the last one later without end, and deleted neighbours do not count', async () => {
      const early = { start: at('2026-01-01T09:00:00'), end: at('2026-01-01T10:00:00') };
      expect((await patch(key('2026-05-04'), early)).status).toBe(200);
      const late = { start: at('2026-12-01T09:00:00'), end: at('2026-12-01T10:00:00') };
      expect((await patch(key('2026-05-29'), late)).status).toBe(200);
      await bench.call('DELETE', key('2026-05-11'));
      expect(
        (await patch(key('2026-05-13'), { start: at('2026-05-11T09:00:00'), end: at('2026-05-11T10:00:00') })).status,
      ).toBe(200);
      const window = 'startDateTime=2025-12-01T00:00:00Z&endDateTime=2026-02-01T00:00:00Z';
      expect((await bench.call('GET', `/beta/me/calendarView?${window}`)).body.value).toHaveLength(1);
    });
  });

  it('a deleted occurrence is not found by its id, but by its occurrence id', async () => {
    const { id } = (await bench.call('GET', key('2026-05-06'))).body;
    expect((await bench.call('DELETE', `${EVENTS}/${id}`)).status).toBe(204);
    for (const [method, path] of [
      ['GET', `${EVENTS}/${id}`],
      ['PATCH', `${EVENTS}/${id}`],
      ['DELETE', key('2026-05-06')],
    ] as const)
      expect((await bench.call(method, path, { ...(method === 'PATCH' && { body: {} }) })).status).toBe(404);
    expect((await bench.call('GET', key('2026-05-06'))).body).toMatchObject({ id, isCancelled: true });
    const cancelled = [`OID.${master.id}.2026-05-06`];
    expect((await bench.call('GET', `${EVENTS}/${master.id}?$select=cancelledOccurrences`)).body).toMatchObject({
      cancelledOccurrences: cancelled,
    });
    expect((await bench.call('GET', `${EVENTS}/${master.id}/cancelledOccurrences`)).body.value).toEqual(cancelled);
    expect((await bench.call('GET', `${EVENTS}/${master.id}`)).body).not.toHaveProperty('cancelledOccurrences');
    expect(await days()).not.toContainEqual(expect.stringMatching(/^06/));
  });

  it('a recurrence cannot be given to an occurrence, but the null that it shows can be sent back', async () => {
    const refused = await patch(key('2026-05-06'), { recurrence: SERIES.recurrence });
    expect([refused.status, refused.body.error.code]).toEqual([400, 'ErrorInvalidRequest']);
    const shown = (await bench.call('GET', key('2026-05-06'))).body;
    const same = await patch(key('2026-05-06'), { recurrence: null, subject: shown.subject, start: shown.start });
    expect([same.status, same.body.type]).toEqual([200, 'occurrence']);
  });

  it('a change of the series keeps the changes of its exceptions', async () => {
    await patch(key('2026-05-06'), { subject: 'Mine' });
    await patch(key('2026-05-08'), { location: { displayName: 'Room 2' } });
    await bench.call('DELETE', key('2026-05-11'));
    await patch(`${EVENTS}/${master.id}`, { subject: 'Theirs', location: { displayName: 'Room 3' } });
    expect((await bench.call('GET', key('2026-05-06'))).body).toMatchObject({
      subject: 'Mine',
      location: { displayName: 'Room 3' },
      type: 'exception',
    });
    expect((await bench.call('GET', key('2026-05-08'))).body).toMatchObject({
      subject: 'Theirs',
      location: { displayName: 'Room 2' },
    });
    expect((await days()).slice(0, 4)).toEqual([
      '04T07:00 Theirs occurrence',
      '06T07:00 Mine exception',
      '08T07:00 Theirs exception',
      '13T07:00 Theirs occurrence',
    ]);
    const listed = (await bench.call('GET', `${EVENTS}/${master.id}/exceptionOccurrences`)).body.value;
    expect(listed.map(({ subject }: { subject: string }) => subject)).toEqual(['Mine', 'Theirs']);
    const expanded = await bench.call(
      'GET',
      `/v1.0/me/events/${master.id}?$expand=exceptionOccurrences($select=subject)`,
    );
    expect(expanded.body.exceptionOccurrences).toHaveLength(2);
  });

  it.each([
    ['start', { start: at('2026-05-04T08:00:00') }, ['04T06:00', '06T06:00', '08T06:00', '11T06:00']],
    ['end', { end: at('2026-05-04T12:00:00') }, ['04T07:00', '06T07:00', '08T07:00', '11T07:00']],
    [
      'recurrence',
      {
        recurrence: {
          range: { type: 'numbered', startDate: '2026-05-04', numberOfOccurrences: 4 },
          pattern: { type: 'daily', interval: 2 },
        },
      },
      ['04T07:00', '06T07:00', '08T07:00', '10T07:00'],
    ],
  ])('a new %s of the series drops exceptions and brings deleted occurrences back', async (_, change, first) => {
    await patch(key('2026-05-06'), { subject: 'Mine' });
    await bench.call('DELETE', key('2026-05-08'));
    expect((await patch(`${EVENTS}/${master.id}`, change)).status).toBe(200);
    expect((await days()).slice(0, 4)).toEqual(first.map((start) => `${start} Series occurrence`));
  });

  it('times that a client sends back unchanged, in any zone, change nothing', async () => {
    await patch(key('2026-05-06'), { subject: 'Mine' });
    const { start, end, recurrence, isAllDay } = (await bench.call('GET', `${EVENTS}/${master.id}`)).body;
    const again = await patch(`${EVENTS}/${master.id}`, { start, end, recurrence, isAllDay, subject: 'Other' });
    expect([again.status, again.body.originalStartTimeZone]).toEqual([200, 'Europe/Berlin']);
    expect((await bench.call('GET', key('2026-05-06'))).body.subject).toBe('Mine');
  });

  it('without its recurrence a series is a single event, and with one it is a series again', async () => {
    const single = await patch(`${EVENTS}/${master.id}`, { recurrence: null });
    expect(single.body).toMatchObject({ type: 'singleInstance', recurrence: null, id: master.id });
    expect((await bench.call('GET', key('2026-05-06'))).status).toBe(404);
    const series = await patch(`${EVENTS}/${master.id}`, { recurrence: SERIES.recurrence });
    expect(series.body.type).toBe('seriesMaster');
    expect(await days()).toHaveLength(12);
  });

  it('a moved start begins the recurrence on its day, at the first day that the pattern has', async () => {
    const moved = await patch(`${EVENTS}/${master.id}`, {
      start: at('2026-05-12T15:00:00'),
      end: at('2026-05-12T16:00:00'),
    });
    expect(moved.body).toMatchObject({
      start: { dateTime: '2026-05-13T13:00:00.0000000' },
      end: { dateTime: '2026-05-13T14:00:00.0000000' },
      recurrence: { range: { startDate: '2026-05-12' } },
    });
  });

  it('a series whose recurrence is in another zone than its start keeps the time of day of that zone', async () => {
    const body = {
      start: at('2026-10-20T07:00:00', 'UTC'),
      end: at('2026-10-20T08:00:00', 'UTC'),
      recurrence: {
        pattern: { type: 'daily', interval: 1 },
        range: {
          type: 'numbered',
          startDate: '2026-10-20',
          numberOfOccurrences: 8,
          recurrenceTimeZone: 'Europe/Berlin',
        },
      },
    };
    const { id } = (await bench.call('POST', EVENTS, { body })).body;
    const window = 'startDateTime=2026-10-24T00:00:00Z&endDateTime=2026-10-27T00:00:00Z';
    const found = (await bench.call('GET', `${EVENTS}/${id}/instances?${window}`)).body.value;
    expect(found.map(({ start }: { start: { dateTime: string } }) => start.dateTime.slice(0, 16))).toEqual([
      '2026-10-24T07:00',
      '2026-10-25T08:00',
      '2026-10-26T08:00',
    ]);
  });
});
