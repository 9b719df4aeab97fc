import { beforeEach, expect, it } from 'vitest';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onBothStores } from '../../../support/jars.ts';
import { type Ask, control, good, PLAIN, person, somewhat } from '../support.ts';
import { EVERY_TYPE, exportedLines, exportedText, importLines } from './support.ts';

const probe = new JarProbe();

onBothStores(
  'rows out of a table, and queries',
  (bench) => {
    let ask: Ask;

    beforeEach(async () => {
      await bench.jar.reset();
      ask = await person(bench);
    });

    const create = async (...tables: object[]): Promise<string> =>
      (await good(ask('POST', 'datasets', { name: 'Out', tables }))).id;

    it('have all their digits, blanks as null, and dates as ISO 8601', async () => {
      const id = await create(EVERY_TYPE);
      const lines =
        '{"whole":9007199254740993,"double":0.1,"decimal":922337203685477.5806,"flag":true,"at":"7/30/2014 1:05 PM","text":"ä\\n"}\n{}\n';
      expect((await importLines(bench, id, 'Every', lines)).status).toBe(200);
      expect(await exportedText(bench, id, 'Every')).toBe(
        [
          '{"whole":9007199254740993,"double":0.1,"decimal":922337203685477.5806,"flag":true,"at":"2014-07-30T13:05:00","text":"ä\\n"}',
          '{"whole":null,"double":null,"decimal":null,"flag":null,"at":null,"text":null}',
          '',
        ].join('\n'),
      );
    });

    it('come in the order in which they were stored, over any number of pages', async () => {
      const id = await create(PLAIN);
      expect(await exportedLines(bench, id, 'Plain')).toEqual([]);
      const rows = somewhat(25_000);
      await importLines(bench, id, 'Plain', rows);
      expect(await exportedLines(bench, id, 'Plain')).toEqual(rows);
    });

    it('break off when the columns change meanwhile', async () => {
      const id = await create(PLAIN);
      const text = 'x'.repeat(3000);
      await importLines(
        bench,
        id,
        'Plain',
        Array.from({ length: 5000 }, (_, i) => ({ id: i, text })),
      );
      const response = await fetch(`${bench.jar.url}/_jar/datasets/${id}/tables/Plain/rows`, {
        headers: { authorization: `Bearer ${bench.jar.adminKey}` },
      });
      const reader = response.body!.getReader();
      // An unread page delays the next one.
      await reader.read();
      await good(
        ask('PUT', `datasets/${id}/tables/Plain`, { name: 'Plain', columns: [{ name: 'other', dataType: 'String' }] }),
      );
      const rest = async (): Promise<void> => {
        while (!(await reader.read()).done);
      };
      await expect(rest()).rejects.toThrow();
    });

    it('are a list with the newest first, filtered and ordered by the values of their columns', async () => {
      const id = await create(EVERY_TYPE, PLAIN);
      await importLines(bench, id, 'Plain', somewhat(250));
      const list = (table: string, query = '') =>
        control(bench, 'GET', `datasets/${id}/tables/${table}/newest${query}`);
      const numbers = async (query: string): Promise<number[]> =>
        (await good(list('Plain', query))).value.map((row: { values: { id: number } }) => row.values.id);
      const [last] = somewhat(250).slice(-1);
      const first = await good(list('Plain'));
      expect(first.value).toHaveLength(100);
      expect(first.value[0].values).toEqual(last);
      const seen = [...first.value];
      for (let next = first.nextLink; next; ) {
        const page = await good(bench.call('GET', next.slice(bench.jar.url.length), { token: bench.jar.adminKey }));
        seen.push(...page.value);
        next = page.nextLink;
      }
      expect(seen.map(({ values }) => values)).toEqual(somewhat(250).reverse());
      expect(await numbers('?$filter=values/id lt 3')).toEqual([2, 1, 0]);
      expect(await numbers('?$orderby=values/id asc&$top=3')).toEqual([0, 1, 2]);
      const lines =
        '{"whole":9007199254740993,"double":0.1,"decimal":0.5,"flag":true,"at":"7/30/2014 1:05 PM","text":"ä"}\n{}\n';
      await importLines(bench, id, 'Every', lines);
      const late = "values/at gt 2014-07-30T13:04:59Z and values/flag eq true and contains(values/text,'ä')";
      expect(
        (await good(list('Every', `?$filter=${late}`))).value.map(({ values }: { values: object }) => values),
      ).toEqual([
        { whole: '9007199254740993', double: 0.1, decimal: 0.5, flag: true, at: '2014-07-30T13:05:00', text: 'ä' },
      ]);
      expect((await list('Every', '?$filter=values/height gt 1')).body.error).toMatchObject({ target: '$filter' });
      expect((await list('Nothing')).status).toBe(404);
    });

    it('the schema has tables with their columns and rows', async () => {
      const id = await create(EVERY_TYPE, PLAIN);
      await importLines(bench, id, 'Plain', somewhat(7));
      const { tables } = await good(control(bench, 'GET', `datasets/${id}/schema`));
      expect(tables).toMatchObject([
        { name: 'Every', rows: 0, columns: EVERY_TYPE.columns },
        { name: 'Plain', rows: 7, pushedRows: 7, columns: PLAIN.columns },
      ]);
      expect((await control(bench, 'GET', `datasets/${PLAIN.name}/schema`)).status).toBe(404);
    });

    it('a query answers with columns, their types, and rows that have every column', async () => {
      const id = await create(PLAIN);
      await importLines(bench, id, 'Plain', '{"id":9007199254740993,"text":"a"}\n{"id":2}\n');
      const query = 'EVALUATE ADDCOLUMNS(Plain, "twice", Plain[id] * 0.5) ORDER BY Plain[id]';
      const { status, text } = await control(bench, 'POST', `datasets/${id}/queries`, { query });
      expect(status).toBe(200);
      expect(text).toBe(
        '{"columns":[{"name":"Plain[id]","type":"Int64"},{"name":"Plain[text]","type":"String"},{"name":"[twice]","type":"Double"}],' +
          '"rows":[{"Plain[id]":2,"Plain[text]":null,"[twice]":1},{"Plain[id]":9007199254740993,"Plain[text]":"a","[twice]":4503599627370496}],"notes":[]}',
      );
    });

    it('a query of the administrator does not count towards any limit, and reports further tables', async () => {
      const id = await create(PLAIN);
      for (let i = 0; i < 130; i++)
        expect((await control(bench, 'POST', `datasets/${id}/queries`, { query: 'EVALUATE ROW("a", 1)' })).status).toBe(
          200,
        );
      const two = 'EVALUATE ROW("a", 1) EVALUATE ROW("b", 2)';
      expect((await good(control(bench, 'POST', `datasets/${id}/queries`, { query: two }))).notes).toEqual([
        'More than one result table in a query.',
      ]);
    });

    it('a mistake in a query has its place', async () => {
      const id = await create(PLAIN);
      const { status, body } = await control(bench, 'POST', `datasets/${id}/queries`, { query: 'EVALUATE\n  Plan' });
      expect({ status, ...body.error }).toMatchObject({
        status: 400,
        code: 'DatasetExecuteQueriesError',
        target: '2:3',
        message: expect.stringMatching(/^Query \(2, 3\) /),
      });
      const streaming = (await good(ask('POST', 'datasets', { name: 'S', defaultMode: 'Streaming', tables: [PLAIN] })))
        .id;
      const none = await control(bench, 'POST', `datasets/${streaming}/queries`, { query: 'EVALUATE Plain' });
      expect(none).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('streaming') } } });
      expect((await control(bench, 'POST', `datasets/${id}/queries`, { queries: [] })).status).toBe(400);
    });
  },
  { services: [...SERVICES, probe.service] },
);
