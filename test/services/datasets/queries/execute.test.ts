import { beforeEach, describe, expect, it } from 'vitest';
import { onBothStores, withJar } from '../../../support/jars.ts';
import { type Ask, control, good, person } from '../support.ts';

const SALES = {
  name: 'Sales',
  tables: [
    {
      name: 'Product',
      columns: [
        { name: 'Id', dataType: 'Int64' },
        { name: 'Name', dataType: 'String' },
      ],
    },
    {
      name: 'Order Lines',
      columns: [
        { name: 'Product', dataType: 'Int64' },
        { name: 'Amount', dataType: 'Double' },
        { name: 'Price', dataType: 'Decimal' },
        { name: 'Big', dataType: 'Int64' },
        { name: 'Paid', dataType: 'Boolean' },
        { name: 'Day', dataType: 'DateTime' },
      ],
      measures: [{ name: 'Total', expression: "SUM('Order Lines'[Amount])" }],
    },
  ],
  relationships: [
    { name: 'Lines', fromTable: 'Order Lines', fromColumn: 'Product', toTable: 'Product', toColumn: 'Id' },
  ],
};

const LINES = [
  { Product: 1, Amount: 5, Price: 12.3456, Big: '9007199254740993', Paid: true, Day: '2024-01-05T13:04:09' },
  { Product: 1, Amount: 2.5 },
  { Product: 2, Amount: 10, Paid: false, Day: '2024-02-01' },
  { Product: 7, Amount: 1 },
];

async function salesIn(ask: Ask): Promise<string> {
  const { id } = await good(ask('POST', 'datasets', SALES));
  const rows = [
    { Id: 1, Name: 'Cup' },
    { Id: 2, Name: 'Pan' },
  ];
  await good(ask('POST', `datasets/${id}/tables/Product/rows`, { rows }));
  await good(ask('POST', `datasets/${id}/tables/Order%20Lines/rows`, { rows: LINES }));
  return id;
}

onBothStores('queries over a push dataset', (bench) => {
  let ask: Ask;
  let id: string;
  const query = (text: string, settings?: object) =>
    ask('POST', `datasets/${id}/executeQueries`, {
      queries: [{ query: text }],
      ...(settings && { serializerSettings: settings }),
    });

  beforeEach(async () => {
    await bench.jar.reset();
    ask = await person(bench);
    id = await salesIn(ask);
  });

  it('answers with the rows of a table, all types of values, without blanks', async () => {
    const { status, text, headers } = await query("EVALUATE 'Order Lines' ORDER BY 'Order Lines'[Amount] DESC");
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(text).toBe(
      '{"results":[{"tables":[{"rows":[' +
        '{"Order Lines[Product]":2,"Order Lines[Amount]":10,"Order Lines[Paid]":false,"Order Lines[Day]":"2024-02-01T00:00:00"},' +
        '{"Order Lines[Product]":1,"Order Lines[Amount]":5,"Order Lines[Price]":12.3456,"Order Lines[Big]":9007199254740993,"Order Lines[Paid]":true,"Order Lines[Day]":"2024-01-05T13:04:09"},' +
        '{"Order Lines[Product]":1,"Order Lines[Amount]":2.5},' +
        '{"Order Lines[Product]":7,"Order Lines[Amount]":1}]}]}]}',
    );
  });

  it('has null for blanks if requested', async () => {
    const { body } = await query('EVALUATE ROW("a", [Total], "b", BLANK())', { includeNulls: true });
    expect(body.results[0].tables[0].rows).toEqual([{ '[a]': 18.5, '[b]': null }]);
    const { body: without } = await query('EVALUATE ROW("b", BLANK())', { includeNulls: false });
    expect(without.results[0].tables[0].rows).toEqual([{}]);
  });

  it('is refused with the name of the setting that is wrong', async () => {
    const { status, text } = await query('EVALUATE { 1 }', { includeNulls: 'true' });
    expect({ status, text }).toMatchObject({ status: 400, text: expect.stringContaining('includeNulls') });
  });

  it('honours measures and relationships', async () => {
    const { body } = await query('EVALUATE SUMMARIZECOLUMNS(Product[Name], "total", [Total]) ORDER BY Product[Name]');
    expect(body.results[0].tables[0].rows).toEqual([
      { '[total]': 1 },
      { 'Product[Name]': 'Cup', '[total]': 7.5 },
      { 'Product[Name]': 'Pan', '[total]': 10 },
    ]);
  });

  it('sees rows at once, and follows a change of the columns', async () => {
    await good(ask('POST', `datasets/${id}/tables/Product/rows`, { rows: [{ Id: 7, Name: 'Lid' }] }));
    const columns = [...SALES.tables[0]!.columns, { name: 'Color', dataType: 'String' }];
    await good(ask('PUT', `datasets/${id}/tables/Product`, { name: 'Product', columns }));
    const { body } = await query('EVALUATE FILTER(Product, ISBLANK(Product[Color]) && Product[Id] > 2)');
    expect(body.results[0].tables[0].rows).toEqual([{ 'Product[Id]': 7, 'Product[Name]': 'Lid' }]);
  });

  it.each([
    ['a mistake in the query', 'EVALUATE\n  FILTR(Product)', 'Query (2, 3) Function FILTR is not supported.'],
    ['a text that is no number', 'EVALUATE { "x" + 1 }', "cannot convert value 'x' of type Text to type Number"],
    ['two rows for one value', 'EVALUATE { VALUES(Product[Name]) & "" }', 'A table of multiple values was supplied'],
    ['too large a number', 'EVALUATE { 9223372036854775807 + 1 }', 'too large for a whole number'],
  ])('refuses %s in the shape of the engine', async (_, text, message) => {
    const { status, body } = await query(text);
    expect(status).toBe(400);
    expect(body).toEqual({
      error: {
        code: 'DatasetExecuteQueriesError',
        'pbi.error': {
          code: 'DatasetExecuteQueriesError',
          parameters: {},
          details: [
            { code: 'DetailsMessage', detail: { type: 1, value: expect.stringContaining(message) } },
            { code: 'AnalysisServicesErrorCode', detail: { type: 1, value: expect.stringMatching(/^\d+$/) } },
          ],
          exceptionCulprit: 1,
        },
      },
    });
  });

  it('answers the first of two tables, with an error beside it', async () => {
    const { status, body } = await query('EVALUATE { 1 } EVALUATE { 2 }');
    expect(status).toBe(200);
    expect(body.results[0].tables).toEqual([{ rows: [{ '[Value]': 1 }] }]);
    expect(body.results[0].error.message).toBe('More than one result table in a query.');
  });
});

