import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore, onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';
import { applied, type DeltaRow, round } from './sync.ts';

const VIEW = '/v1.0/me/calendarView/delta?startDateTime=2026-03-01T00:00:00Z&endDateTime=2026-03-15T00:00:00Z';

const at = (day: string, hour = '10') => ({ dateTime: `2026-${day}T${hour}:00:00`, timeZone: 'UTC' });
const meeting = (subject: string, day: string) => ({ subject, start: at(day), end: at(day, '11') });
const daily = (subject: string, day: string, count: number) => ({
  ...meeting(subject, day),
  recurrence: {
    pattern: { type: 'daily', interval: 1 },
    range: { type: 'numbered', startDate: `2026-${day}`, numberOfOccurrences: count },
  },
});
const short = (rows: readonly DeltaRow[]) =>
  rows.map((row) => (row['@removed'] ? '@removed' : (row.subject ?? `${row.type}`)));

onBothStores('delta of events', (bench) => {
  let client: Client;

  beforeEach(async () => {
    await bench.jar.reset();
    client = await graphClient(bench);
  });

  const post = (event: object, calendar = '') => client.api(`/me${calendar}/events`).post(event);

  it('a view has the events within its window: single events, masters, and short rows for their occurrences', async () => {
    await post(meeting('Before', '02-20'));
    await post(meeting('Single', '03-03'));
    const { id } = await post(daily('Series', '03-10', 10));
    const first = await round(bench, VIEW, { headers: { prefer: 'odata.maxpagesize=3' } });
    expect(first.pages).toBe(3);
    expect(short(first.rows)).toEqual(['Single', 'Series', ...Array(5).fill('occurrence')]);
    expect(first.rows[1]).toMatchObject({ '@odata.type': '#microsoft.graph.event', id, type: 'seriesMaster' });
    expect(first.rows[2]).toEqual({
      '@odata.type': '#microsoft.graph.event',
      '@odata.etag': expect.any(String),
      id: expect.any(String),
      seriesMasterId: id,
      type: 'occurrence',
      start: { dateTime: '2026-03-10T10:00:00.0000000', timeZone: 'UTC' },
      end: { dateTime: '2026-03-10T11:00:00.0000000', timeZone: 'UTC' },
    });
    expect((await round(bench, first.link)).rows).toEqual([]);
  });

  it('later rounds have changed and removed events, and those that have left the window', async () => {
    const single = await post(meeting('Single', '03-03'));
    const other = await post(meeting('Other', '03-04'));
    const series = await post(daily('Series', '03-10', 3));
    const first = await round(bench, VIEW);
    const occurrence = first.rows.at(-1) as DeltaRow;
    await client.api(`/me/events/${single.id}`).patch({ start: at('04-03'), end: at('04-03', '11') });
    await client.api(`/me/events/${other.id}`).delete();
    await client.api(`/me/events/${occurrence.id}`).delete();
    const outside = await post(meeting('Outside', '05-05'));
    const second = await round(bench, first.link);
    const removed = second.rows.filter((row) => row['@removed']).map(({ id }) => id);
    expect(removed.toSorted()).toEqual([single.id, other.id, occurrence.id, outside.id].toSorted());
    const left = second.rows.filter((row) => !row['@removed']);
    expect(short(left)).toEqual(['Series', 'occurrence', 'occurrence']);
    expect(left[0]).toMatchObject({ id: series.id });
    const changed = left.at(-1) as DeltaRow;
    await client.api(`/me/events/${changed.id}`).patch({ subject: 'Another subject' });
    const third = await round(bench, second.link);
    expect(third.rows).toContainEqual(
      expect.objectContaining({ id: changed.id, type: 'exception', subject: 'Another subject' }),
    );
  });

  it('a view has no occurrence that the series has lost: by another pattern, another day, an end, or its deletion', async () => {
    const series = await post(daily('Series', '03-02', 5));
    let { rows, link } = await round(bench, VIEW);
    let known = applied(new Map(), rows);
    const query = VIEW.slice(VIEW.indexOf('?'));
    const check = async () => {
      ({ rows, link } = await round(bench, link));
      known = applied(known, rows);
      const now = (await client.api(`/me/calendarView${query}&$top=100`).get()).value as DeltaRow[];
      const shown = [...known.values()].filter(({ type }) => type !== 'seriesMaster');
      expect(shown.map(({ id }) => id).toSorted()).toEqual(now.map(({ id }) => id).toSorted());
      return { removed: rows.filter((row) => row['@removed']).length, left: shown.length };
    };
    const change = (body: object, id = series.id) => client.api(`/me/events/${id}`).patch(body);
    const every = (interval: number, numberOfOccurrences: number, startDate = '2026-03-02') => ({
      recurrence: { pattern: { type: 'daily', interval }, range: { type: 'numbered', startDate, numberOfOccurrences } },
    });
    expect(await check()).toEqual({ removed: 0, left: 5 });
    await change(every(2, 5));
    expect(await check()).toEqual({ removed: 2, left: 5 });
    // Two changes within a round: the state that the client knows is decisive.
    await change(every(7, 5));
    await change(every(1, 2));
    expect(await check()).toEqual({ removed: 4, left: 2 });
    await change({ start: at('03-10'), end: at('03-10', '11') });
    expect(await check()).toEqual({ removed: 2, left: 2 });

    const moved = [...known.values()].findLast(({ type }) => type === 'occurrence') as DeltaRow;
    await change({ start: at('03-20'), end: at('03-20', '11') }, moved.id);
    await check();
    expect([...known.keys()]).not.toContain(moved.id);
    await client.api(`/me/events/${series.id}`).delete();
    // The occurrence that had moved is reported again.
    expect(await check()).toEqual({ removed: 3, left: 0 });
    expect(known.size).toBe(0);
  });

  it('former states of series are deleted after 30 days, and older tokens expire', async () => {
    const series = await post(daily('Series', '03-02', 5));
    const old = await round(bench, VIEW);
    await client.api(`/me/events/${series.id}`).patch(daily('Series', '03-02', 3));
    const { link } = await round(bench, old.link);
    await bench.jar.clock.advance('31d');
    expect((await bench.call('GET', old.link)).status).toBe(410);
    expect((await round(bench, link)).rows).toEqual([]);
  });

  it('a view is of one calendar, the list of events of one or of all', async () => {
    const calendar = await client.api('/me/calendars').post({ name: 'Team' });
    const inTeam = await post(meeting('In the team', '03-05'), `/calendars/${calendar.id}`);
    await post(meeting('Mine', '03-05'));
    const query = VIEW.slice(VIEW.indexOf('?'));
    expect(short((await round(bench, VIEW)).rows)).toEqual(['Mine']);
    expect(short((await round(bench, `/v1.0/me/calendars/${calendar.id}/calendarView/delta${query}`)).rows)).toEqual([
      'In the team',
    ]);
    const all = await round(bench, '/beta/me/events/delta');
    expect(all.rows.map((row) => Object.keys(row).toSorted())).toEqual(
      Array(2).fill(['@odata.etag', '@odata.type', 'end', 'id', 'start', 'type']),
    );
    const team = await round(bench, `/beta/me/calendars/${calendar.id}/events/delta`);
    expect(team.rows).toMatchObject([{ id: inTeam.id }]);
    await client.api(`/me/events/${inTeam.id}`).delete();
    for (const { link } of [all, team])
      expect((await round(bench, link)).rows).toMatchObject([{ id: inTeam.id, '@removed': { reason: 'deleted' } }]);
    const since = await round(bench, '/beta/me/events/delta?startDateTime=2026-03-06T00:00:00Z');
    expect(since.rows).toEqual([]);
    const calendars = await round(bench, '/beta/me/calendars/delta');
    expect(calendars.rows.map(({ name }) => name).toSorted()).toEqual(['Calendar', 'Team']);
    const names = await round(bench, '/beta/me/calendars/delta?$select=name');
    expect(names.rows.map((row) => Object.keys(row).toSorted())).toEqual(
      Array(2).fill(['@odata.id', '@odata.type', 'id', 'name']),
    );
    await client.api(`/me/calendars/${calendar.id}`).delete();
    expect((await round(bench, calendars.link)).rows).toMatchObject([{ id: calendar.id, '@removed': {} }]);
  });
});

