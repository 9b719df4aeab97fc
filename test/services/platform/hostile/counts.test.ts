import { beforeEach, expect, it } from 'vitest';
import { quotaOf, type RowId } from '../../../../src/services/platform/limits/declared.ts';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onBothStores } from '../../../support/jars.ts';
import { MAKERS } from '../row-makers.ts';
import { type Ask, good, person, refusal, withoutRates } from '../support.ts';

const AT_ONCE = 16;
/** Less than the smallest limit of the table. */
const ROOM = 4;

const probe = new JarProbe();

onBothStores(
  'data platform: limits under concurrent calls',
  (bench) => {
    let ask: Ask;

    beforeEach(async () => {
      await bench.jar.reset();
      ask = await person(bench);
      // The first call makes the account.
      await ask('GET', '/preview/sql/query_snippets');
    });

    const makers = Object.entries(MAKERS) as [RowId, NonNullable<(typeof MAKERS)[RowId]>][];

    it.each(makers)('%s: of 16 at once as many are made as there is room for', async (id, maker) => {
      await withoutRates(bench);
      const { scope, make } = await maker(ask, bench);
      const limit = quotaOf(id);
      const used = (count: number) =>
        probe.jar.store.transact((tx) => probe.jar.limits.takeQuota(tx, { limit, scope, count }));
      const { maximum, current } = await used(0);
      await used(maximum - ROOM - current);
      // A busy database refuses what waits too long for the others: it is asked again.
      const patiently = async (number: number) => {
        for (;;) {
          const reply = await make(number);
          if (reply.status !== 503) return reply;
        }
      };
      const replies = await Promise.all(Array.from({ length: AT_ONCE }, (_, number) => patiently(number)));
      const made = replies.filter(({ status }) => status < 300);
      expect(made, replies.find(({ status }) => status >= 300)?.text).toHaveLength(ROOM);
      expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
      expect((await used(0)).current).toBe(maximum);
    });

    it('a rate: of 64 at once as many pass as the bucket has room for', async () => {
      const replies = await Promise.all(
        Array.from({ length: 64 }, () => ask('POST', '/api/2.2/jobs/run-now', { job_id: 1 })),
      );
      expect(replies.filter(({ status }) => status !== 429)).toHaveLength(20);
    });

    it('what everybody reads is changed and removed by whoever made it and by administrators only', async () => {
      const path = '/preview/sql/query_snippets';
      const licensed = await person(bench, 'licensed');
      const { id: ours } = await good(ask('POST', path, { trigger: 'a', snippet: 'x' }));
      const { id: theirs } = await good(licensed('POST', path, { trigger: 'b', snippet: 'x' }));
      for (const call of [licensed('POST', `${path}/${ours}`, { snippet: 'y' }), licensed('DELETE', `${path}/${ours}`)])
        expect(refusal(await call)).toMatchObject({ status: 403, code: 'PERMISSION_DENIED' });
      expect(await good(licensed('GET', `${path}/${ours}`))).toMatchObject({ snippet: 'x' });
      await good(licensed('POST', `${path}/${theirs}`, { snippet: 'y' }));
      await good(ask('DELETE', `${path}/${theirs}`));
    });
  },
  { services: [...SERVICES, probe.service] },
);
