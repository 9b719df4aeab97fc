import { expect } from 'vitest';
import { checkFacts, type Fact } from '../compute/facts.ts';
import { answer, cells, failed, manifest, set, status } from './statements-facts.ts';

/** E6 of the facts, results of SQL: the rows `failed SQL, live`, `cell texts, live` and type_name. */

const FAILURES: readonly Fact[] = [
  ...(
    [
      ['SELEC 1', '42601', 'PARSE_SYNTAX_ERROR'],
      ['', '42617', 'PARSE_EMPTY_STATEMENT'],
      [' \n', '42617', 'PARSE_EMPTY_STATEMENT'],
      ['-- nothing', '42617', 'PARSE_EMPTY_STATEMENT'],
      ['SELECT * FROM missing', '42P01', 'TABLE_OR_VIEW_NOT_FOUND'],
      ['SELECT * FROM main.default.missing', '42P01', 'TABLE_OR_VIEW_NOT_FOUND'],
      ['SELECT nope', '42703', 'UNRESOLVED_COLUMN'],
      ['SELECT t.nope FROM (SELECT 1 AS a) t', '42703', 'UNRESOLVED_COLUMN'],
      ['SELECT nope(1)', '42883', 'UNRESOLVED_ROUTINE'],
      ['SELECT 1 / 0', '22012', 'DIVIDE_BY_ZERO'],
      ['SELECT 1 % 0', '22012', 'DIVIDE_BY_ZERO'],
      ['SELECT 1.5 / 0', '22012', 'DIVIDE_BY_ZERO'],
      ['SELECT 2147483647 + 1', '22003', 'ARITHMETIC_OVERFLOW'],
      ['SELECT CAST(300 AS TINYINT)', '22003', 'CAST_OVERFLOW'],
      ["SELECT DATE'2024-01-01' + INTERVAL '999999999' YEAR", '22008', 'DATETIME_OVERFLOW'],
      ["SELECT TIMESTAMP'2024-01-01 00:00:00' - INTERVAL '999999999' DAY", '22008', 'DATETIME_OVERFLOW'],
      ["SELECT CAST('x' AS INT)", '22018', 'CAST_INVALID_INPUT'],
      ["SELECT CAST('2024-02-30' AS DATE)", '22018', 'CAST_INVALID_INPUT'],
      ['SELECT :missing', '42P02', 'UNBOUND_SQL_PARAMETER'],
      ['SELECT ?', '42P02', 'UNBOUND_SQL_PARAMETER'],
    ] as const
  ).map(
    ([statement, sqlState, condition]): Fact => [
      `failed SQL: ${JSON.stringify(statement)} is ${condition} ${sqlState}`,
      (world) => status(world, statement),
      failed(sqlState, condition),
    ],
  ),
  ...(
    [
      ['x', 'INT'],
      ['300', 'TINYINT'],
      ['2024-02-30', 'DATE'],
      ['1', 'NOPE'],
      ['x', 'INTERVAL DAY'],
    ] as const
  ).map(
    ([value, type]): Fact => [
      `failed SQL: the parameter ${value} of type ${type} is 22023`,
      (world) => status(world, 'SELECT :p', { parameters: [{ name: 'p', value, type }] }),
      failed('22023', 'INVALID_PARAMETER_VALUE'),
    ],
  ),
  [
    'failed SQL: the message ends with state and place',
    async (world) => (await status(world, 'SELEC 1')).error.message,
    "[PARSE_SYNTAX_ERROR] Syntax error at or near 'SELEC'. SQLSTATE: 42601 (line 1, pos 0)",
  ],
  ...(
    [
      ['CREATE TABLE t (a INT)', '[TABLE_OR_VIEW_ALREADY_EXISTS] Cannot create table. SQLSTATE: 42P07', '42P07'],
      ['SELECT * FROM secret', '[INSUFFICIENT_PERMISSIONS] Insufficient privileges. SQLSTATE: 42501', '42501'],
    ] as const
  ).map(
    ([statement, error, sqlState]): Fact => [
      `failed SQL: ${sqlState} by an error that is set`,
      async (world) => {
        await set(world, { statement, error });
        return status(world, statement);
      },
      { state: 'FAILED', error: { error_code: 'BAD_REQUEST', message: error }, sql_state: sqlState },
    ],
  ),
];