onAnyStore('options of delta of events', (bench) => {
  beforeEach(() => bench.jar.reset());

  describe.each([
    ['/v1.0/me/calendarView/delta', 'ErrorInvalidParameter'],
    ['/v1.0/me/calendarView/delta?startDateTime=2026-01-01T00:00:00Z', 'ErrorInvalidParameter'],
    ['/v1.0/me/calendarView/delta?startDateTime=2026-01-01&endDateTime=2036-01-01', 'ErrorInvalidRequest'],
    [`${VIEW}&$select=subject`, 'ErrorInvalidUrlQuery'],
    [`${VIEW}&$filter=isAllDay eq true`, 'ErrorInvalidUrlQuery'],
    [`${VIEW}&$top=5`, 'ErrorInvalidUrlQuery'],
    [`${VIEW}&$orderby=subject`, 'ErrorInvalidUrlQuery'],
    [`${VIEW}&$expand=attachments`, 'ErrorInvalidUrlQuery'],
    [`${VIEW}&changeType=created`, 'ErrorInvalidUrlQuery'],
    ['/beta/me/events/delta?$select=subject', 'ErrorInvalidUrlQuery'],
    ['/beta/me/calendars/delta?$filter=isDefaultCalendar eq true', 'ErrorInvalidUrlQuery'],
    ['/beta/me/calendars/delta?$select=nonsense', 'RequestBroker--ParseUri'],
    ['/beta/me/events/delta?startDateTime=soon', 'ErrorInvalidParameter'],
    ['/beta/me/events/delta?endDateTime=2026-01-01', 'ErrorInvalidUrlQuery'],
  ])('GET %s', (address, code) => {
    it(`is refused as ${code}`, async () => {
      expect(await bench.call('GET', address.replaceAll(' ', '%20'))).toMatchObject({
        status: 400,
        body: { error: { code } },
      });
    });
  });
});
