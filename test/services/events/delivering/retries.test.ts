import { describe, expect, it } from 'vitest';
import { onAnyStore, withJar } from '../../../support/jars.ts';
import { control, event, makeTopic, publish, subscribe, type Topic, webHook } from './grid.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const SCHEDULE = [
  10 * SECOND,
  30 * SECOND,
  MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
];
const JITTER = 1.05;

const DEAD_LETTERS = {
  endpointType: 'StorageBlob',
  properties: {
    resourceId:
      '/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups/shop/providers/Vendor.Storage/storageAccounts/store',
    blobContainerName: 'undelivered',
  },
};

onAnyStore('an endpoint that fails', (bench) => {
  let topic: Topic;
  const timesOf = async (inbox: string) =>
    (await bench.jar.inbox(inbox).requests()).filter(({ handshake }) => !handshake).map(({ at }) => Date.parse(at));
  const gaps = (times: readonly number[]) => times.slice(1).map((time, i) => time - (times[i] ?? 0));

  it('is attempted on the whole schedule, with a little jitter, until the day is over', async () => {
    topic = await makeTopic(bench);
    const inbox = bench.jar.inbox('failing');
    await subscribe(bench, topic.id, 'failing', {
      destination: webHook(inbox.httpsUrl),
      deadLetterDestination: DEAD_LETTERS,
    });
    await inbox.respond({ status: 500 });
    const sent = event();
    const published = bench.jar.clock.now().toISOString();
    await publish(bench, topic, sent);
    await bench.jar.clock.advance('2d');
    const between = gaps(await timesOf('failing'));
    expect(between).toHaveLength(SCHEDULE.length);
    for (const [i, delay] of SCHEDULE.entries()) {
      expect(between[i]).toBeGreaterThanOrEqual(delay);
      expect(between[i]).toBeLessThanOrEqual(delay * JITTER);
    }
    const { body } = await control(bench, 'deliveries?state=dead-lettered');
    expect(body.value[0]).toMatchObject({ cause: 'expired', attempts: 11, policy: 'events.webhook' });
    const { body: queues } = await control(bench, 'events/queues');
    const { body: letters } = await control(bench, `events/queues/${queues.value[0].id}/messages`);
    expect(letters.value[0].body).toEqual([
      {
        ...sent,
        topic: topic.id,
        metadataVersion: '1',
        deadLetterReason: 'TimeToLiveExceeded',
        deliveryAttempts: 11,
        lastDeliveryOutcome: 'Busy',
        lastHttpStatusCode: 500,
        publishTime: published,
        lastDeliveryAttemptTime: new Date((await timesOf('failing')).at(-1) ?? 0).toISOString(),
      },
    ]);
  });

  it('is abandoned after as many attempts as its subscription allows', async () => {
    const inbox = bench.jar.inbox('thrice');
    await subscribe(bench, topic.id, 'thrice', {
      destination: webHook(inbox.httpsUrl),
      retryPolicy: { maxDeliveryAttempts: 3 },
      deadLetterDestination: DEAD_LETTERS,
    });
    await inbox.respond({ status: 502 });
    await publish(bench, topic, event({ id: 'thrice' }));
    await bench.jar.clock.advance('1h');
    expect(await timesOf('thrice')).toHaveLength(3);
    const { body } = await control(bench, "deliveries?state=dead-lettered&$filter=endswith(subject,'thrice')");
    expect(body.value[0]).toMatchObject({ cause: 'exhausted', attempts: 3 });
    expect(body.value[0].rule).toContain('attempt 3 was the last');
  });

  it('gets nothing after the time to live, whichever comes first', async () => {
    const inbox = bench.jar.inbox('brief');
    await subscribe(bench, topic.id, 'brief', {
      destination: webHook(inbox.httpsUrl),
      retryPolicy: { maxDeliveryAttempts: 30, eventTimeToLiveInMinutes: 2 },
    });
    await inbox.respond({ status: 500 });
    await publish(bench, topic, event({ id: 'brief' }));
    await bench.jar.clock.advance('1h');
    // Attempts at 0 s, 10 s, 40 s and 100 s; the next would be after two minutes.
    expect(await timesOf('brief')).toHaveLength(4);
    const { body } = await control(bench, "deliveries?state=dropped&$filter=endswith(subject,'brief')");
    expect(body.value[0]).toMatchObject({ cause: 'expired', attempts: 4 });
    const metrics = await control(bench, 'metrics');
    expect(metrics.text).toMatch(/cloudjar_deliveries_total\{service="events",outcome="dropped"\} [1-9]/);
  });

  it('is put on probation when it keeps failing, new events included, and works again after that', async () => {
    const inbox = bench.jar.inbox('probation');
    await subscribe(bench, topic.id, 'probation', {
      destination: webHook(inbox.httpsUrl),
      retryPolicy: { maxDeliveryAttempts: 1 },
    });
    await inbox.respond({ status: 404 });
    for (let i = 0; i < 10; i++) {
      await publish(bench, topic, event({ id: `p${i}` }));
      await bench.jar.settled();
    }
    expect(await timesOf('probation')).toHaveLength(10);
    await inbox.respond({});
    await publish(bench, topic, event({ id: 'after' }));
    await bench.jar.settled();
    expect(await timesOf('probation')).toHaveLength(10);
    const { body } = await control(bench, 'deliveries/destinations');
    const found = body.value.find(({ destination }: { destination: string }) => destination.endsWith('/probation'));
    expect(found).toMatchObject({ failures: 10, outcome: 'NotFound' });
    await bench.jar.clock.advance('5m');
    expect(await timesOf('probation')).toHaveLength(11);
  });

  it('ends an event on probation by its time to live, not by the probation', async () => {
    const inbox = bench.jar.inbox('short-lived');
    await subscribe(bench, topic.id, 'short-lived', {
      destination: webHook(inbox.httpsUrl),
      retryPolicy: { maxDeliveryAttempts: 1, eventTimeToLiveInMinutes: 2 },
      filter: { includedEventTypes: ['Brief'] },
      deadLetterDestination: DEAD_LETTERS,
    });
    await inbox.respond({ status: 404 });
    for (let i = 0; i < 10; i++) {
      await publish(bench, topic, event({ id: `b${i}`, eventType: 'Brief' }));
      await bench.jar.settled();
    }
    // Of two events that arrive during the five minutes of probation, the second expires later.
    await publish(bench, topic, event({ id: 'overdue-1', eventType: 'Brief' }));
    await bench.jar.clock.advance('1m');
    await publish(bench, topic, event({ id: 'overdue-2', eventType: 'Brief' }));
    const stateOf = async (id: string) => {
      const { body } = await control(
        bench,
        `deliveries?$filter=endswith(subject,'${id}') and policy eq 'events.webhook'`,
      );
      const own = body.value.find(({ destination }: { destination: string }) => destination.endsWith('/short-lived'));
      const { state, cause, attempts, endedAt } = own;
      return { state, cause, attempts, endedAt };
    };
    expect(await stateOf('overdue-1')).toMatchObject({ state: 'queued' });
    const ended = { state: 'dead-lettered', cause: 'expired', attempts: 0 };
    await bench.jar.clock.advance('1m');
    expect(await stateOf('overdue-1')).toMatchObject({ ...ended, endedAt: bench.jar.clock.now().toISOString() });
    expect(await stateOf('overdue-2')).toMatchObject({ state: 'queued' });
    await bench.jar.clock.advance('1m');
    expect(await stateOf('overdue-2')).toMatchObject(ended);
    expect(await timesOf('short-lived')).toHaveLength(10);
    await bench.jar.clock.advance('6m');
    const { body: queues } = await control(bench, 'events/queues');
    const { body: letters } = await control(bench, `events/queues/${queues.value[0].id}/messages`);
    const notes = letters.value.flatMap(({ body }: { body: { id: string }[] }) => body);
    expect(notes.find(({ id }: { id: string }) => id === 'overdue-1')).toMatchObject({
      deadLetterReason: 'UndeliverableDueToProbationCausedByClientError',
      deliveryAttempts: 0,
      lastDeliveryOutcome: 'Probation',
    });
  });
});

