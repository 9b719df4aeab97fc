import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { arrived, inShort, subscribed, told } from './support.ts';

onBothStores('notifications of events', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('name the event, and of a series the master', async () => {
    const { jar } = bench;
    await subscribed(bench, { resource: 'me/events' });
    await subscribed(bench, {
      resource: "me/events?$filter=showAs eq 'free'",
      notificationUrl: jar.inbox('free').httpsUrl,
    });
    const time = (hour: string) => ({ dateTime: `2026-03-02T${hour}:00:00`, timeZone: 'UTC' });
    const { body } = await bench.call('POST', '/v1.0/me/events', {
      body: {
        subject: 'Series',
        start: time('10'),
        end: time('11'),
        recurrence: {
          pattern: { type: 'daily', interval: 1 },
          range: { type: 'numbered', startDate: '2026-03-02', numberOfOccurrences: 3 },
        },
      },
    });
    const window = 'startDateTime=2026-03-03T00:00:00Z&endDateTime=2026-03-04T00:00:00Z';
    const occurrences = (await bench.call('GET', `/v1.0/me/calendarView?${window}`)).body.value;
    await bench.call('PATCH', `/v1.0/me/events/${occurrences[0].id}`, { body: { subject: 'Another' } });
    await bench.call('PATCH', `/v1.0/me/events/${body.id}`, { body: { showAs: 'free' } });
    await bench.call('DELETE', `/v1.0/me/events/${body.id}`);
    await arrived(bench);
    const all = await told(jar.inbox('changes'));
    expect(inShort(all, [body.id])).toEqual(['created 1', 'updated 1', 'updated 1', 'deleted 1']);
    expect(all[0]).toMatchObject({
      resource: expect.stringMatching(/^Users\/[0-9a-f-]{36}\/Events\//),
      resourceData: { '@odata.type': '#Microsoft.Graph.Event' },
    });
    expect(inShort(await told(jar.inbox('free')), [body.id])).toEqual(['created 1', 'deleted 1']);
  });
});