describe('the bounds of queries', () => {
  withJar((bench) => {
    let ask: Ask;
    let id: string;

    beforeEach(async () => {
      await bench.jar.reset();
      ask = await person(bench);
      id = await salesIn(ask);
    });

    const query = (text: string, path = `datasets/${id}/executeQueries`) =>
      ask('POST', path, { queries: [{ query: text }] });

    it.each([
      ['no query', { queries: [] }, 'queries'],
      ['two queries', { queries: [{ query: 'EVALUATE Product' }, { query: 'EVALUATE Product' }] }, 'queries'],
      ['a query that is no text', { queries: [{ query: 5 }] }, 'queries'],
      ['nothing', {}, 'queries'],
    ])('a request with %s is refused', async (_, body, target) => {
      const { status, body: answer } = await ask('POST', `datasets/${id}/executeQueries`, body);
      expect(status).toBe(400);
      expect(JSON.stringify(answer)).toContain(target);
    });

    it('more rows than an answer may have are cut off, and the answer says so', async () => {
      const rows = Array.from({ length: 400 }, (_, i) => ({ Id: i + 10, Name: 'N' }));
      await good(ask('POST', `datasets/${id}/tables/Product/rows`, { rows }));
      const { status, body } = await query(
        'EVALUATE SELECTCOLUMNS(CROSSJOIN(Product, SELECTCOLUMNS(Product, "x", Product[Id])), "x", [x])',
      );
      expect(status).toBe(200);
      expect(body.results[0].tables[0].rows).toHaveLength(100_000);
      expect(body.results[0].tables[0].error.message).toBe('More than 100000 rows in a query result.');
    });

    it('a query that takes too long is ended', async () => {
      await good(control(bench, 'PATCH', 'datasets/settings', { queryTimeLimit: '1s' }));
      const rows = Array.from({ length: 3000 }, (_, i) => ({ Id: i + 10, Name: `N${i}` }));
      await good(ask('POST', `datasets/${id}/tables/Product/rows`, { rows }));
      const copies = 'SELECTCOLUMNS(Product, "n", Product[Id] + ';
      const { status, body } = await query(
        `EVALUATE { SUMX(CROSSJOIN(Product, ${copies}1)), SUMX(Product, [n] * Product[Id])) }`,
      );
      expect(status).toBe(400);
      expect(body.error['pbi.error'].details[0].detail.value).toBe('The query took longer than 1 s.');
    });

    it('so many queries of a user in a minute', async () => {
      await good(control(bench, 'PATCH', 'limits', { name: 'datasets.queries', limit: 2 }));
      for (let i = 0; i < 2; i++) await good(query('EVALUATE { 1 }'));
      const { status, body, headers } = await query('EVALUATE { 1 }');
      expect([status, body.error.code]).toEqual([429, 'TooManyRequests']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    });

    it('a dataset of another user does not exist', async () => {
      const other = await person(bench, 'licensed');
      const { status, body } = await other('POST', `datasets/${id}/executeQueries`, {
        queries: [{ query: 'EVALUATE { 1 }' }],
      });
      expect([status, body.error.code]).toEqual([404, 'PowerBIEntityNotFound']);
    });

    it('a streaming dataset cannot be queried', async () => {
      const { id: streaming } = await good(
        ask('POST', 'datasets', { name: 'S', defaultMode: 'Streaming', tables: SALES.tables.slice(0, 1) }),
      );
      const { status, body } = await query('EVALUATE Product', `datasets/${streaming}/executeQueries`);
      expect([status, body.error.code]).toEqual([400, 'DatasetExecuteQueriesError']);
    });

    it('a measure that cannot be read is refused with the dataset, by name and place', async () => {
      const [product, lines] = SALES.tables;
      const wrong = { ...lines, measures: [{ name: 'Bad', expression: 'SUM(Product[Nosuch])' }] };
      const { status, body } = await ask('POST', 'datasets', { name: 'Bad', tables: [product, wrong] });
      expect(status).toBe(400);
      expect(body.error.details[0].message).toContain(
        "Measure [Bad] (1, 5): Column 'Nosuch' in table 'Product' cannot be found",
      );
    });
  });
});
