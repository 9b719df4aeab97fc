import { describe, expect, it } from 'vitest';
import { onBothStores, withJar } from '../../../support/jars.ts';
import { control, event, makeTopic, publish, subscribe, type Topic, webHook } from '../delivering/grid.ts';

onBothStores('the traces of events', (bench) => {
  let topic: Topic;
  const green = { advancedFilters: [{ operatorType: 'StringIn', key: 'data.color', values: ['green'] }] };

  it('say which subscriptions an event was delivered to, and why not to others', async () => {
    topic = await makeTopic(bench);
    await subscribe(bench, topic.id, 'all', { destination: webHook(bench.jar.inbox('all').httpsUrl) });
    await subscribe(bench, topic.id, 'green', {
      destination: webHook(bench.jar.inbox('green').httpsUrl),
      filter: green,
    });
    await publish(bench, topic, event({ id: 'one', data: { color: 'red' } }));
    const { body: list } = await control(bench, 'events/traces?eventId=one');
    expect(list.value).toEqual([
      expect.objectContaining({
        topic: topic.id,
        eventType: 'Shop.OrderPlaced',
        matched: [{ subscription: expect.stringMatching(/\/all$/), delivery: expect.any(String) }],
        refused: 1,
      }),
    ]);
    const { body: trace } = await control(bench, `events/traces/${list.value[0].id}`);
    expect(trace.subscriptions).toEqual([
      { subscription: expect.stringMatching(/\/all$/), matches: true },
      {
        subscription: expect.stringMatching(/\/green$/),
        matches: false,
        reason: expect.stringMatching(/data\.color is 'red'.*'green'/),
      },
    ]);
    const { body: delivery } = await control(bench, `deliveries/${list.value[0].matched[0].delivery}`);
    expect(delivery.subject).toBe('Shop.OrderPlaced one');
  });

  it('come in pages, the newest first, of one topic on request', async () => {
    await publish(bench, topic, ...Array.from({ length: 250 }, (_, i) => event({ id: `p${i}` })));
    await publish(bench, topic, event({ id: 'last' }));
    const other = await makeTopic(bench, 'others');
    await publish(bench, other, event({ id: 'elsewhere' }));
    const ids: string[] = [];
    for (let next: string | undefined = `events/traces?$top=60&topic=${topic.id.toLowerCase()}`; next; ) {
      const { body, status } = await control(bench, next);
      expect(status).toBe(200);
      ids.push(...body.value.map(({ eventId }: { eventId: string }) => eventId));
      next = body.nextLink?.replace(/^.*\/_jar\//, '');
    }
    expect(ids).toEqual(['last', ...Array.from({ length: 250 }, (_, i) => `p${249 - i}`), 'one']);
    const { body } = await control(bench, 'events/traces?$top=1');
    expect(body.value[0]).toMatchObject({ eventId: 'elsewhere', matched: [], refused: 0 });
  });

  it('explain an event that was never published', async () => {
    const asked = { topic: topic.id, eventType: 'X', data: { color: 'GREEN' } };
    const { body } = await control(bench, 'events/explain', 'POST', asked);
    expect(body.subscriptions.map(({ matches }: { matches: boolean }) => matches)).toEqual([true, true]);
  });

  it.each([
    ['events/traces/none', 404, 'TraceNotFound'],
    ['events/traces/none.0', 404, 'TraceNotFound'],
    ['events/traces?$skiptoken=x', 400, 'BadSkipToken'],
    ['events/traces?evntId=x', 400, 'InvalidQuery'],
  ])('refuse %s with %d', async (path, status, code) => {
    const answer = await control(bench, path);
    expect(answer.status).toBe(status);
    expect(answer.body.error.code).toBe(code);
  });
});

describe('traces', () => {
  withJar(
    (bench) => {
      it('are kept of the newest events only', async () => {
        const topic = await makeTopic(bench);
        for (let i = 0; i < 3; i++)
          await publish(bench, topic, ...Array.from({ length: 500 }, (_, n) => event({ id: `${i}-${n}` })));
        await bench.jar.settled();
        const { body } = await control(bench, 'events/traces?$top=500');
        expect(body.value[0].eventId).toBe('2-499');
        expect((await control(bench, 'events/traces?eventId=0-0')).body.value).toEqual([]);
      });
    },
    { settings: { events: { traces: 300 } } },
  );
});
