import { beforeEach, expect, it } from 'vitest';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onBothStores } from '../../../support/jars.ts';
import { type Ask, control, good, mistake, PLAIN, person, rowsOf, somewhat } from '../support.ts';

const probe = new JarProbe();
const NUMBER = 'x-powerbi-pushdata-sequencenumber';
const CLIENT = 'x-powerbi-pushdata-clientid';

const STAR = {
  name: 'Star',
  tables: [
    { name: 'Fact', columns: [{ name: 'key', dataType: 'String' }] },
    {
      name: 'Side',
      columns: [
        { name: 'Key', dataType: 'String' },
        { name: 'n', dataType: 'Int64' },
      ],
    },
  ],
  relationships: [{ name: 'r', fromTable: 'Fact', fromColumn: 'key', toTable: 'Side', toColumn: 'Key' }],
};

onBothStores(
  'rows',
  (bench) => {
    let ask: Ask;
    let id: string;
    let rows: string;

    const create = async (body: object, query = ''): Promise<string> =>
      (await good(ask('POST', `datasets${query}`, body))).id;
    const held = (table = 'Plain') => rowsOf(probe.jar, id, table);
    const changes = async (kind: string) =>
      (await control(bench, 'GET', `changes?$filter=source eq 'datasets' and kind eq '${kind}'`)).body.value;

    beforeEach(async () => {
      await bench.jar.reset();
      ask = await person(bench);
      id = await create({ name: 'D', tables: [PLAIN] });
      rows = `datasets/${id}/tables/Plain/rows`;
    });

    it('are added in the order in which they come, and deleted all at once', async () => {
      expect(await ask('POST', rows, { rows: somewhat(3) })).toMatchObject({ status: 200, text: '' });
      await good(ask('POST', rows, { Rows: somewhat(2, 3) }));
      expect(await held()).toEqual([0, 1, 2, 3, 4].map((i) => [i, `row ${i}`]));
      expect(await ask('DELETE', rows)).toMatchObject({ status: 200, text: '' });
      expect(await held()).toEqual([]);
      await good(ask('POST', rows, { rows: [] }));
      expect(await held()).toEqual([]);
    });

    it("are in 'rows' or in 'Rows', not in both", async () => {
      for (const Rows of [somewhat(1), [], null]) {
        expect(mistake(await ask('POST', rows, { rows: somewhat(2), Rows }))).toMatchObject({
          status: 400,
          target: 'Rows',
        });
      }
      expect(await held()).toEqual([]);
    });

    it('are refused with the name of the column if a text is too long for the one side of a relationship', async () => {
      id = await create(STAR);
      const sent = { rows: [{ Key: 'a' }, { Key: 'é'.repeat(1500) }] };
      expect(mistake(await ask('POST', `datasets/${id}/tables/Side/rows`, sent))).toMatchObject({
        status: 400,
        target: 'rows[1].Key',
        message: expect.stringMatching(/^Row 2, column 'Key': the value has more than 2000 bytes/),
      });
      expect(await held('Side')).toEqual([]);
    });

    it('are recorded in the change feed, one record for each request', async () => {
      const body = JSON.stringify({ rows: somewhat(100) });
      await good(ask('POST', rows, body));
      await good(ask('DELETE', rows));
      expect(await changes('rows')).toMatchObject([
        {
          subject: `/datasets/${id}/tables/Plain`,
          data: { dataset: id, table: 'Plain', count: 100, bytes: body.length },
        },
      ]);
      expect(JSON.stringify(await changes('rows'))).not.toContain('row 1');
      expect(await changes('clear')).toMatchObject([{ data: { dataset: id, table: 'Plain', count: 100 } }]);
      expect(await changes('create')).toMatchObject([{ data: { dataset: id, name: 'D', tables: ['Plain'] } }]);
    });

    it('are all refused if one of them is', async () => {
      await good(ask('POST', rows, { rows: somewhat(2) }));
      const reply = await ask('POST', rows, { rows: [...somewhat(500, 2), { id: 'x' }] });
      expect(mistake(reply)).toMatchObject({ status: 400, target: 'rows[500].id' });
      expect(await held()).toHaveLength(2);
      expect(await changes('rows')).toHaveLength(1);
    });

    it.each([
      ['5', '', 'must be an object'],
      ['{}', 'rows', 'must be a list'],
      ['{"rows":{}}', 'rows', 'must be a list'],
      ['{"rows":[],"more":1}', 'more', "use 'rows'"],
      ['{"rows":[', '', 'not valid JSON'],
      ['{"rows":[{"id":{"x":1}}]}', 'rows[0].id', 'expected a whole number'],
      ['{"rows":[{"nope":1}]}', 'rows[0].nope', "no column 'nope'"],
    ])('%s are refused', async (body, target, message) => {
      expect(mistake(await ask('POST', rows, body))).toMatchObject({
        status: 400,
        code: 'BadRequest',
        target,
        message: expect.stringContaining(message),
      });
    });

    it('keep whole numbers and decimals that doubles would round', async () => {
      id = await create({
        name: 'Exact',
        tables: [
          {
            name: 'T',
            columns: [
              { name: 'i', dataType: 'Int64' },
              { name: 'd', dataType: 'Decimal' },
            ],
          },
        ],
      });
      const body = '{"rows":[{"i":9007199254740993,"d":123456789012345.6789},{"i":"-9223372036854775807","d":0.1}]}';
      await good(ask('POST', `datasets/${id}/tables/T/rows`, body));
      expect(await held('T')).toEqual([
        [9007199254740993n, 1234567890123456789n],
        [-9223372036854775807n, 1000],
      ]);
    });

    it('of an unknown table or dataset are refused, names of tables are case-sensitive', async () => {
      const lower = await ask('POST', `datasets/${id}/tables/plain/rows`, { rows: [] });
      expect(lower).toMatchObject({ status: 404, body: { error: { code: 'ItemNotFound' } } });
      const other = await ask('POST', `datasets/${id.replace(/^./, 'x')}/tables/Plain/rows`, { rows: [] });
      expect(other).toMatchObject({ status: 404, body: { error: { code: 'PowerBIEntityNotFound' } } });
    });

    it('with a sequence number that was there already are acknowledged, and not added again', async () => {
      const numbers = async () => (await good(ask('GET', `datasets/${id}/tables/Plain/sequenceNumbers`))).value;
      expect(await numbers()).toEqual([]);
      const push = (number: number | string, count: number, client?: string) =>
        ask('POST', rows, { rows: somewhat(count) }, { [NUMBER]: String(number), ...(client && { [CLIENT]: client }) });
      await good(push(5, 1));
      await good(push(5, 1));
      await good(push(4, 1));
      expect(await held()).toHaveLength(1);
      await good(push(6, 1));
      await good(push(1, 1, 'second'));
      expect(await held()).toHaveLength(3);
      const admin = '10000000-0000-4000-8000-000000000011';
      const known = [
        { clientId: admin, sequenceNumber: 6 },
        { clientId: 'second', sequenceNumber: 1 },
      ];
      expect(await numbers()).toEqual(known);
      await good(ask('DELETE', rows));
      expect(await numbers()).toEqual(known);
      await good(push(6, 1));
      expect(await held()).toEqual([]);
      // Rows that are not added are not validated either.
      await good(ask('POST', rows, { rows: [{ gone: 1 }] }, { [NUMBER]: '6' }));
      for (const bad of ['-1', '1.5', 'x', '1e3'])
        expect(mistake(await push(bad, 1))).toMatchObject({ status: 400, target: 'X-PowerBI-PushData-SequenceNumber' });
      expect(mistake(await push(1, 1, 'a b'))).toMatchObject({ status: 400, target: 'X-PowerBI-PushData-ClientId' });
      // A rejected push does not record its number.
      expect(mistake(await ask('POST', rows, { rows: [{ id: 'x' }] }, { [NUMBER]: '7' })).status).toBe(400);
      expect(await numbers()).toEqual(known);
    });

    it('on the one side of a relationship have a value each, and each value once', async () => {
      id = await create(STAR);
      const side = `datasets/${id}/tables/Side/rows`;
      await good(ask('POST', side, { rows: [{ Key: 'a' }, { Key: 'b' }] }));
      for (const [sent, message] of [
        // The message can use either spelling.
        [[{ Key: 'c' }, { Key: 'A' }], "' would occur more than once in the column 'Key' of the table 'Side'"],
        [[{ Key: 'd' }, { Key: 'd' }], "The value 'd' would occur more than once"],
        [[{ Key: 'e' }, { n: 1 }], "Every row needs a value in the column 'Key' of the table 'Side'"],
      ] as const) {
        expect(mistake(await ask('POST', side, { rows: sent }))).toMatchObject({
          status: 400,
          target: 'rows.Key',
          message: expect.stringContaining(message),
        });
      }
      expect(await held('Side')).toHaveLength(2);
      // The many side accepts duplicate keys and keys without a match.
      await good(
        ask('POST', `datasets/${id}/tables/Fact/rows`, { rows: [{ key: 'a' }, { key: 'a' }, { key: 'z' }, {}] }),
      );
      expect(await held('Fact')).toHaveLength(4);
    });

    it('of a dataset with basicFIFO float between the rows it keeps and the slack', async () => {
      expect(
        (await control(bench, 'PATCH', 'datasets/settings', { basicFifoRows: 20, basicFifoSlack: 5 })).status,
      ).toBe(200);
      id = await create({ name: 'Fifo', tables: [PLAIN] }, '?defaultRetentionPolicy=basicFIFO');
      const push = (count: number, from: number) =>
        good(ask('POST', `datasets/${id}/tables/Plain/rows`, { rows: somewhat(count, from) }));
      const ids = async () => (await held()).map(([first]) => first);
      await push(25, 0);
      expect(await ids()).toHaveLength(25);
      await push(1, 25);
      expect(await ids()).toEqual(Array.from({ length: 20 }, (_, i) => i + 6));
      await push(60, 26);
      expect(await ids()).toEqual(Array.from({ length: 20 }, (_, i) => i + 66));
      expect((await control(bench, 'GET', `datasets/${id}`)).body).toMatchObject({ rows: 20, pushedRows: 86 });
    });

    it('without a retention policy are refused beyond the most that a table may have', async () => {
      expect((await control(bench, 'PATCH', 'limits', { name: 'datasets.rows-per-table', limit: 10 })).status).toBe(
        200,
      );
      await good(ask('POST', rows, { rows: somewhat(8) }));
      const reply = await ask('POST', rows, { rows: somewhat(3) });
      expect(reply).toMatchObject({ status: 409, body: { error: { code: 'RowLimitExceeded' } } });
      expect(await held()).toHaveLength(8);
      await good(ask('POST', rows, { rows: somewhat(2) }));
      await good(ask('DELETE', rows));
      await good(ask('POST', rows, { rows: somewhat(10) }));
    });

    it('are counted exactly when many push at once', async () => {
      const limits = [
        { name: 'datasets.pending-pushes', limit: 1000 },
        { name: 'datasets.pushes-per-minute', limit: 1000 },
      ];
      expect((await control(bench, 'PATCH', 'limits', limits)).status).toBe(200);
      const pushes = Array.from({ length: 40 }, (_, i) => good(ask('POST', rows, { rows: somewhat(5, i * 5) })));
      await Promise.all(pushes);
      expect(new Set((await held()).map(([first]) => first)).size).toBe(200);
      expect((await control(bench, 'GET', `datasets/${id}`)).body).toMatchObject({ rows: 200, pushedRows: 200 });
    });

    it('come and go with a snapshot', async () => {
      await good(ask('POST', rows, { rows: somewhat(3) }));
      await bench.jar.snapshot('three');
      await good(ask('POST', rows, { rows: somewhat(3, 3) }));
      await bench.jar.restore('three');
      expect(await held()).toHaveLength(3);
      await good(ask('POST', rows, { rows: somewhat(1, 3) }));
      expect((await held()).map(([first]) => first)).toEqual([0, 1, 2, 3]);
    });

    it('of 10,000 fit into one request, and no more', async () => {
      await good(ask('POST', rows, { rows: somewhat(10_000) }));
      expect((await control(bench, 'GET', `datasets/${id}`)).body.rows).toBe(10_000);
      expect(mistake(await ask('POST', rows, { rows: somewhat(10_001) }))).toMatchObject({
        status: 400,
        message: expect.stringContaining("'datasets.rows-per-request'"),
      });
    });

    it('of another limit of a request are parsed up to that limit', async () => {
      const limit = (change: object) =>
        good(control(bench, 'PATCH', 'limits', { name: 'datasets.rows-per-request', ...change }));
      const many = Array.from({ length: 40_000 }, () => ({ id: 1 }));
      const refused = {
        status: 400,
        message: expect.stringMatching(/at most 10000 rows .*datasets\.rows-per-request/),
      };
      expect(mistake(await ask('POST', rows, { rows: many }))).toMatchObject(refused);
      await limit({ limit: 40_000 });
      await good(ask('POST', rows, { rows: many }));
      await limit({ limit: 5 });
      const few = { status: 400, message: expect.stringContaining('6, and at most 5 are allowed') };
      expect(mistake(await ask('POST', rows, { rows: somewhat(6) }))).toMatchObject(few);
      await limit({ mode: 'unlimited' });
      await good(ask('POST', rows, { rows: many }));
    });

    it('of more than 16 MB are refused before they are read', async () => {
      const { status, body } = await ask('POST', rows, `{"rows":[],"x":"${'x'.repeat(16 * 1024 * 1024)}"}`);
      expect({ status, ...body }).toMatchObject({ status: 413, error: { code: 'RequestEntityTooLarge' } });
    });
  },
  { services: [...SERVICES, probe.service] },
);