describe('what an answer means', () => {
  withJar((bench) => {
    let topic: Topic;
    const cases: [status: number, delivered: boolean, nextMs: number | undefined][] = [
      [200, true, undefined],
      [201, true, undefined],
      [202, true, undefined],
      [203, true, undefined],
      [204, true, undefined],
      [206, false, 10 * SECOND],
      [302, false, 10 * SECOND],
      [400, false, undefined],
      [401, false, undefined],
      [403, false, undefined],
      [404, false, 5 * MINUTE],
      [408, false, 2 * MINUTE],
      [413, false, undefined],
      [429, false, 10 * SECOND],
      [500, false, 10 * SECOND],
      [503, false, 30 * SECOND],
    ];

    it.each(cases)('%d: delivered %s, retried after %s ms', async (status, delivered, nextMs) => {
      topic ??= await makeTopic(bench);
      const inbox = bench.jar.inbox(`s${status}`);
      await subscribe(bench, topic.id, `status${status}`, {
        destination: webHook(inbox.httpsUrl),
        filter: { includedEventTypes: [`Status.${status}`] },
      });
      await inbox.respond({ status });
      const { id } = event();
      await publish(bench, topic, event({ id, eventType: `Status.${status}` }));
      await bench.jar.settled();
      const { body } = await control(bench, `deliveries?$filter=endswith(subject,' ${id}')`);
      const [delivery] = body.value;
      if (nextMs === undefined) {
        expect(delivery.state).toBe(delivered ? 'delivered' : 'dropped');
        return;
      }
      expect(delivery.state).toBe('queued');
      const wait = Date.parse(delivery.lastAttempt.nextAt ?? delivery.dueAt) - Date.parse(delivery.lastAttempt.at);
      expect(wait).toBeGreaterThanOrEqual(nextMs);
      expect(wait).toBeLessThanOrEqual(nextMs * JITTER);
    });
  });
});
