import { beforeEach, describe, expect, it } from 'vitest';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onBothStores } from '../../../support/jars.ts';
import { type Ask, control, good, mistake, person, rowsOf } from '../support.ts';

const probe = new JarProbe();

const typed = (types: Readonly<Record<string, string>>) =>
  Object.entries(types).map(([name, dataType]) => ({ name, dataType }));
const SIDE = { name: 'Side', columns: typed({ key: 'Int64', label: 'String' }) };
const FACT = { name: 'Fact', columns: typed({ id: 'Int64', amount: 'Double', side: 'Int64' }) };
const STAR = {
  name: 'Star',
  tables: [
    { ...FACT, measures: [{ name: 'm', expression: '1' }] },
    { ...SIDE, measures: [{ name: 'other', expression: '2' }] },
  ],
  relationships: [{ name: 'r', fromTable: 'Fact', fromColumn: 'side', toTable: 'Side', toColumn: 'key' }],
};

onBothStores(
  'the schema of a table',
  (bench) => {
    let ask: Ask;
    let id: string;

    beforeEach(async () => {
      await bench.jar.reset();
      ask = await person(bench);
      id = (await good(ask('POST', 'datasets', STAR))).id;
      const rows = [
        { id: 1, amount: 1.5, side: 7 },
        { id: 2, amount: 2 },
      ];
      await good(ask('POST', `datasets/${id}/tables/Fact/rows`, { rows }));
    });

    const put = (columns: readonly object[], more: object = {}, table = 'Fact') =>
      ask('PUT', `datasets/${id}/tables/${table}`, { name: table, columns, ...more });
    const tables = async () => (await good(ask('GET', `datasets/${id}/tables`))).value;

    it('is replaced: columns that stay keep their values, others begin empty', async () => {
      const answer = await good(put(typed({ added: 'String', ID: 'Int64', side: 'Int64' })));
      expect(answer).toMatchObject({ name: 'Fact', measures: [] });
      expect((await tables())[0].columns).toEqual(typed({ added: 'String', ID: 'Int64', side: 'Int64' }));
      expect(await rowsOf(probe.jar, id, 'Fact')).toEqual([
        [null, 1, 7],
        [null, 2, null],
      ]);
      const rows = `datasets/${id}/tables/Fact/rows`;
      await good(ask('POST', rows, { rows: [{ ID: 3, added: 'x' }] }));
      expect((await rowsOf(probe.jar, id, 'Fact'))[2]).toEqual(['x', 3, null]);
      expect(mistake(await ask('POST', rows, { rows: [{ amount: 1 }] }))).toMatchObject({ status: 400 });
      // A column that is added again is a new column.
      await good(put(typed({ id: 'Int64', amount: 'Double', side: 'Int64' })));
      expect((await rowsOf(probe.jar, id, 'Fact')).map(([, amount]) => amount)).toEqual([null, null, null]);
    });

    it('accepts another type if the values can be kept', async () => {
      await good(put(typed({ id: 'Double', amount: 'Decimal', side: 'Int64' })));
      expect(await rowsOf(probe.jar, id, 'Fact')).toEqual([
        [1, 15_000, 7],
        [2, 20_000, null],
      ]);
      expect(mistake(await put(typed({ id: 'Int64', amount: 'Int64', side: 'Int64' })))).toMatchObject({
        status: 400,
        target: 'columns',
        message: expect.stringContaining("The column 'amount' has values that Int64 cannot hold exactly"),
      });
      await good(put(typed({ id: 'Int64', amount: 'String', side: 'Int64' })));
      expect(await rowsOf(probe.jar, id, 'Fact')).toEqual([
        [1, '1.5', 7],
        [2, '2', null],
      ]);
      await good(ask('DELETE', `datasets/${id}/tables/Fact/rows`));
      await good(put(typed({ id: 'Int64', amount: 'Boolean', side: 'Int64' })));
    });

    it('has its measures replaced with it, and is recorded', async () => {
      const measures = [{ name: 'sum', expression: 'SUM(Fact[amount])' }];
      await good(put(FACT.columns, { measures, description: 'changed', isHidden: true }));
      expect((await tables())[0]).toMatchObject({ measures, description: 'changed', isHidden: true });
      const { body } = await control(bench, 'GET', "changes?$filter=source eq 'datasets' and kind eq 'schema'");
      expect(body.value).toMatchObject([{ data: { dataset: id, table: 'Fact', columns: ['id', 'amount', 'side'] } }]);
    });

    it('that a relationship leads to may be spelled in another way', async () => {
      await good(put(typed({ KEY: 'Int64' }), {}, 'Side'));
      await good(ask('POST', `datasets/${id}/tables/Side/rows`, { rows: [{ KEY: 1 }] }));
      const twice = await ask('POST', `datasets/${id}/tables/Side/rows`, { rows: [{ KEY: 1 }] });
      expect(mistake(twice)).toMatchObject({ status: 400, target: 'rows.KEY' });
    });

    describe('is refused', () => {
      it('for a missing table: tables cannot be added', async () => {
        for (const name of ['Nosuch', 'fact'])
          expect(await ask('PUT', `datasets/${id}/tables/${name}`, { name, columns: FACT.columns })).toMatchObject({
            status: 404,
            body: { error: { code: 'ItemNotFound' } },
          });
      });

      it.each<[what: string, columns: readonly object[], more: object, target: string, message: string]>([
        ['with another name', FACT.columns, { name: 'Facts' }, 'name', "must be the name in the URL, 'Fact'"],
        ['with rows', FACT.columns, { rows: [{ id: 1 }] }, 'rows', 'added by POST'],
        ['without a column of a relationship', typed({ id: 'Int64' }), {}, 'columns', "'r' needs the column 'side'"],
        [
          'with another type there',
          typed({ side: 'String' }),
          {},
          'columns',
          'String and Int64, whose values are never equal',
        ],
        ['with no columns', [], {}, 'columns', 'at least one column'],
        ['with an unknown property', FACT.columns, { Rows: [] }, 'Rows', 'not a property here'],
        ['with no data type', [{ name: 'x' }], {}, 'columns[0].dataType', 'is required'],
        [
          'with a measure that another table has',
          FACT.columns,
          { measures: [{ name: 'OTHER', expression: '1' }] },
          'measures',
          'two measures',
        ],
        [
          'with too many columns',
          Array.from({ length: 76 }, (_, i) => ({ name: `c${i}`, dataType: 'Int64' })),
          {},
          'columns',
          "'datasets.columns'",
        ],
      ])('%s', async (_what, columns, more, target, message) => {
        expect(mistake(await put(columns, more))).toMatchObject({
          status: 400,
          code: 'BadRequest',
          target,
          message: expect.stringContaining(message),
        });
        expect((await tables())[0].columns).toEqual(FACT.columns);
        expect(await rowsOf(probe.jar, id, 'Fact')).toHaveLength(2);
      });
    });

    it('may change while others push: each push fits the schema that it meets', async () => {
      const limits = [
        { name: 'datasets.pending-pushes', limit: 1000 },
        { name: 'datasets.pushes-per-minute', limit: 1000 },
      ];
      expect((await control(bench, 'PATCH', 'limits', limits)).status).toBe(200);
      const rows = `datasets/${id}/tables/Fact/rows`;
      const pushes = Array.from({ length: 20 }, (_, i) => ask('POST', rows, { rows: [{ id: 10 + i, side: 1 }] }));
      const puts = [typed({ id: 'Int64', side: 'Int64' }), typed({ more: 'String', side: 'Int64', id: 'Int64' })];
      const changed = puts.map((columns) => put(columns));
      expect((await Promise.all([...pushes, ...changed])).map(({ status }) => status)).toEqual(Array(22).fill(200));
      const at = (await tables())[0].columns.findIndex(({ name }: { name: string }) => name === 'id');
      const ids = (await rowsOf(probe.jar, id, 'Fact')).map((cells) => cells[at]);
      expect(ids.sort((a, b) => Number(a) - Number(b))).toEqual([
        1,
        2,
        ...Array.from({ length: 20 }, (_, i) => 10 + i),
      ]);
    });
  },
  { services: [...SERVICES, probe.service] },
);