/** An expression, the text of its cell, the name of its type and the text of the type. */
const CELLS: readonly (readonly [expression: string, cell: string | null, name: string, text: string])[] = [
  ['CAST(16777216 AS FLOAT)', '1.6777216E7', 'FLOAT', 'FLOAT'],
  ["CAST('NaN' AS DOUBLE)", 'NaN', 'DOUBLE', 'DOUBLE'],
  ["CAST('Infinity' AS FLOAT)", 'Infinity', 'FLOAT', 'FLOAT'],
  ["CAST('-Infinity' AS DOUBLE)", '-Infinity', 'DOUBLE', 'DOUBLE'],
  ['1e0', '1.0', 'DOUBLE', 'DOUBLE'],
  ['1e-4', '1.0E-4', 'DOUBLE', 'DOUBLE'],
  ['CAST(0.1 AS FLOAT)', '0.1', 'FLOAT', 'FLOAT'],
  ['CAST(1.5 AS DECIMAL(10,2))', '1.50', 'DECIMAL', 'DECIMAL(10,2)'],
  ['CAST(7 AS DECIMAL(5,0))', '7', 'DECIMAL', 'DECIMAL(5,0)'],
  ['true', 'true', 'BOOLEAN', 'BOOLEAN'],
  ['false', 'false', 'BOOLEAN', 'BOOLEAN'],
  ["X'ff00'", '/wA=', 'BINARY', 'BINARY'],
  ["CAST('hé' AS BINARY)", 'aMOp', 'BINARY', 'BINARY'],
  ["unbase64('AQ==')", 'AQ==', 'BINARY', 'BINARY'],
  ["hex(unhex('0aff'))", '0AFF', 'STRING', 'STRING'],
  ["CAST(X'6869' AS STRING)", 'hi', 'STRING', 'STRING'],
  ["DATE '2024-01-02'", '2024-01-02', 'DATE', 'DATE'],
  ["TIMESTAMP '2024-01-02 03:04:05.123'", '2024-01-02T03:04:05.123Z', 'TIMESTAMP', 'TIMESTAMP'],
  ["TIMESTAMP '2024-01-02 03:04:05'", '2024-01-02T03:04:05.000Z', 'TIMESTAMP', 'TIMESTAMP'],
  ["TIMESTAMP '2024-01-02 03:04:05+01:00'", '2024-01-02T02:04:05.000Z', 'TIMESTAMP', 'TIMESTAMP'],
  ["TIMESTAMP_NTZ '2024-01-02 03:04:05.123'", '2024-01-02T03:04:05.123', 'TIMESTAMP', 'TIMESTAMP_NTZ'],
  ['CAST(1 AS TINYINT)', '1', 'BYTE', 'TINYINT'],
  ['CAST(1 AS SMALLINT)', '1', 'SHORT', 'SMALLINT'],
  ['1', '1', 'INT', 'INT'],
  ['CAST(1 AS BIGINT)', '1', 'LONG', 'BIGINT'],
  ['9223372036854775807', '9223372036854775807', 'LONG', 'BIGINT'],
  ["'a'", 'a', 'STRING', 'STRING'],
  ['NULL', null, 'NULL', 'VOID'],
  ['CAST(NULL AS BINARY)', null, 'BINARY', 'BINARY'],
  ['array(1, NULL, 3)', '["1",null,"3"]', 'ARRAY', 'ARRAY<INT>'],
  ['array()', '[]', 'ARRAY', 'ARRAY<VOID>'],
  ['array(array(1.50), NULL)', '[["1.50"],null]', 'ARRAY', 'ARRAY<ARRAY<DECIMAL(3,2)>>'],
  ["map('b', 1, 'a', NULL)", '{"b":"1","a":null}', 'MAP', 'MAP<STRING, INT>'],
  ['map(2, true, 1, false)', '{"2":"true","1":"false"}', 'MAP', 'MAP<INT, BOOLEAN>'],
  ["named_struct('a', 1, 'b', DATE '2024-01-02')", '{"a":"1","b":"2024-01-02"}', 'STRUCT', 'STRUCT<a: INT, b: DATE>'],
  ["struct(1, 'x\"y')", '{"col1":"1","col2":"x\\"y"}', 'STRUCT', 'STRUCT<col1: INT, col2: STRING>'],
  ["array(X'ff')", '["/w=="]', 'ARRAY', 'ARRAY<BINARY>'],
  ['parse_json(\'{"a": [1, 2.50, "x y"], "b": null}\')', '{"a":[1,2.50,"x y"],"b":null}', 'STRING', 'VARIANT'],
  ["parse_json(' 12345678901234567890 ')", '12345678901234567890', 'STRING', 'VARIANT'],
  ['CAST(parse_json(\'"x"\') AS STRING)', 'x', 'STRING', 'STRING'],
  ["try_parse_json('{')", null, 'STRING', 'VARIANT'],
  ["size(map('a', 1))", '1', 'INT', 'INT'],
  ["INTERVAL '1' DAY", '1 00:00:00.000000000', 'INTERVAL', 'INTERVAL DAY'],
  ['INTERVAL 2 WEEKS', '14 00:00:00.000000000', 'INTERVAL', 'INTERVAL DAY'],
  ['INTERVAL -90 MINUTES', '-0 01:30:00.000000000', 'INTERVAL', 'INTERVAL MINUTE'],
  ["-INTERVAL '1 02:03:04.5' DAY TO SECOND", '-1 02:03:04.500000000', 'INTERVAL', 'INTERVAL DAY TO SECOND'],
  ["INTERVAL '1-2' YEAR TO MONTH", '1-2', 'INTERVAL', 'INTERVAL YEAR TO MONTH'],
  ['INTERVAL 1500 MILLISECONDS', '0 00:00:01.500000000', 'INTERVAL', 'INTERVAL SECOND'],
  ["DATE '2024-01-31' + INTERVAL 1 MONTH", '2024-02-29', 'DATE', 'DATE'],
  ["DATE '2024-03-01' - INTERVAL 1 DAY", '2024-02-29', 'DATE', 'DATE'],
  ["DATE '2024-01-01' - INTERVAL 1 SECOND", '2023-12-31T23:59:59.000Z', 'TIMESTAMP', 'TIMESTAMP'],
  ["INTERVAL 1 HOUR + TIMESTAMP '2024-01-01 23:30:00'", '2024-01-02T00:30:00.000Z', 'TIMESTAMP', 'TIMESTAMP'],
  ["DATE '2024-03-01' - DATE '2024-02-01'", '29 00:00:00.000000000', 'INTERVAL', 'INTERVAL DAY'],
  ['INTERVAL 1 DAY + INTERVAL 2 DAYS', '3 00:00:00.000000000', 'INTERVAL', 'INTERVAL DAY'],
  ['INTERVAL 2 DAYS > INTERVAL 1 DAY', 'true', 'BOOLEAN', 'BOOLEAN'],
  ["array(INTERVAL '3' MONTH)", '["0-3"]', 'ARRAY', 'ARRAY<INTERVAL MONTH>'],
];

