import { beforeEach, describe, expect, it } from 'vitest';
import { DATASETS_LIMITS } from '../../../../src/services/datasets/limits.ts';
import { SERVICES } from '../../../../src/services.ts';
import { readChanges } from '../../../support/changes.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onBothStores, type Reply } from '../../../support/jars.ts';
import { type Ask, control, good, PLAIN, person, rowsOf, somewhat } from '../support.ts';
import { importLines } from './support.ts';

const probe = new JarProbe();

const STAR = {
  name: 'Star',
  tables: [
    { name: 'Key', columns: [{ name: 'id', dataType: 'String' }] },
    { name: 'Fact', columns: [{ name: 'id', dataType: 'String' }] },
  ],
  relationships: [{ name: 'r', fromTable: 'Fact', fromColumn: 'id', toTable: 'Key', toColumn: 'id' }],
};

const refused = ({ status, body }: Reply) => ({ status, ...body?.error });

onBothStores(
  'rows in bulk',
  (bench) => {
    let ask: Ask;

    beforeEach(async () => {
      await bench.jar.reset();
      ask = await person(bench);
    });

    const create = async (more: object = {}, query = ''): Promise<string> =>
      (await good(ask('POST', `datasets${query}`, { name: 'Bulk', tables: [PLAIN], ...more }))).id;
    const stored = async (id: string, table = 'Plain') => (await rowsOf(probe.jar, id, table)).map(([first]) => first);

    it('are stored in order, and counted', async () => {
      const id = await create();
      const first = await importLines(bench, id, 'Plain', somewhat(2500));
      expect(first).toMatchObject({ status: 200, body: { stored: 2500, removed: 0, rows: 2500, pushedRows: 2500 } });
      const second = await importLines(bench, id, 'Plain', somewhat(3, 2500));
      expect(second.body).toEqual({ stored: 3, removed: 0, rows: 2503, pushedRows: 2503 });
      expect(await stored(id)).toEqual(Array.from({ length: 2503 }, (_, i) => i));
      const growth = await good(control(bench, 'GET', `datasets/${id}`));
      expect(growth).toMatchObject({ rows: 2503, tables: [{ name: 'Plain', rows: 2503, pushedRequests: 2 }] });
    });

    it('take nothing of the limits of pushes', async () => {
      const id = await create();
      for (const { name, kind } of DATASETS_LIMITS)
        if (kind !== 'quota')
          await control(bench, 'PATCH', 'limits', { name, ...(kind === 'bucket' ? { size: 1 } : { limit: 1 }) });
      for (let i = 0; i < 4; i++) expect((await importLines(bench, id, 'Plain', somewhat(10))).status).toBe(200);
      const { limits } = await good(control(bench, 'GET', `datasets/${id}`));
      expect(limits.map(({ used }: { used: number }) => used)).toEqual(limits.map(() => 0));
    });

    it('are bound by the rows of a table', async () => {
      const id = await create();
      await good(control(bench, 'PATCH', 'limits', { name: 'datasets.rows-per-table', limit: 100 }));
      expect((await importLines(bench, id, 'Plain', somewhat(90))).status).toBe(200);
      expect(refused(await importLines(bench, id, 'Plain', somewhat(11)))).toMatchObject({
        status: 409,
        code: 'RowLimitExceeded',
      });
      expect(await stored(id)).toHaveLength(90);
      // The removed rows free room for the new rows.
      expect((await importLines(bench, id, 'Plain', somewhat(100), '?replace=true')).body).toMatchObject({
        stored: 100,
        removed: 90,
        rows: 100,
      });
      expect((await importLines(bench, id, 'Plain', somewhat(1))).status).toBe(409);
    });

    it('are bound by the retention policy', async () => {
      const id = await create({}, '?defaultRetentionPolicy=basicFIFO');
      await good(control(bench, 'PATCH', 'datasets/settings', { basicFifoRows: 50, basicFifoSlack: 10 }));
      expect((await importLines(bench, id, 'Plain', somewhat(200))).body).toMatchObject({ stored: 200, rows: 50 });
      expect(await stored(id)).toEqual(Array.from({ length: 50 }, (_, i) => 150 + i));
    });

    it('replace the rows of before in one step', async () => {
      const id = await create();
      await importLines(bench, id, 'Plain', somewhat(5));
      const wrong = await importLines(bench, id, 'Plain', '{"id":7}\n{"id":"x"}\n', '?replace=true');
      expect(wrong.status).toBe(400);
      expect(await stored(id)).toEqual([0, 1, 2, 3, 4]);
      const replaced = await importLines(bench, id, 'Plain', '{"id":7}\n', '?replace=true');
      expect(replaced.body).toEqual({ stored: 1, removed: 5, rows: 1, pushedRows: 6 });
      expect(await stored(id)).toEqual([7]);
      expect((await importLines(bench, id, 'Plain', '', '?replace=true')).body).toMatchObject({ stored: 0, rows: 0 });
    });

    it('have one change record for each request, as a push has', async () => {
      const id = await create();
      await importLines(bench, id, 'Plain', somewhat(1200));
      await importLines(bench, id, 'Plain', somewhat(1), '?replace=true');
      const own = (
        await readChanges(bench.jar, (all) => all.filter(({ kind }) => kind === 'rows').length === 2)
      ).filter(({ source, kind }) => source === 'datasets' && kind !== 'create');
      expect(own.map(({ kind, subject, data }) => ({ kind, subject, data }))).toMatchObject([
        { kind: 'rows', subject: `/datasets/${id}/tables/Plain`, data: { count: 1200 } },
        { kind: 'clear', data: { count: 1200 } },
        { kind: 'rows', data: { count: 1 } },
      ]);
    });

    it('of a streaming dataset are in the record if they are few, and expire', async () => {
      const id = await create({ defaultMode: 'Streaming' });
      await importLines(bench, id, 'Plain', somewhat(2));
      const [record] = (await readChanges(bench.jar, (all) => all.some(({ kind }) => kind === 'rows'))).slice(-1);
      expect(record?.data).toMatchObject({ count: 2, rows: [{ id: 0 }, { id: 1 }] });
      await bench.jar.clock.advance('2h');
      expect(await stored(id)).toEqual([]);
    });

    describe('mistakes', () => {
      it.each([
        ['a value', '{"id":1}\n{"id":2.5}\n', 'rows[1].id', /^Row 2, column 'id' \(Int64\): expected .* got 2\.5\.$/],
        ['a column', '{"id":1}\n\n{"ID":2}\n', 'rows[1].ID', /^Row 2: the table has no column 'ID'\..*it is 'id'/],
        ['a line that is no JSON', '{"id":1}\n{"id":\n', 'rows[1]', /^Row 2 is not valid JSON/],
        ['a line that is no object', '{"id":1}\n[1]', 'rows[1]', /^Row 2 must be an object\.$/],
        [
          'a row behind the first thousand',
          '{"id":1}\n'.repeat(1500).concat('{"id":"x"}\n'),
          'rows[1500].id',
          /^Row 1501, /,
        ],
      ])('%s: the error names the row, and nothing is stored', async (_what, lines, target, message) => {
        const id = await create();
        const { status, code, target: at, message: text } = refused(await importLines(bench, id, 'Plain', lines));
        expect({ status, code, at }).toEqual({ status: 400, code: 'RowInvalid', at: target });
        expect(text).toMatch(message);
        expect(await stored(id)).toEqual([]);
      });

      it('an existing value is reported with its row', async () => {
        const { id } = await good(ask('POST', 'datasets', STAR));
        await importLines(bench, id, 'Key', [{ id: 'a' }, { id: 'b' }]);
        const again = refused(await importLines(bench, id, 'Key', [{ id: 'c' }, { id: 'B' }, { id: 'd' }]));
        expect(again).toMatchObject({
          status: 400,
          target: 'rows[1].id',
          message: expect.stringMatching(/^Row 2: .*'[bB]'/),
        });
        const twice = refused(await importLines(bench, id, 'Key', [{ id: 'x' }, { id: 'y' }, { id: 'x' }]));
        expect(twice).toMatchObject({ target: 'rows[2].id' });
        const blank = refused(await importLines(bench, id, 'Key', [{ id: 'x' }, {}]));
        expect(blank).toMatchObject({ target: 'rows[1].id' });
        expect(await stored(id, 'Key')).toEqual(['a', 'b']);
      });

      it('a request is bounded', async () => {
        const id = await create();
        const many = refused(await importLines(bench, id, 'Plain', '{}\n'.repeat(100_001)));
        expect(many).toMatchObject({ status: 413, code: 'BatchTooLarge' });
        const long = refused(await importLines(bench, id, 'Plain', `{}\n{"text":"${'x'.repeat(5_000_000)}"}\n`));
        expect(long).toMatchObject({ status: 413, code: 'RowTooLong', message: 'Row 2 has more than 4 MB.' });
        expect(await stored(id)).toEqual([]);
      });

      it('a missing resource is named', async () => {
        const id = await create();
        const nowhere = '00000000-0000-4000-8000-000000000000';
        expect(refused(await importLines(bench, nowhere, 'Plain', []))).toMatchObject({
          status: 404,
          code: 'DatasetNotFound',
        });
        expect(refused(await importLines(bench, id, 'plain', []))).toMatchObject({
          status: 404,
          code: 'TableNotFound',
          message: expect.stringContaining("there is 'Plain'"),
        });
        expect((await importLines(bench, id, 'Plain', [], '?replace=perhaps')).status).toBe(400);
        await control(bench, 'PATCH', 'datasets/settings', { deferredCreation: '1h' });
        const pending = await create({ name: 'Later' });
        expect(refused(await importLines(bench, pending, 'Plain', []))).toMatchObject({
          status: 409,
          code: 'DatasetPending',
        });
      });

      it('only the administrator may', async () => {
        const id = await create();
        const reply = await bench.call('POST', `/_jar/datasets/${id}/tables/Plain/rows`, {
          body: '{"id":1}\n',
          headers: { 'content-type': 'application/x-ndjson' },
        });
        expect(reply.status).toBe(403);
        expect(await stored(id)).toEqual([]);
      });
    });
  },
  { services: [...SERVICES, probe.service], clock: 'virtual' },
);
