import { expect, onTestFinished, test } from 'vitest';
import { collection } from '../../../src/kernel/store/collection.ts';
import { openPostgres } from '../../../src/kernel/store/index.ts';
import { losingProxy } from '../../support/losing-proxy.ts';
import { createDatabase, startPostgres } from '../../support/postgres.ts';

const settings = collection<{ n: number }>('test.settings', { cached: true });

test('a node does not go on with what it has cached when the answer to a commit is lost and the commit is not', async () => {
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

  proxy.loseNextCommit();
  const lost = store.transact((tx) => tx.put(settings, 'one', { n: 2 }));
  await expect(lost).rejects.toMatchObject({ code: 'UNCERTAIN' });
  expect((await store.get(settings, 'one'))?.value).toEqual({ n: 2 });
  expect((await store.cached(settings, 'one'))?.value).toEqual({ n: 2 });
  expect(news).toContain(settings.name);
});
