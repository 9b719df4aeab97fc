import { beforeEach, describe, expect, it } from 'vitest';
import { quotaOf, type RowId, rowOf } from '../../../src/services/platform/limits/declared.ts';
import { OWN_ROWS } from '../../../src/services/platform/limits/own-rows.ts';
import { RESOURCE_ROWS } from '../../../src/services/platform/limits/resource-rows.ts';
import { SERVICES } from '../../../src/services.ts';
import { JarProbe } from '../../support/jar-probe.ts';
import { onBothStores } from '../../support/jars.ts';
import { OWN_PROOFS } from './limits/proofs.ts';
import { MAKERS } from './row-makers.ts';
import { type Ask, control, person, withoutRates } from './support.ts';

describe('the table of resource limits', () => {
  it('has a test for every row, and for every row that we add', () => {
    const untested = [...RESOURCE_ROWS, ...OWN_ROWS]
      .map(({ id }) => id as RowId)
      .filter((id) => !OWN_PROOFS[id] && !MAKERS[id]);
    expect(untested).toEqual([]);
  });
});

const probe = new JarProbe();

onBothStores(
  'data platform: rows of the table of resource limits',
  (bench) => {
    let ask: Ask;

    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
      await ask('GET', '/preview/sql/query_snippets');
    });

    it.each(Object.keys(MAKERS) as RowId[])(
      '%s: the last one passes, one more is refused, and passes after a delete',
      async (id) => {
        const row = rowOf(id);
        const { limit: most = 0 } = row;
        const { scope, make, remove } = await (MAKERS[id] as NonNullable<(typeof MAKERS)[RowId]>)(ask, bench);
        // Counted as by as many that were made, up to the last two.
        await probe.jar.store.transact(async (tx) => {
          const limit = quotaOf(id);
          const { current } = await probe.jar.limits.takeQuota(tx, { limit, scope, count: 0 });
          await probe.jar.limits.takeQuota(tx, { limit, scope, count: most - 2 - current });
        });
        const first = await make(1);
        expect(first.status, first.text).toBeLessThan(300);
        const last = await make(2);
        expect(last.status, last.text).toBeLessThan(300);
        const refused = await make(3);
        expect(refused.status, refused.text).toBe(id === 'running-tasks' ? 429 : 400);
        expect(refused.headers.get('retry-after')).toBe(id === 'running-tasks' ? '1' : null);
        // The refusal names the limit, its value, its scope and whether it can be raised: to people, and to programs.
        const { error, message = error, details } = refused.body;
        expect(message).toContain(String(most));
        for (const [index, part] of row.parts.entries()) expect(message).toContain(`${part} ${scope[index]}`);
        expect(message).toContain(row.fixed ? 'The limit is fixed.' : 'The limit can be raised:');
        // Version 1.2 has no details.
        if (error === undefined) {
          const info = details.find((each: { reason?: string }) => each.reason === 'LIMIT_EXCEEDED');
          expect(info?.metadata).toEqual({
            limit: `platform.${id}`,
            value: String(most),
            scope: row.scope,
            ...Object.fromEntries(row.parts.map((part, index) => [part, scope[index]])),
            raisable: String(!row.fixed),
          });
        }
        await remove(first);
        const again = await make(4);
        expect(again.status, again.text).toBeLessThan(300);
      },
    );

    it('jobs-created: so many within an hour, however many were deleted; the next hour begins anew', async () => {
      const job = { name: 'again', tasks: [{ task_key: 'a', spark_jar_task: { main_class_name: 'Main' } }] };
      await control(bench, 'PATCH', 'limits', { name: 'platform.jobs-created', limit: 3 });
      const create = () => ask('POST', '/api/2.2/jobs/create', job);
      for (let i = 0; i < 3; i++) {
        const made = await create();
        expect(made.status, made.text).toBe(200);
        await ask('POST', '/api/2.2/jobs/delete', { job_id: made.body.job_id });
      }
      const refused = await create();
      expect(refused.body).toMatchObject({
        error_code: 'INVALID_STATE',
        message: expect.stringContaining('There were already 3 jobs created in past 3600 seconds'),
      });
      await bench.jar.clock.advance('59m');
      expect((await create()).status).toBe(400);
      await bench.jar.clock.advance('2m');
      expect((await create()).status).toBe(200);
    });
  },
  { services: [...SERVICES, probe.service] },
);
