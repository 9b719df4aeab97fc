import { expect, onTestFinished, test } from 'vitest';
import { collection } from '../../../src/kernel/store/collection.ts';
import { openPostgres } from '../../../src/kernel/store/index.ts';
import { losingProxy } from '../../support/losing-proxy.ts';
import { createDatabase, startPostgres } from '../../support/postgres.ts';

const settings = collection<{ n: number }>('test.settings', { cached: true });

test('a node invalidates its cache if the answer to a successful commit is lost', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const proxy = await losingProxy(await createDatabase(server.url, 'uncertain'));
  onTestFinished(() => proxy.stop());
  const store = await openPostgres({ url: proxy.url, collections: [settings], report: () => {} });
  onTestFinished(() => store.close());
  await store.transact((tx) => tx.put(settings, 'one', { n: 1 }));
  expect((await store.cached(settings, 'one'))?.value).toEqual({ n: 1 });
  const news: string[] = [];
  store.onCommit(({ collections }) => news.push(...collections));

  proxy.loseNext('COMMIT\0');
  const lost = store.transact((tx) => tx.put(settings, 'one', { n: 2 }));
  await expect(lost).rejects.toMatchObject({ code: 'UNCERTAIN' });
  expect((await store.get(settings, 'one'))?.value).toEqual({ n: 2 });
  expect((await store.cached(settings, 'one'))?.value).toEqual({ n: 2 });
  expect(news).toContain(settings.name);
});

test('a node gets the items of a claim whose answer was lost', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const proxy = await losingProxy(await createDatabase(server.url, 'lost claim'));
  onTestFinished(() => proxy.stop());
  const store = await openPostgres({ url: proxy.url, collections: [settings], report: () => {} });
  onTestFinished(() => store.close());
  await store.transact((tx) => tx.schedule({ id: 'one', kind: 'test', dueAt: 1, payload: null }));
  const claim = () => store.work.claim({ kinds: ['test'], now: 1, limit: 1, leaseMs: 600_000 });

  proxy.loseNext('SET state = 1, lease = ');
  await expect(claim()).rejects.toMatchObject({ code: 'UNREACHABLE' });
  // The server may take a moment to process the claim.
  await expect.poll(async () => (await claim()).map(({ id, attempts }) => [id, attempts])).toEqual([['one', 0]]);
  expect(await claim()).toEqual([]);
});
