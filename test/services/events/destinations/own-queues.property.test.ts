import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sendToResource } from '../../../../src/services/events/destinations/send.ts';
import { usePostgresDatabase } from '../../../support/use-postgres.ts';
import { control, queueNamed, toQueue, withJar } from './queue-calls.ts';
import { type OpenedJar, openedJar, patiently } from './support.ts';

for (const engine of ['sqlite', 'postgres'] as const) {
  it(`${engine}: own queues behave like a list in memory, whatever is received, deleted and waited for`, (context) =>
    withJar(engine, context, async (opened) => {
      const step = fc.oneof(
        fc.record({ do: fc.constant('send' as const) }),
        fc.record({
          do: fc.constant('receive' as const),
          max: fc.integer({ min: 1, max: 3 }),
          hide: fc.integer({ min: 0, max: 5 }),
        }),
        fc.record({ do: fc.constant('delete' as const), which: fc.nat(20) }),
        fc.record({ do: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 6 }) }),
      );
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
          const name = `model${++run}`;
          await sendToResource(toQueue(name, 'd000'), opened.jar, patiently());
          const queue = await queueNamed(opened, name);
          const model = [{ id: 'd000', visibleAt: 0, receipt: undefined as string | undefined }];
          const given: { id: string; receipt: string }[] = [];
          let sent = 0;
          for (const each of steps) {
            const now = opened.running.clock.now().getTime();
            if (each.do === 'send') {
              const id = `d${String(++sent).padStart(3, '0')}`;
              await sendToResource(toQueue(name, id), opened.jar, patiently());
              model.push({ id, visibleAt: now, receipt: undefined });
            } else if (each.do === 'receive') {
              const options = { max: each.max, visibilityTimeout: each.hide };
              const { body } = await control(opened, 'POST', `/queues/${queue}/receive`, options);
              const expected = model.filter(({ visibleAt }) => visibleAt <= now).slice(0, each.max);
              expect(body.value.map(({ id }: { id: string }) => id)).toEqual(expected.map(({ id }) => id));
              for (const [i, message] of expected.entries()) {
                message.visibleAt = now + each.hide * 1000;
                message.receipt = body.value[i].receipt;
                given.push({ id: message.id, receipt: body.value[i].receipt });
              }
            } else if (each.do === 'delete') {
              const ticket = given[each.which % Math.max(1, given.length)];
              if (!ticket) continue;
              const path = `/queues/${queue}/messages/${ticket.id}?receipt=${ticket.receipt}`;
              const at = model.findIndex(({ id }) => id === ticket.id);
              const expected = at < 0 ? 404 : model[at]?.receipt === ticket.receipt ? 204 : 409;
              expect((await control(opened, 'DELETE', path)).status).toBe(expected);
              if (expected === 204) model.splice(at, 1);
            } else await opened.running.clock.advance(each.seconds * 1000);
          }
          const { body } = await control(opened, 'GET', `/queues/${queue}/messages`);
          expect(body.value.map(({ id }: { id: string }) => id)).toEqual(model.map(({ id }) => id));
        }),
        { numRuns: 15 },
      );
    }));
}

it('two nodes on one database never give a message to two receivers', async (context) => {
  const options = {
    databaseUrl: await usePostgresDatabase(context, 'queues'),
    secretKey: Buffer.alloc(32, 5).toString('base64url'),
  };
  const nodes = [await openedJar(options), await openedJar(options)];
  const [one] = nodes as [OpenedJar, OpenedJar];
  try {
    await Promise.all(Array.from({ length: 60 }, () => sendToResource(toQueue('orders'), one.jar, patiently())));
    const queue = await queueNamed(one, 'orders');
    const taken = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        control(nodes[i % 2] as OpenedJar, 'POST', `/queues/${queue}/receive`, { max: 5 }),
      ),
    );
    const ids = taken.flatMap(({ body }) => body.value.map(({ id }: { id: string }) => id));
    expect(ids).toHaveLength(60);
    expect(new Set(ids).size).toBe(60);
  } finally {
    for (const { running } of nodes) await running.close();
  }
});