const TEXTS: readonly Fact[] = [
  ...CELLS.map(
    ([expression, cell, type_name, type_text]): Fact => [
      `cell texts: ${expression}`,
      async (world) => {
        const {
          manifest: { schema },
          result,
        } = await answer(world, `SELECT ${expression} AS x`);
        return [result.data_array, schema.columns[0].type_name, schema.columns[0].type_text];
      },
      [[[cell]], type_name, type_text],
    ],
  ),
  [
    'cell texts: every value is a text or null',
    (world) => cells(world, "SELECT 1, true, 1.5, 1e0, DATE '2024-01-02', array(1), NULL"),
    [['1', 'true', '1.5', '1.0', '2024-01-02', '["1"]', null]],
  ],
  [
    'manifest: type_precision and type_scale of decimals only',
    async (world) => (await manifest(world, 'SELECT CAST(1 AS DECIMAL(9,3)) AS d, 1e0 AS f')).schema.columns,
    [
      { name: 'd', position: 0, type_name: 'DECIMAL', type_text: 'DECIMAL(9,3)', type_precision: 9, type_scale: 3 },
      { name: 'f', position: 1, type_name: 'DOUBLE', type_text: 'DOUBLE' },
    ],
  ],
  [
    'manifest: type_interval_type of intervals only',
    async (world) => (await manifest(world, "SELECT INTERVAL '1-2' YEAR TO MONTH AS i")).schema.columns,
    [
      {
        name: 'i',
        position: 0,
        type_name: 'INTERVAL',
        type_text: 'INTERVAL YEAR TO MONTH',
        type_interval_type: 'YEAR TO MONTH',
      },
    ],
  ],
  [
    'manifest: names of fields come from columns',
    async (world) =>
      (await manifest(world, 'SELECT struct(id, id + 1) AS s FROM range(1)')).schema.columns[0].type_text,
    'STRUCT<id: BIGINT, col2: BIGINT>',
  ],
  [
    'cell texts: nested values are grouped and compared for equality',
    (world) =>
      cells(
        world,
        'SELECT array(id % 2) AS a, count(*) AS n, array(1) = array(1) AS same FROM range(5) GROUP BY array(id % 2)',
      ),
    [
      ['["0"]', '3', 'true'],
      ['["1"]', '2', 'true'],
    ],
  ],
  ...(
    [
      ['SELECT array(1) < array(2)', '42K09'],
      ['SELECT max(array(id)) FROM range(2)', '42K09'],
      ['SELECT id FROM range(2) ORDER BY array(id)', '42K09'],
      ['SELECT array(id) AS a FROM range(2) ORDER BY a', '42K09'],
      ["SELECT array(1, DATE '2024-01-02')", '42K09'],
      ['SELECT CAST(array(1) AS STRING)', '42K09'],
      ["SELECT map('a', 1, 'b')", '42K09'],
      ["SELECT map('a', 1, 'a', 2)", '23505'],
      ['SELECT map(NULL, 1)', '2200E'],
      ["SELECT parse_json('{')", '22023'],
      ['SELECT named_struct(CAST(id AS STRING), 1) FROM range(1)', '42K09'],
      ["SELECT X'fg'", '42601'],
      ['SELECT CAST(1 AS ARRAY<INT>)', '0A000'],
      ["SELECT INTERVAL 'x' DAY", '42601'],
      ["SELECT INTERVAL '1' DAY TO YEAR", '42601'],
      ["SELECT INTERVAL '1 24:00' DAY TO MINUTE", '42601'],
      ['SELECT INTERVAL 1 NOPE', '42601'],
      ['SELECT INTERVAL 1 DAY + INTERVAL 1 MONTH', '42K09'],
      ['SELECT INTERVAL 1 DAY * 2', '42K09'],
      ["SELECT DATE '2024-01-01' + INTERVAL 999999999 YEARS", '22008'],
      ["SELECT unbase64(concat(repeat(' ', 400000), '!'))", '22018'],
      [
        `WITH t0 AS (SELECT struct(1, 1) AS x)${Array.from({ length: 60 }, (_, n) => `, t${n + 1} AS (SELECT if(false, struct(x, x), NULL) AS x FROM t${n})`).join('')} SELECT x FROM t60`,
        '54000',
      ],
    ] as const
  ).map(
    ([statement, sqlState]): Fact => [
      `failed SQL: ${statement.slice(0, 60)} is ${sqlState}`,
      async (world) => (await status(world, statement)).sql_state,
      sqlState,
    ],
  ),
  [
    'type_name: clients find no name that they do not know',
    async (world) => {
      const { schema } = await manifest(world, `SELECT ${CELLS.map(([expression]) => expression).join(', ')}`);
      return [...new Set((schema.columns as { type_name: string }[]).map(({ type_name }) => type_name))].sort();
    },
    expect.arrayContaining([
      'ARRAY',
      'BINARY',
      'BOOLEAN',
      'BYTE',
      'DATE',
      'DECIMAL',
      'DOUBLE',
      'FLOAT',
      'INT',
      'LONG',
      'MAP',
      'NULL',
      'SHORT',
      'STRING',
      'STRUCT',
      'TIMESTAMP',
    ]),
  ],
];

checkFacts('facts about SQL statements: SQL', [...FAILURES, ...TEXTS]);
