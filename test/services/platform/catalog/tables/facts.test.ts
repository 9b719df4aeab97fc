import { beforeEach, describe, expect, it } from 'vitest';
import { COLUMN_TYPES } from '../../../../../src/services/platform/catalog/tables/types.ts';
import { likePattern } from '../../../../../src/services/platform/engine/like.ts';
import { onAnyStore } from '../../../../support/jars.ts';
import { type Ask, control, good, person, refusal, withoutRates } from '../../support.ts';

const UC = '/api/2.1/unity-catalog';

onAnyStore('data platform: rules of tables', (bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
  });

  const draft = (more: object = {}) => ({
    catalog_name: 'main',
    schema_name: 'default',
    name: 't',
    table_type: 'EXTERNAL',
    data_source_format: 'DELTA',
    storage_location: 'abfss://lake@vendor.example/t',
    ...more,
  });
  const create = (more: object = {}) => ask('POST', `${UC}/tables`, draft(more));
  const columns = (...sent: object[]) => create({ columns: sent });
  const column = (more: object) => columns({ name: 'c', type_name: 'INT', ...more });

  it.each(COLUMN_TYPES)('a column may be of the type %s', async (type_name) => {
    const type_text = type_name === 'DECIMAL' ? 'decimal(12,3)' : type_name.toLowerCase();
    const made = await good(column({ type_name, type_text }));
    expect(made.columns[0]).toMatchObject({ name: 'c', type_name, type_text, position: 0, nullable: true });
  });

  it.each(['name', 'catalog_name', 'schema_name', 'table_type', 'data_source_format', 'storage_location'])(
    'a table without %s is refused',
    async (field) => {
      expect(refusal(await create({ [field]: undefined }))).toEqual({
        status: 400,
        code: 'INVALID_PARAMETER_VALUE',
        message: `Missing required field: ${field}`,
      });
    },
  );

  it.each([
    ['a type that there is not', { type_name: 'NUMBER' }, "The field 'columns[0].type_name' must be one of"],
    ['no type', { type_name: null }, 'Missing required field: columns[0].type_name'],
    ['no name', { name: null }, 'Missing required field: columns[0].name'],
    ['an empty name', { name: '' }, "The field 'columns[0].name' must be at least 1"],
    ['a long name', { name: 'x'.repeat(256) }, "The field 'columns[0].name' must be at most 255"],
    ['39 digits', { type_name: 'DECIMAL', type_precision: 39 }, 'a decimal has a precision of 1 to 38'],
    [
      'more places than digits',
      { type_name: 'DECIMAL', type_text: 'decimal(3,4)' },
      'a decimal has a precision of 1 to 38',
    ],
    ['a structure without its text', { type_name: 'STRUCT' }, "Missing required field: the column 'c'.type_text"],
    ['a position that is not its own', { position: 1 }, 'The positions of the columns must be 0 to 0'],
    ['a partition index with a gap', { partition_index: 1 }, 'The partition indexes of the columns must be 0, 1'],
    ['JSON that is none', { type_json: '{' }, "The type_json of the column 'c' is not valid JSON."],
    ['a mask of no function', { mask: {} }, 'Missing required field: columns[0].mask.function_name'],
    ['a mask with other columns', { mask: { function_name: 'a.b.c', using_column_names: ['x'] } }, "the column 'x'"],
    ['a masked partition', { partition_index: 0, mask: { function_name: 'a.b.c' } }, 'cannot have a mask'],
  ])('a column with %s is refused', async (_what, more, message) => {
    const refused = refusal(await column(more));
    expect([refused.status, refused.code]).toEqual([400, 'INVALID_PARAMETER_VALUE']);
    expect(refused.message).toContain(message);
  });

  it('column names that differ only in case are duplicates', async () => {
    expect(refusal(await columns({ name: 'A', type_name: 'INT' }, { name: 'a', type_name: 'INT' })).message).toBe(
      "The column name 'a' is not unique.",
    );
  });

  it('columns come back in the order of their positions', async () => {
    const made = await good(
      columns({ name: 'b', type_name: 'INT', position: 1 }, { name: 'a', type_name: 'INT', position: 0 }),
    );
    expect(made.columns.map(({ name }: { name: string }) => name)).toEqual(['a', 'b']);
  });

  it.each([
    [{ table_type: 'MANAGED' }],
    [{ table_type: 'VIEW' }],
    [{ data_source_format: 'CSV' }],
    [{ data_source_format: 'PARQUET' }],
  ])('the API creates external Delta tables only: %j', async (more) => {
    expect(refusal(await create(more))).toMatchObject({ status: 400, code: 'INVALID_PARAMETER_VALUE' });
  });

  it.each([
    ['table_type', 'TABLE'],
    ['data_source_format', 'EXCEL'],
    ['storage_location', 'somewhere'],
    ['storage_location', 'abfss://lake@vendor.example/a/../b'],
    ['name', 'a b'],
    ['name', 'a.b'],
  ])('%s cannot be %s', async (field, value) => {
    expect(refusal(await create({ [field]: value })).status).toBe(400);
  });

  it('properties are texts', async () => {
    expect(refusal(await create({ properties: { a: 1 } })).code).toBe('MALFORMED_REQUEST');
    expect(refusal(await create({ properties: { a: 'x'.repeat(4001) } })).code).toBe('INVALID_PARAMETER_VALUE');
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`p${index}`, '']));
    expect(refusal(await create({ properties: many })).code).toBe('INVALID_PARAMETER_VALUE');
  });

  it('tables and views share one name space; volumes and functions have separate ones', async () => {
    await good(create());
    expect(refusal(await create())).toMatchObject({
      status: 409,
      code: 'TABLE_ALREADY_EXISTS',
      message: "Table 'main.default.t' already exists",
    });
    const volume = { catalog_name: 'main', schema_name: 'default', name: 't', volume_type: 'MANAGED' };
    await good(ask('POST', `${UC}/volumes`, volume));
  });

  it('table-columns: a table has up to 32,768 columns, and lists of such tables come in pages', async () => {
    const wide = (count: number) =>
      Array.from({ length: count }, (_, position) => ({ name: `c${position}`, type_name: 'INT', position }));
    await good(create({ name: 'a', columns: wide(32_768) }));
    const refused = await create({ name: 'b', columns: wide(32_769) });
    expect(refused.status).toBe(400);
    const info = refused.body.details.find(({ reason }: { reason?: string }) => reason === 'LIMIT_EXCEEDED');
    expect(info.metadata).toMatchObject({
      limit: 'platform.table-columns',
      value: '32768',
      table: 'main.default.b',
      raisable: 'false',
    });
    await good(create({ name: 'b', columns: wide(20_000) }));
    const list = `${UC}/tables?catalog_name=main&schema_name=default`;
    const first = await good(ask('GET', list));
    expect(first.tables.map(({ name, columns: shown }: { name: string; columns: [] }) => [name, shown.length])).toEqual(
      [['a', 32_768]],
    );
    const second = await good(ask('GET', `${list}&page_token=${first.next_page_token}`));
    expect([second.tables.length, second.tables[0].columns.length, second.next_page_token]).toEqual([
      1,
      20_000,
      undefined,
    ]);
    expect((await good(ask('GET', `${list}&omit_columns=true`))).tables).toHaveLength(2);
  });

  it('table-columns can be set lower for tests', async () => {
    await control(bench, 'PATCH', 'limits', { name: 'platform.table-columns', limit: 1 });
    expect((await columns({ name: 'a', type_name: 'INT' }, { name: 'b', type_name: 'INT' })).status).toBe(400);
    await good(columns({ name: 'a', type_name: 'INT' }));
  });

  it.each([
    ['no table', { constraint: { named_table_constraint: { name: 'n' } } }, 'Missing required field: full_name_arg'],
    ['no constraint', { full_name_arg: 'main.default.t' }, 'Missing required field: constraint'],
    ['no kind', { full_name_arg: 'main.default.t', constraint: {} }, 'A constraint must have exactly one of'],
    [
      'no columns',
      { full_name_arg: 'main.default.t', constraint: { primary_key_constraint: { name: 'p' } } },
      'Missing required field: child_columns',
    ],
    [
      'an unknown column',
      { full_name_arg: 'main.default.t', constraint: { primary_key_constraint: { name: 'p', child_columns: ['x'] } } },
      "has no column 'x'",
    ],
    [
      'a nullable key',
      { full_name_arg: 'main.default.t', constraint: { primary_key_constraint: { name: 'p', child_columns: ['c'] } } },
      'is nullable',
    ],
    [
      'two kinds',
      {
        full_name_arg: 'main.default.t',
        constraint: {
          primary_key_constraint: { name: 'p', child_columns: ['c'] },
          named_table_constraint: { name: 'n' },
        },
      },
      'A constraint must have exactly one of',
    ],
  ])('a constraint with %s is refused', async (_what, body, message) => {
    await good(column({}));
    const refused = refusal(await ask('POST', `${UC}/constraints`, body));
    expect(refused.status).toBe(400);
    expect(refused.message).toContain(message);
  });

  it('a constraint is dropped by its name, and cascade must be explicit', async () => {
    await good(column({}));
    const drop = (query: string) => ask('DELETE', `${UC}/constraints/main.default.t?${query}`);
    expect(refusal(await drop('cascade=true')).message).toBe('Missing required field: constraint_name');
    expect(refusal(await drop('constraint_name=n')).message).toBe('Missing required field: cascade');
    expect(refusal(await drop('constraint_name=n&cascade=false'))).toMatchObject({
      status: 404,
      code: 'RESOURCE_DOES_NOT_EXIST',
    });
  });

  it('a foreign key goes with the table that it refers to', async () => {
    const key = { name: 'id', type_name: 'INT', nullable: false };
    await good(create({ name: 'parent', columns: [key] }));
    await good(create({ name: 'child', columns: [key] }));
    const add = (table: string, constraint: object) =>
      good(ask('POST', `${UC}/constraints`, { full_name_arg: `main.default.${table}`, constraint }));
    await add('parent', { primary_key_constraint: { name: 'pk', child_columns: ['id'], rely: true } });
    const columnsOf = { child_columns: ['id'], parent_columns: ['id'] };
    await add('child', { foreign_key_constraint: { name: 'fk', parent_table: 'main.default.parent', ...columnsOf } });
    await good(ask('DELETE', `${UC}/tables/main.default.parent`));
    await bench.jar.settled();
    expect(await good(ask('GET', `${UC}/tables/main.default.child`))).not.toHaveProperty('table_constraints');
    // Its name can be used again.
    await add('child', { named_table_constraint: { name: 'fk' } });
  });

  it('a schema with tables, volumes or functions is deleted only with force', async () => {
    await good(ask('POST', `${UC}/schemas`, { catalog_name: 'main', name: 'full' }));
    await good(create({ schema_name: 'full' }));
    expect(refusal(await ask('DELETE', `${UC}/schemas/main.full`))).toMatchObject({
      status: 400,
      code: 'SCHEMA_NOT_EMPTY',
    });
    await good(ask('DELETE', `${UC}/schemas/main.full?force=true`));
    expect(refusal(await ask('GET', `${UC}/tables/main.full.t`)).status).toBe(404);
    const { quota_info: quota } = await good(
      ask(
        'GET',
        `${UC}/resource-quotas/metastore/${(await good(ask('GET', `${UC}/metastore_summary`))).metastore_id}/table-quota`,
      ),
    );
    expect(quota.quota_count).toBe(0);
  });

  it('of 16 concurrent creations of one table, one succeeds', async () => {
    const replies = await Promise.all(Array.from({ length: 16 }, () => create()));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(15).fill(409)]);
  });

  it('summaries need a catalog, and only accept tokens of the same list', async () => {
    expect(refusal(await ask('GET', `${UC}/table-summaries`)).message).toBe('Missing required field: catalog_name');
    const summaries = `${UC}/table-summaries?catalog_name=main`;
    expect((await ask('GET', `${summaries}&page_token=x`)).status).toBe(400);
    expect((await ask('GET', `${summaries}&max_results=-1`)).status).toBe(400);
    expect((await ask('GET', `${summaries}&table_name_pattern=${'%25'.repeat(256)}`)).status).toBe(400);
  });
});

describe('patterns of SQL LIKE', () => {
  it.each([
    ['%', '', true],
    ['a%', 'abc', true],
    ['%c', 'abc', true],
    ['a_c', 'abc', true],
    ['a_c', 'ac', false],
    ['A%', 'abc', true],
    ['a\\_c', 'abc', false],
    ['a\\_c', 'a_c', true],
    ['%b%d', 'abcbd', true],
    ['%b%d', 'abc', false],
    ['', '', true],
    ['', 'a', false],
    ['a\\', 'a\\', true],
  ])('%s fits %s: %s', (pattern, text, fits) => {
    expect(likePattern(pattern, { ignoreCase: true }).matches(text)).toBe(fits);
  });

  it('many wildcards cost no more than text times pattern', () => {
    expect(likePattern(`${'%a'.repeat(120)}b`).matches('a'.repeat(255))).toBe(false);
  });
});
