import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, good, mistake, PLAIN, person } from '../support.ts';

const column = (more: object = {}) => ({ name: 'a', dataType: 'Int64', ...more });
const table = (more: object = {}) => ({ name: 'T', columns: [column()], ...more });
const dataset = (more: object = {}) => ({ name: 'D', tables: [table()], ...more });
const columns = (...some: readonly object[]) => dataset({ tables: [table({ columns: some })] });

const keyed = (name: string, ...keys: readonly string[]) => ({
  name,
  columns: keys.map((key) => ({ name: key, dataType: 'Int64' })),
});
const from = (fromTable: string, fromColumn: string, toTable: string, toColumn: string, name?: string) => ({
  name: name ?? `${fromTable} ${toTable}`,
  fromTable,
  fromColumn,
  toTable,
  toColumn,
});
const related = (relationships: readonly object[], ...tables: readonly object[]) => ({
  name: 'D',
  tables: tables.length > 0 ? tables : [keyed('F', 'a', 'b'), keyed('G', 'a', 'b'), keyed('H', 'a', 'b')],
  relationships,
});

onAnyStore('a dataset is created', (bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    ask = await person(bench);
  });

  const tablesOf = async (body: object) => {
    const { id } = await good(ask('POST', 'datasets', body), 201);
    return (await good(ask('GET', `datasets/${id}/tables`))).value;
  };

  it.each([
    ['int64', 'Int64'],
    ['INT64', 'Int64'],
    ['Double', 'Double'],
    ['boolean', 'Boolean'],
    ['bool', 'Boolean'],
    ['dateTime', 'DateTime'],
    ['Datetime', 'DateTime'],
    ['string', 'String'],
    ['decimal', 'Decimal'],
  ])('with the data type %s, which is %s', async (dataType, shown) => {
    expect((await tablesOf(columns(column({ dataType }))))[0].columns).toEqual([{ name: 'a', dataType: shown }]);
  });

  it('with every property there is', async () => {
    const body = {
      name: 'Whole',
      defaultMode: 'push',
      tables: [
        {
          name: 'Täble #1',
          description: 'Text',
          isHidden: true,
          source: [{ expression: 'x' }],
          columns: [
            {
              name: 'Cöl [1]',
              dataType: 'String',
              dataCategory: 'City',
              formatString: '0',
              isHidden: false,
              sortByColumn: 'ORDER',
              summarizeBy: 'DistinctCount',
            },
            { name: 'Order', dataType: 'Int64' },
          ],
          measures: [{ name: 'M', expression: '1 + 1', description: 'two', formatString: '0.0', isHidden: true }],
          rows: [{ Order: 1 }],
        },
        { name: 'Other', columns: [column({ name: 'key' })], source: { expression: 'y' } },
      ],
      relationships: [
        { ...from('täble #1', 'order', 'other', 'KEY', 'rel'), crossFilteringBehavior: 'bothDirections' },
      ],
      datasources: [
        {
          datasourceType: 'Sql',
          connectionString: 's',
          name: 'n',
          datasourceId: '',
          gatewayId: '10000000-0000-4000-8000-000000000001',
          connectionDetails: { server: 's', database: 'd', ___domain: 'x' },
        },
      ],
    };
    const [first, second] = await tablesOf(body);
    const { rows: _rows, ...shown } = body.tables[0]!;
    expect(first).toEqual({
      ...shown,
      columns: [
        { ...body.tables[0]!.columns[0], sortByColumn: 'Order', summarizeBy: 'distinctCount' },
        body.tables[0]!.columns[1],
      ],
    });
    expect(second).toMatchObject({ name: 'Other', measures: [], source: [{ expression: 'y' }] });
  });

  it('with rows, which are stored like a push', async () => {
    const { id } = await good(
      ask('POST', 'datasets', dataset({ tables: [{ ...PLAIN, rows: [{ id: 1 }, { id: 2 }] }] })),
    );
    const growth = await bench.call('GET', `/_jar/datasets/${id}`, { token: bench.jar.adminKey });
    expect(growth.body).toMatchObject({ rows: 2, pushedRows: 2, tables: [{ name: 'Plain', rows: 2 }] });
  });

  it('with null for what is absent', async () => {
    expect(await tablesOf(dataset({ relationships: null, defaultMode: null }))).toHaveLength(1);
  });

  const long = 'x'.repeat(101);
  const wrong: readonly (readonly [what: string, body: unknown, target: string, message: string])[] = [
    ['no object', [], '', 'must be an object'],
    ['without a name', { tables: [table()] }, 'name', 'is required'],
    ['with a blank name', dataset({ name: ' ' }), 'name', 'must not be empty'],
    ['with a number for a name', dataset({ name: 5 }), 'name', 'must be text'],
    ['with a control character', dataset({ name: 'a\u0001' }), 'name', 'no control characters'],
    ['with a name that is too long', dataset({ name: 'x'.repeat(257) }), 'name', 'at most 256'],
    ['without tables', { name: 'D' }, 'tables', 'is required'],
    ['with an empty list of tables', dataset({ tables: [] }), 'tables', 'at least one table'],
    ['with an unknown property', dataset({ defaultmode: 'Push' }), 'defaultmode', "use 'defaultMode'"],
    ['with a property that nothing is like', dataset({ colour: 1 }), 'colour', 'use one of name, tables'],
    ['with the mode AsAzure', dataset({ defaultMode: 'AsAzure' }), 'defaultMode', 'live connection'],
    ['with the mode AsOnPrem', dataset({ defaultMode: 'asOnPrem' }), 'defaultMode', 'live connection'],
    ['with no mode at all', dataset({ defaultMode: 'Pull' }), 'defaultMode', 'must be one of Push'],
    ['with a text for tables', dataset({ tables: 'T' }), 'tables', 'must be a list'],
    ['with a number for a table', dataset({ tables: [1] }), 'tables[0]', 'must be an object'],
    ['with a table without a name', dataset({ tables: [table({ name: null })] }), 'tables[0].name', 'is required'],
    ['with a dot in a table name', dataset({ tables: [table({ name: 'a.b' })] }), 'tables[0].name', 'letters, digits'],
    ['with a quote in a table name', dataset({ tables: [table({ name: "a'b" })] }), 'tables[0].name', 'letters'],
    ['with a bracket in a table name', dataset({ tables: [table({ name: 'a[b' })] }), 'tables[0].name', 'letters'],
    ['with a long table name', dataset({ tables: [table({ name: long })] }), 'tables[0].name', 'at most 100'],
    ['with two tables of a name', dataset({ tables: [table(), table({ name: 't' })] }), 'tables', "with the name 't'"],
    ['with a table without columns', dataset({ tables: [{ name: 'T' }] }), 'tables[0].columns', 'is required'],
    ['with no columns', columns(), 'tables[0].columns', 'at least one column'],
    ['with two columns of a name', columns(column(), column({ name: 'A' })), 'tables[0].columns', "with the name 'A'"],
    ['with datatype', columns({ name: 'a', datatype: 'Int64' }), 'tables[0].columns[0].datatype', "'dataType'"],
    [
      'with no known data type',
      columns(column({ dataType: 'Int32' })),
      'tables[0].columns[0].dataType',
      'Int64, Double',
    ],
    [
      'with __proto__ as data type',
      columns(column({ dataType: '__proto__' })),
      'tables[0].columns[0].dataType',
      'not a data type',
    ],
    ['with isHidden as text', columns(column({ isHidden: 'x' })), 'tables[0].columns[0].isHidden', 'true or false'],
    ['with no known aggregate', columns(column({ summarizeBy: 'all' })), 'tables[0].columns[0].summarizeBy', 'one of'],
    [
      'sorted by no column',
      columns(column({ sortByColumn: 'b' })),
      'tables[0].columns',
      'is not a column of the table',
    ],
    [
      'with thousands of columns that are sorted one by the other',
      columns(...Array.from({ length: 5000 }, (_, i) => column({ name: `c${i}`, sortByColumn: `c${i + 1}` }))),
      'tables[0].columns',
      "'c5000' is not a column of the table",
    ],
    [
      'sorted in a ring next to one that leads into it',
      columns(
        column({ sortByColumn: 'b' }),
        column({ name: 'b', sortByColumn: 'c' }),
        column({ name: 'c', sortByColumn: 'b' }),
      ),
      'tables[0].columns',
      "of the column 'b': 'c' is sorted by this one",
    ],
    [
      'sorted in a ring',
      columns(
        column({ sortByColumn: 'b' }),
        column({ name: 'b', sortByColumn: 'c' }),
        column({ name: 'c', sortByColumn: 'A' }),
      ),
      'tables[0].columns',
      "'b' is sorted by this one",
    ],
    ['sorted by itself', columns(column({ sortByColumn: 'A' })), 'tables[0].columns', 'is the column itself'],
    [
      'with a measure without an expression',
      dataset({ tables: [table({ measures: [{ name: 'm' }] })] }),
      'tables[0].measures[0].expression',
      'is required',
    ],
    [
      'with a measure of the name of a column',
      dataset({ tables: [table({ measures: [{ name: 'A', expression: '1' }] })] }),
      'tables[0].measures',
      'the name of a column',
    ],
    [
      'with a measure that calls no function',
      dataset({ tables: [table(), table({ name: 'U', measures: [{ name: 'm', expression: '1 + FOO()' }] })] }),
      'tables[1].measures[0].expression',
      'Measure [m] (1, 5): Function FOO is not supported',
    ],
    [
      'with measures of one name in two tables',
      dataset({
        tables: [
          table({ measures: [{ name: 'm', expression: '1' }] }),
          table({ name: 'U', measures: [{ name: 'M', expression: '1' }] }),
        ],
      }),
      'tables',
      "two measures with the name 'M'",
    ],
    ['with rows that are no list', dataset({ tables: [table({ rows: 5 })] }), 'tables[0].rows', 'must be a list'],
    [
      'with a row that does not fit',
      dataset({ tables: [table({ rows: [{ a: 1 }, { a: 'x' }] })] }),
      'tables[0].rows[1].a',
      "Row 2, column 'a' (Int64)",
    ],
    ['related to no table', related([from('F', 'a', 'X', 'a')]), 'relationships[0].toTable', "no table 'X'"],
    ['related by no column', related([from('F', 'x', 'G', 'a')]), 'relationships[0].fromColumn', "no column 'x'"],
    ['related to itself', related([from('F', 'a', 'F', 'b')]), 'relationships[0].toTable', 'with itself'],
    [
      'related by types that are never equal',
      related([from('F', 'a', 'G', 'a')], keyed('F', 'a'), { name: 'G', columns: [{ name: 'a', dataType: 'String' }] }),
      'relationships[0].toColumn',
      'Int64 and String, whose values are never equal',
    ],
    [
      'with two relationships of a name',
      related([from('F', 'a', 'G', 'a', 'r'), from('F', 'b', 'H', 'a', 'R')]),
      'relationships',
      "with the name 'R'",
    ],
    [
      'with no known direction',
      related([{ ...from('F', 'a', 'G', 'a'), crossFilteringBehavior: 'Both' }]),
      'relationships[0].crossFilteringBehavior',
      'OneDirection, BothDirections, Automatic',
    ],
    [
      'with a relationship without a name',
      related([{ ...from('F', 'a', 'G', 'a'), name: undefined }]),
      'relationships[0].name',
      'is required',
    ],
    [
      'related twice to the same table',
      related([from('F', 'a', 'G', 'a'), from('F', 'b', 'G', 'b', 'second')]),
      'relationships',
      "a second filter path from 'G' to 'F'",
    ],
    [
      'related over two chains',
      related([from('F', 'a', 'G', 'a'), from('G', 'b', 'H', 'a'), from('F', 'b', 'H', 'b')]),
      'relationships',
      "from 'H' to 'F'",
    ],
    [
      'related in a cycle',
      related([from('F', 'a', 'G', 'a'), from('G', 'b', 'H', 'a'), from('H', 'b', 'F', 'b')]),
      'relationships',
      'closes a cycle',
    ],
    [
      'with a datasource of no known property',
      dataset({ datasources: [{ Type: 'x' }] }),
      'datasources[0].Type',
      'not a property here',
    ],
    [
      'with a gateway that is no GUID',
      dataset({ datasources: [{ gatewayId: 'x' }] }),
      'datasources[0].gatewayId',
      'be a GUID',
    ],
    [
      'with connection details of no known property',
      dataset({ datasources: [{ connectionDetails: { port: '1' } }] }),
      'datasources[0].connectionDetails.port',
      'use one of account, classInfo',
    ],
    [
      'streaming, with relationships',
      { ...related([from('F', 'a', 'G', 'a')]), defaultMode: 'Streaming' },
      'relationships',
      'no relationships',
    ],
    [
      'streaming, with measures',
      dataset({ defaultMode: 'Streaming', tables: [table({ measures: [{ name: 'm', expression: '1' }] })] }),
      'tables[0].measures',
      'no measures',
    ],
  ];

  describe('and refused', () => {
    it.each(wrong)('%s', async (_what, body, target, message) => {
      const reply = await ask('POST', 'datasets', body);
      expect(mistake(reply)).toEqual({
        status: 400,
        code: 'BadRequest',
        target,
        message: expect.stringContaining(message),
      });
      expect(reply.headers.get('x-powerbi-error-info')).toBe('BadRequest');
      expect((await good(ask('GET', 'datasets'))).value).toEqual([]);
    });

    it('with every mistake named', async () => {
      const { body } = await ask('POST', 'datasets', { tables: [{ name: 'a.b', columns: [{ name: 'c' }] }] });
      expect(body.error.message).toBe('Bad Request');
      const many = await ask(
        'POST',
        'datasets',
        columns({ name: 'c' }, { name: 'd', dataType: 'x' }, { dataType: 'Int64' }),
      );
      expect(many.body.error.details.map(({ target }: { target: string }) => target)).toEqual([
        'tables[0].columns[0].dataType',
        'tables[0].columns[1].dataType',
        'tables[0].columns[2].name',
      ]);
    });

    it.each([
      ['{', /not valid JSON/],
      ['', /no body/],
      [`${'['.repeat(50)}${']'.repeat(50)}`, /nested more than/],
    ])('the body %j', async (body, message) => {
      expect(mistake(await ask('POST', 'datasets', body))).toMatchObject({
        status: 400,
        code: 'BadRequest',
        message: expect.stringMatching(message),
      });
    });

    it('another content type, and a body that is packed', async () => {
      const plain = await ask('POST', 'datasets', dataset(), { 'content-type': 'text/plain' });
      expect(plain).toMatchObject({ status: 415, body: { error: { code: 'UnsupportedMediaType' } } });
      expect((await ask('POST', 'datasets', dataset(), { 'content-encoding': 'gzip' })).status).toBe(415);
    });

    it('an unknown retention policy', async () => {
      expect(mistake(await ask('POST', 'datasets?defaultRetentionPolicy=LIFO', dataset()))).toMatchObject({
        status: 400,
        target: 'defaultRetentionPolicy',
        message: expect.stringContaining('None or basicFIFO'),
      });
      const known = await ask('POST', 'datasets?defaultRetentionPolicy=BASICfifo', dataset());
      expect(known).toMatchObject({ status: 201, body: { defaultRetentionPolicy: 'basicFIFO' } });
    });

    it.each([
      ['tables', () => dataset({ tables: Array.from({ length: 76 }, (_, i) => table({ name: `T${i}` })) }), 'tables'],
      [
        'columns',
        () => columns(...Array.from({ length: 76 }, (_, i) => column({ name: `c${i}` }))),
        'tables[0].columns',
      ],
      [
        'rows-per-request',
        () => dataset({ tables: [table({ rows: Array.from({ length: 10_001 }, () => ({})) })] }),
        'tables',
      ],
    ])('more than the limit datasets.%s allows', async (name, body, target) => {
      expect(mistake(await ask('POST', 'datasets', body()))).toMatchObject({
        status: 400,
        target,
        message: expect.stringContaining(`'datasets.${name}'`),
      });
    });

    it('more relationships than the limit allows, which can be lowered', async () => {
      const limits = { token: bench.jar.adminKey, body: { name: 'datasets.relationships', limit: 1 } };
      expect((await bench.call('PATCH', '/_jar/limits', limits)).status).toBe(200);
      const body = related([from('F', 'a', 'G', 'a'), from('F', 'b', 'H', 'a')]);
      expect(mistake(await ask('POST', 'datasets', body))).toMatchObject({ status: 400, target: 'relationships' });
    });
  });

  it('with as many tables and columns as there may be', async () => {
    const wide = Array.from({ length: 75 }, (_, i) => column({ name: `c${i}` }));
    const tables = Array.from({ length: 75 }, (_, i) => table({ name: `T${i}`, columns: wide }));
    expect(await tablesOf(dataset({ tables }))).toHaveLength(75);
  });
});
