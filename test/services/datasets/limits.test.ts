import { beforeEach, describe, expect, it } from 'vitest';
import { tableStates } from '../../../src/services/datasets/collections.ts';
import { DATASETS_LIMITS } from '../../../src/services/datasets/limits.ts';
import { SERVICES } from '../../../src/services.ts';
import { JarProbe } from '../../support/jar-probe.ts';
import { onAnyStore, type Reply } from '../../support/jars.ts';
import { type Ask, control, good, PLAIN, person, somewhat } from './support.ts';

const probe = new JarProbe();

onAnyStore(
  'limits',
  (bench) => {
    let ask: Ask;
    let id: string;
    let rows: string;

    const lower = async (change: object): Promise<void> => {
      expect(await control(bench, 'PATCH', 'limits', change)).toMatchObject({ status: 200 });
    };
    const refused = ({ status, body, headers }: Reply) => ({
      status,
      code: body?.error?.code,
      message: body?.error?.message,
      retryAfter: headers.get('retry-after'),
    });
    const push = (count: number, headers?: Record<string, string>) =>
      ask('POST', rows, { rows: somewhat(count) }, headers);

    beforeEach(async () => {
      await bench.jar.reset();
      ask = await person(bench);
      id = (await good(ask('POST', 'datasets', { name: 'D', tables: [PLAIN] }))).id;
      rows = `datasets/${id}/tables/Plain/rows`;
    });

    it('are the documented ones', () => {
      const numbers = Object.fromEntries(
        DATASETS_LIMITS.map((row) => [row.name, row.kind === 'bucket' ? row.size : row.limit]),
      );
      expect(numbers).toEqual({
        'datasets.tables': 75,
        'datasets.columns': 75,
        'datasets.relationships': 75,
        'datasets.rows-per-request': 10_000,
        'datasets.rows-per-hour': 1_000_000,
        'datasets.pushes-per-minute': 120,
        'datasets.pushes-per-hour': 120,
        'datasets.pending-pushes': 5,
        'datasets.pushes-per-second': 1,
        'datasets.streamed-per-second': 5,
        'datasets.requests': 120,
        'datasets.queries': 120,
        'datasets.rows-per-table': 5_000_000,
      });
    });

    it('rows of a dataset in an hour: 429 with the seconds until the next', async () => {
      await lower({ name: 'datasets.rows-per-hour', limit: 100 });
      await good(push(60));
      const reply = refused(await push(41));
      expect(reply).toMatchObject({
        status: 429,
        code: 'TooManyRequests',
        message: expect.stringContaining("'datasets.rows-per-hour'"),
      });
      const seconds = Number(reply.retryAfter);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(3600);
      await good(push(40));
      const other = (await good(ask('POST', 'datasets', { name: 'Other', tables: [PLAIN] }))).id;
      await good(ask('POST', `datasets/${other}/tables/Plain/rows`, { rows: somewhat(41) }));
      await bench.jar.clock.advance(`${seconds}s`);
      await good(push(41));
    });

    it('rows that are refused or repeated do not count for the hour', async () => {
      await lower({ name: 'datasets.rows-per-hour', limit: 10 });
      const numbered = { 'x-powerbi-pushdata-sequencenumber': '1' };
      expect((await ask('POST', rows, { rows: [...somewhat(9), { nosuch: 1 }] })).status).toBe(400);
      for (let i = 0; i < 3; i++) await good(push(8, numbered));
      await good(push(2));
      expect(refused(await push(1)).status).toBe(429);
      await good(push(8, numbered));
    });

    it('requests in a minute, and in an hour once the table is large', async () => {
      await lower([
        { name: 'datasets.pushes-per-minute', limit: 2 },
        { name: 'datasets.pushes-per-hour', limit: 1 },
      ]);
      await good(push(1));
      await good(push(1));
      const reply = refused(await push(1));
      expect(reply).toMatchObject({ status: 429, message: expect.stringContaining("'datasets.pushes-per-minute'") });
      await bench.jar.clock.advance(`${reply.retryAfter}s`);
      await good(push(1));
    });

    it('requests to a table of 250,000 rows in an hour', async () => {
      await lower([{ name: 'datasets.pushes-per-hour', limit: 1 }]);
      await good(push(1));
      await probe.jar.store.transact(async (tx) => {
        const [state] = (await tx.query(tableStates, { limit: 1 })).items;
        await tx.put(tableStates, state!.key, { ...state!.value, rows: 250_000 });
      });
      await good(push(1));
      const reply = refused(await push(1));
      expect(reply).toMatchObject({ status: 429, message: expect.stringContaining("'datasets.pushes-per-hour'") });
      await bench.jar.clock.advance(`${reply.retryAfter}s`);
      await good(push(1));
    });

    it('requests of a dataset that have no answer yet', async () => {
      await lower({ name: 'datasets.pending-pushes', limit: 0 });
      expect(refused(await push(1))).toMatchObject({
        status: 429,
        code: 'TooManyRequests',
        message: expect.stringContaining("'datasets.pending-pushes'"),
      });
      await lower({ name: 'datasets.pending-pushes', limit: 1 });
      // A push no longer counts once its response has arrived.
      await good(push(1));
      await good(push(1));
    });

    it('requests per second, enforced only if configured', async () => {
      await good(push(1));
      await good(push(1));
      await lower({ name: 'datasets.pushes-per-second', mode: 'enforced', size: 1, refillPerSecond: 1 });
      const replies = [await push(1), await push(1), await push(1)].map(refused);
      expect(replies.at(-1)).toMatchObject({
        status: 429,
        retryAfter: '1',
        message: expect.stringContaining("'datasets.pushes-per-second'"),
      });
    });

    it('requests of a user in a minute, of whatever kind', async () => {
      await lower({ name: 'datasets.requests', limit: 3, mode: 'enforced' });
      const other = await person(bench, 'licensed');
      for (let i = 0; i < 3; i++) await good(other('GET', 'datasets'));
      const reply = refused(await other('GET', 'datasets'));
      expect(reply).toMatchObject({ status: 429, message: expect.stringContaining("'datasets.requests'") });
      await bench.jar.clock.advance(`${reply.retryAfter}s`);
      await good(other('GET', 'datasets'));
    });

    describe('and their use', () => {
      it('are shown to the administrator, with the growth of each table', async () => {
        await good(push(10));
        await good(push(5));
        const { body } = await control(bench, 'GET', `datasets/${id}`);
        expect(body).toMatchObject({
          id,
          name: 'D',
          workspace: 'My workspace',
          mode: 'Push',
          retention: 'None',
          configuredBy: 'admin@vendor.example',
          rows: 15,
          pushedRows: 15,
          tables: [{ name: 'Plain', rows: 15, pushedRequests: 2, lastPushAt: bench.jar.clock.now().toISOString() }],
          limits: [
            { limit: 'datasets.rows-per-hour', used: 15, remaining: 999_985, maximum: 1_000_000 },
            { limit: 'datasets.pushes-per-minute', used: 2, remaining: 118, maximum: 120 },
            { limit: 'datasets.pushes-per-hour', used: 0, remaining: 120, maximum: 120 },
            { limit: 'datasets.pending-pushes', used: 0, remaining: 5, maximum: 5 },
          ],
        });
        expect(body.pushedBytes).toBeGreaterThan(100);
        const list = await control(bench, 'GET', "datasets?$filter=rows gt 10 and workspace eq 'My workspace'");
        expect(list.body.value).toEqual([body]);
        expect((await control(bench, 'GET', 'datasets?$filter=rows gt 15')).body.value).toEqual([]);
      });

      it('of a missing dataset are 404', async () => {
        const { status, body } = await control(bench, 'GET', 'datasets/none');
        expect({ status, ...body }).toMatchObject({ status: 404, error: { code: 'DatasetNotFound' } });
      });
    });
  },
  { services: [...SERVICES, probe.service] },
);
