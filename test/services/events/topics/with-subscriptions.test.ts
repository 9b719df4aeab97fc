import { expect, it } from 'vitest';
import { onBothStores, SUBSCRIPTION } from '../../../support/jars.ts';
import { Grid } from './grid.ts';

const QUEUE = {
  properties: {
    destination: {
      endpointType: 'StorageQueue',
      properties: {
        resourceId: `/subscriptions/${SUBSCRIPTION}/resourceGroups/s/providers/Vendor.Storage/storageAccounts/store`,
        queueName: 'events',
      },
    },
  },
};

onBothStores('what is subscribed to topics and domains', (bench) => {
  const grid = new Grid(bench, 'subscribed');
  const at = (scope: string, name = 'listener') => `${scope}/providers/Vendor.EventGrid/eventSubscriptions/${name}`;
  const subscribe = async (scope: string, name?: string) => {
    const made = await grid.put(at(scope, name), QUEUE);
    expect(made.body.error).toBeUndefined();
    await bench.jar.settled();
  };
  const status = async (path: string) => (await grid.get(path)).status;

  it('is deleted with its topic, but not with another whose name begins the same', async () => {
    await grid.create('topics/news');
    await grid.create('topics/news-2');
    await subscribe('topics/news');
    await subscribe('topics/news-2');
    expect((await grid.delete('topics/news')).status).toBe(202);
    await bench.jar.settled();
    await grid.create('topics/news');
    expect(await status(at('topics/news'))).toBe(404);
    expect(await status(at('topics/news-2'))).toBe(200);
  });

  it('is deleted with its domain, at the domain and at its topics', async () => {
    await grid.create('domains/papers');
    await subscribe('domains/papers');
    await subscribe('domains/papers/topics/sports');
    expect(await status('domains/papers/topics/sports')).toBe(200);
    expect((await grid.delete('domains/papers')).status).toBe(202);
    await grid.create('domains/papers');
    expect(await status('domains/papers/topics/sports')).toBe(404);
    expect(await status(at('domains/papers'))).toBe(404);
    await grid.call('PUT', 'domains/papers/topics/sports');
    expect(await status(at('domains/papers/topics/sports'))).toBe(404);
  });

  it('is deleted with its topic of a domain', async () => {
    await grid.create('domains/journals');
    await subscribe('domains/journals/topics/art');
    await subscribe('domains/journals/topics/artists');
    expect((await grid.delete('domains/journals/topics/art')).status).toBe(202);
    await grid.call('PUT', 'domains/journals/topics/art');
    expect(await status(at('domains/journals/topics/art'))).toBe(404);
    expect(await status(at('domains/journals/topics/artists'))).toBe(200);
  });

  it('creates the topic of a domain, which is deleted with its last subscription', async () => {
    await grid.create('domains/blogs');
    await subscribe('domains/blogs/topics/food', 'one');
    await subscribe('domains/blogs/topics/food', 'two');
    await grid.delete(at('domains/blogs/topics/food', 'one'));
    await bench.jar.settled();
    expect(await status('domains/blogs/topics/food')).toBe(200);
    await grid.delete(at('domains/blogs/topics/food', 'two'));
    await bench.jar.settled();
    expect(await status('domains/blogs/topics/food')).toBe(404);
  });

  it('neither creates nor deletes topics if the owner manages the domain', async () => {
    const properties = { autoCreateTopicWithFirstSubscription: false, autoDeleteTopicWithLastSubscription: false };
    await grid.create('domains/own', properties);
    expect((await grid.put(at('domains/own/topics/diary'), QUEUE)).status).toBe(404);
    await grid.call('PUT', 'domains/own/topics/diary');
    await subscribe('domains/own/topics/diary');
    await grid.delete(at('domains/own/topics/diary'));
    await bench.jar.settled();
    expect(await status('domains/own/topics/diary')).toBe(200);
  });

  it('never loses its topic of a domain to the concurrent removal of another subscription', async () => {
    await grid.create('domains/radio');
    const topic = 'domains/radio/topics/jazz';
    for (let round = 0; round < 6; round++) {
      await subscribe(topic, 'leaving');
      const [, come] = await Promise.all([
        grid.delete(at(topic, 'leaving')),
        grid.put(at(topic, `coming-${round}`), QUEUE),
      ]);
      expect(come?.status).toBe(201);
      await bench.jar.settled();
      expect(await status(at(topic, `coming-${round}`))).toBe(200);
      expect(await status(topic)).toBe(200);
      await grid.delete(at(topic, `coming-${round}`));
      await bench.jar.settled();
      expect(await status(topic)).toBe(404);
    }
  });

  it('is deleted with the group of its topic', async () => {
    const doomed = new Grid(bench, 'subscribed-doomed');
    await doomed.create('topics/letters');
    expect((await doomed.put(at('topics/letters'), QUEUE)).status).toBe(201);
    await bench.jar.settled();
    const group = `/subscriptions/${SUBSCRIPTION}/resourceGroups/subscribed-doomed?api-version=2021-04-01`;
    expect((await bench.call('DELETE', group)).status).toBe(202);
    await bench.jar.settled();
    const again = new Grid(bench, 'subscribed-doomed');
    await again.create('topics/letters');
    expect((await again.get(at('topics/letters'))).status).toBe(404);
  });
});
