import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';

const BERLIN = 'W. Europe Standard Time';

onBothStores('a series of events', (bench) => {
  let client: Client;

  beforeEach(async () => {
    await bench.jar.reset();
    client = await graphClient(bench, { version: 'beta' });
  });

  const series = () =>
    client.api('/me/events').post({
      subject: 'Standup',
      start: { dateTime: '2026-03-23T09:00:00', timeZone: BERLIN },
      end: { dateTime: '2026-03-23T09:30:00', timeZone: BERLIN },
      recurrence: {
        pattern: { type: 'weekly', interval: 1, daysOfWeek: ['monday', 'thursday'] },
        range: { type: 'endDate', startDate: '2026-03-23', endDate: '2026-04-09' },
      },
    });

  const view = async (select = 'subject,start,end,type') =>
    (
      await client
        .api('/me/calendarView')
        .query({ startDateTime: '2026-03-01T00:00:00Z', endDateTime: '2026-05-01T00:00:00Z' })
        .select(select)
        .get()
    ).value;

  it('keeps its time of day over a change of the clocks, lets one occurrence move and another go, and ends with its deletion', async () => {
    const master = await series();
    expect(master).toMatchObject({
      type: 'seriesMaster',
      subject: 'Standup',
      originalStartTimeZone: BERLIN,
      start: { dateTime: '2026-03-23T08:00:00.0000000', timeZone: 'UTC' },
      recurrence: {
        pattern: {
          type: 'weekly',
          interval: 1,
          month: 0,
          dayOfMonth: 0,
          daysOfWeek: ['monday', 'thursday'],
          firstDayOfWeek: 'sunday',
          index: 'first',
        },
        range: {
          type: 'endDate',
          startDate: '2026-03-23',
          endDate: '2026-04-09',
          recurrenceTimeZone: BERLIN,
          numberOfOccurrences: 0,
        },
      },
    });
    const before = await view();
    expect(before.map(({ start }: { start: { dateTime: string } }) => start.dateTime.slice(0, 16))).toEqual([
      '2026-03-23T08:00',
      '2026-03-26T08:00',
      '2026-03-30T07:00',
      '2026-04-02T07:00',
      '2026-04-06T07:00',
      '2026-04-09T07:00',
    ]);
    expect(new Set(before.map(({ type }: { type: string }) => type))).toEqual(new Set(['occurrence']));

    const moved = await client.api(`/me/events/${before[2].id}`).patch({
      start: { dateTime: '2026-03-31T10:00:00', timeZone: BERLIN },
      end: { dateTime: '2026-03-31T11:00:00', timeZone: BERLIN },
    });
    expect(moved).toMatchObject({
      id: before[2].id,
      type: 'exception',
      seriesMasterId: master.id,
      originalStart: '2026-03-30T07:00:00Z',
      occurrenceId: `OID.${master.id}.2026-03-30`,
    });
    await client.api(`/me/events/${before[3].id}`).delete();
    await expect(client.api(`/me/events/${before[3].id}`).get()).rejects.toMatchObject({
      statusCode: 404,
      code: 'ErrorItemNotFound',
    });
    expect(await client.api(`/me/events/OID.${master.id}.2026-04-02`).get()).toMatchObject({ isCancelled: true });
    const selected = await client
      .api(`/me/events/${master.id}`)
      .select('subject,cancelledOccurrences,exceptionOccurrences')
      .get();
    expect(selected.cancelledOccurrences).toEqual([`OID.${master.id}.2026-04-02`]);
    expect(selected.exceptionOccurrences).toMatchObject([{ id: moved.id, type: 'exception' }]);

    await client.api(`/me/events/${master.id}`).patch({ subject: 'Weekly' });
    const after = await view();
    expect(
      after.map(({ start, subject, type }: { start: { dateTime: string }; subject: string; type: string }) => [
        start.dateTime.slice(5, 16),
        subject,
        type,
      ]),
    ).toEqual([
      ['03-23T08:00', 'Weekly', 'occurrence'],
      ['03-26T08:00', 'Weekly', 'occurrence'],
      ['03-31T08:00', 'Weekly', 'exception'],
      ['04-06T07:00', 'Weekly', 'occurrence'],
      ['04-09T07:00', 'Weekly', 'occurrence'],
    ]);
    const instances = await client
      .api(`/me/events/${master.id}/instances`)
      .query({ startDateTime: '2026-03-24T00:00:00Z', endDateTime: '2026-04-06T07:00:00Z' })
      .get();
    expect(instances.value).toHaveLength(2);

    await client.api(`/me/events/${master.id}`).patch({
      start: { dateTime: '2026-03-23T14:00:00', timeZone: BERLIN },
      end: { dateTime: '2026-03-23T14:30:00', timeZone: BERLIN },
    });
    expect(await view()).toHaveLength(6);
    const listed = await client.api('/me/events').filter("start/dateTime ge '2026-03-23T13:00'").get();
    expect(listed.value).toMatchObject([{ id: master.id, type: 'seriesMaster' }]);
    await client.api(`/me/events/${master.id}`).delete();
    expect(await view()).toEqual([]);
  });
});
