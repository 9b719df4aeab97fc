import { expect, test } from 'vitest';
import type { DeliveryPolicy, DueDelivery } from '../../../src/kernel/delivery/index.ts';
import { MINUTE, sending } from './sender.ts';

const seen: (readonly DueDelivery[])[] = [];
const judging: DeliveryPolicy = {
  name: 'test.judging',
  service: 'sender',
  plainHttp: true,
  schedule: [MINUTE],
  batch: { maxItems: 10 },
  keptHeaders: ['x-rate', 'x-absent'],
  classify(_result, batch) {
    seen.push(batch);
    return { is: batch.some(({ owner }) => owner === 'strict') ? 'refused' : 'delivered', rule: 'by its owner' };
  },
};

sending('what an answer means', [judging], (sender) => {
  test('may depend on the deliveries that it was about', async () => {
    seen.length = 0;
    const receiver = await sender.receiver();
    const to = { policy: judging.name, url: receiver.url };
    const [lenient, other, strict] = await sender.enqueue(
      { ...to, destination: 'one', owner: 'lenient', subject: 'a', body: '1' },
      { ...to, destination: 'one', owner: 'lenient', subject: 'b', body: '2' },
      { ...to, destination: 'two', owner: 'strict', body: '3' },
    );
    await sender.settled();
    const judged = seen.map((batch) => batch.map(({ id, owner, body }) => ({ id, owner, body })));
    expect(judged).toHaveLength(2);
    expect(judged).toContainEqual([
      { id: lenient, owner: 'lenient', body: '1' },
      { id: other, owner: 'lenient', body: '2' },
    ]);
    expect(judged).toContainEqual([{ id: strict, owner: 'strict', body: '3' }]);
    expect(await sender.record(lenient as string)).toMatchObject({ state: 'delivered' });
    expect(await sender.record(strict as string)).toMatchObject({ state: 'dropped', cause: 'refused' });
  });

  test('is kept with the headers that the policy names beside the usual ones', async () => {
    const receiver = await sender.receiver((_request, response) => {
      response.writeHead(200, { 'x-rate': '5', 'x-other': 'no', 'content-type': 'text/plain' }).end('ok');
    });
    const [id] = await sender.enqueue({ policy: judging.name, destination: 'one', url: receiver.url, body: '1' });
    await sender.settled();
    const { history } = await sender.record(id as string);
    expect(history[0]?.headers).toEqual({ 'x-rate': '5', 'content-type': 'text/plain' });
  });
});
