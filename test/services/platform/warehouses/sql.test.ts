import { describe, expect, it } from 'vitest';
import { SqlProblem } from '../../../../src/services/platform/warehouses/sql/problem.ts';
import { runStatement } from '../../../../src/services/platform/warehouses/sql/run-statement.ts';
import type { Typed } from '../../../../src/services/platform/warehouses/sql/session.ts';
import { simple, typeText } from '../../../../src/services/platform/warehouses/sql/types.ts';

const session = {
  now: Date.UTC(2026, 0, 2, 3, 4, 5, 60),
  user: 'ada@example.com',
  catalog: 'main',
  schema: 'default',
  parameters: new Map<string | number, Typed>([
    ['n', { type: simple('INT'), value: 5n }],
    [0, { type: simple('STRING'), value: 'first' }],
  ]),
};

const run = async (text: string) => {
  const { columns, rows } = await runStatement(text, session);
  return { columns: columns.map(({ name, type }) => `${name} ${typeText(type)}`), rows };
};
const cells = async (text: string) => (await run(text)).rows;

describe('SQL without tables', () => {
  it.each([
    ['SELECT 1', ['1 INT'], [['1']]],
    [
      'select 3000000000, 1.50, 2e3, true, null',
      ['3000000000 BIGINT', '1.50 DECIMAL(3,2)', '2e3 DOUBLE', 'true BOOLEAN', 'NULL VOID'],
      [['3000000000', '1.50', '2000.0', 'true', null]],
    ],
    [
      'SELECT 16777216f, 0.001d, 1e-4, 1e7',
      ['16777216 FLOAT', '0.001 DOUBLE', '1e-4 DOUBLE', '1e7 DOUBLE'],
      [['1.6777216E7', '0.001', '1.0E-4', '1.0E7']],
    ],
    [
      'SELECT 1 + 1, 7 / 2, -7 % 3, 1.5 * 2',
      ['(1 + 1) INT', '(7 / 2) DOUBLE', '(-7 % 3) INT', '(1.5 * 2) DECIMAL(4,1)'],
      [['2', '3.5', '-1', '3.0']],
    ],
    [
      "SELECT * FROM VALUES (1, 'a'), (2, NULL) AS t(x, y)",
      ['x INT', 'y STRING'],
      [
        ['1', 'a'],
        ['2', null],
      ],
    ],
    ['VALUES (1), (2.5)', ['col1 DECIMAL(11,1)'], [['1.0'], ['2.5']]],
    ['SELECT :n * 2 AS twice, ? AS who', ['twice INT', 'who STRING'], [['10', 'first']]],
    [
      'SELECT current_user() u, now() t, current_date d',
      ['u STRING', 't TIMESTAMP', 'd DATE'],
      [['ada@example.com', '2026-01-02T03:04:05.060Z', '2026-01-02']],
    ],
    [
      "SELECT TIMESTAMP '2024-01-02 03:04:05.1+01:00' t, '2024-01-02'::timestamp_ntz n",
      ['t TIMESTAMP', 'n TIMESTAMP_NTZ'],
      [['2024-01-02T02:04:05.100Z', '2024-01-02T00:00:00.000']],
    ],
    [
      'SELECT id % 2 AS k, count(*) AS c, avg(id) AS a FROM range(5) GROUP BY id % 2 ORDER BY k DESC',
      ['k BIGINT', 'c BIGINT', 'a DOUBLE'],
      [
        ['1', '2', '2.0'],
        ['0', '3', '2.0'],
      ],
    ],
  ] as const)('%s', async (text, columns, rows) => {
    expect(await run(text)).toEqual({ columns, rows });
  });

  it('knows three values of truth, and the rules of texts, lists, cases and joins', async () => {
    expect(await cells('SELECT NULL AND false, NULL OR true, NOT NULL, 1 IN (2, NULL), NULL <=> NULL')).toEqual([
      ['false', 'true', null, null, 'true'],
    ]);
    expect(
      await cells("SELECT 'it''s', \"a\\nb\", 'a' || 1, 'abc' LIKE 'a_c', 'a%' LIKE 'a\\%', 'x' ILIKE 'X%'"),
    ).toEqual([["it's", 'a\nb', 'a1', 'true', 'true', 'true']]);
    expect(await cells("SELECT CASE 2 WHEN 1 THEN 'a' WHEN 2 THEN 'b' END, coalesce(NULL, 3), nullif(1, 1)")).toEqual([
      ['b', '3', null],
    ]);
    expect(
      await cells('WITH t AS (SELECT 1 AS a UNION ALL SELECT 2) SELECT t.a, u.a FROM t LEFT JOIN t u ON u.a > t.a'),
    ).toEqual([
      ['1', '2'],
      ['2', null],
    ]);
    expect(await cells('SELECT count(*), sum(id), max(id) FROM range(0)')).toEqual([['0', null, null]]);
    expect(await cells('SELECT id FROM range(10) ORDER BY id DESC LIMIT 2 OFFSET 1')).toEqual([['8'], ['7']]);
  });

  it.each([
    ['', '42617', 'PARSE_EMPTY_STATEMENT'],
    ['-- nothing\n;', '42617', 'PARSE_EMPTY_STATEMENT'],
    ['SELEC 1', '42601', "[PARSE_SYNTAX_ERROR] Syntax error at or near 'SELEC'. SQLSTATE: 42601 (line 1, pos 0)"],
    ['SELECT 1;\n  SELECT 2', '42601', '(line 2, pos 2)'],
    ["SELECT 'open", '42601', 'PARSE_SYNTAX_ERROR'],
    ['SELECT * FROM sales', '42P01', '[TABLE_OR_VIEW_NOT_FOUND] The table or view `sales`'],
    ['SELECT a', '42703', 'UNRESOLVED_COLUMN'],
    ['SELECT nope(1)', '42883', 'UNRESOLVED_ROUTINE'],
    ['SELECT upper()', '42605', 'WRONG_NUM_ARGS'],
    ['SELECT 1 / 0', '22012', 'DIVIDE_BY_ZERO'],
    ['SELECT 2147483647 + 1', '22003', 'ARITHMETIC_OVERFLOW'],
    ["SELECT CAST('x' AS INT)", '22018', 'CAST_INVALID_INPUT'],
    ['SELECT :missing', '42P02', 'UNBOUND_SQL_PARAMETER'],
    ['SELECT id, count(*) FROM range(3)', '42803', 'MISSING_AGGREGATION'],
    ['CREATE TABLE t (a INT)', '0A000', 'only queries can be run here'],
    ['VACUUM t', '0A000', 'VACUUM is not available'],
    ['SELECT count(*) FROM range(2000000)', '54000', 'RESOURCE_EXHAUSTED'],
    ["SELECT repeat('x', 1000000) FROM range(100000)", '54000', 'RESOURCE_EXHAUSTED'],
    [`SELECT ${'('.repeat(5000)}1${')'.repeat(5000)}`, '54000', 'RESOURCE_EXHAUSTED'],
    [`SELECT 1${' + 1'.repeat(50_000)}`, '54000', 'RESOURCE_EXHAUSTED'],
    [`SELECT ${'1,'.repeat(150_000)}1`, '54000', 'RESOURCE_EXHAUSTED'],
    ['SELECT count(*) FROM range(100000) a, range(100000) b', '54000', 'RESOURCE_EXHAUSTED'],
    ["SELECT repeat('x', 1000000) LIKE concat('%', repeat('x', 500000), 'y')", '54000', 'RESOURCE_EXHAUSTED'],
    [`SELECT ${'case '.repeat(80)}1${' when 1 then 1 when 2 then 2 end'.repeat(80)}`, '54000', 'RESOURCE_EXHAUSTED'],
    [`SELECT ${Array(1001).fill('1').join()}`, '54000', 'more than 1000 columns'],
    [`SELECT ${Array(1000).fill('id').join()} FROM range(4000)`, '54000', 'more than 3000000 values'],
    ['/*'.repeat(8_000_000), '54000', 'RESOURCE_EXHAUSTED'],
    [`SELECT ${'9'.repeat(1000)}`, '22003', 'CAST_OVERFLOW'],
    ["SELECT to_date(concat('2024-01-01', repeat(' ', 900000), 'x'))", '22018', 'CAST_INVALID_INPUT'],
    ["SELECT DATE '9999-12-31' + 1", '42K09', 'DATATYPE_MISMATCH'],
    ["SELECT date_add('2024-01-01', 2000000000)", '54000', 'out of range'],
  ])('%.40s is refused', async (text, sqlState, message) => {
    const problem = await runStatement(text, session).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(SqlProblem);
    expect(problem).toMatchObject({ sqlState, message: expect.stringContaining(message) });
  });

  it('stops between two turns if halt says so, synchronously or asynchronously', async () => {
    const long = 'SELECT count(*) FROM range(900000)';
    for (const halt of [() => true, async () => true]) {
      const problem = await runStatement(long, session, halt).catch((error: unknown) => error);
      expect(problem).toMatchObject({ message: expect.stringContaining('it was cancelled') });
    }
  });

  it('works operands out once, however deep they are nested', async () => {
    expect(await cells(`SELECT ${'nullif('.repeat(90)}1${', 2)'.repeat(90)} AS one`)).toEqual([['1']]);
    expect(
      await cells(
        `SELECT ${'if('.repeat(45)}1${' BETWEEN 0 AND 1, 1, 0)'.repeat(45)} AS one, 2 NOT BETWEEN 1 AND NULL`,
      ),
    ).toEqual([['1', null]]);
    expect(
      await cells("SELECT CASE 2 WHEN 1 THEN 'a' WHEN 2 THEN 'b' END, CASE NULL WHEN NULL THEN 1 ELSE 0 END"),
    ).toEqual([['b', '0']]);
  });

  it('finds long parts of long texts, and sorts and groups what takes many turns', async () => {
    const long = "concat(repeat('a', 400000), 'b', repeat('a', 99999))";
    expect(
      await cells(
        `SELECT contains(repeat('a', 1000000), ${long}), instr(concat('x', ${long}), ${long}), replace(concat('x', ${long}, 'y', ${long}), ${long}, '-')`.replaceAll(
          '400000',
          '300000',
        ),
      ),
    ).toEqual([['false', '2', 'x-y-']]);
    const rows = await cells(
      'SELECT id % 3 AS rest, count(*), sum(id), avg(id), min(id), max(id) FROM range(60000) GROUP BY 1 ORDER BY rest DESC',
    );
    expect(rows).toEqual([
      ['2', '20000', '600010000', '30000.5', '2', '59999'],
      ['1', '20000', '599990000', '29999.5', '1', '59998'],
      ['0', '20000', '599970000', '29998.5', '0', '59997'],
    ]);
    const sorted = await cells('SELECT id FROM range(20000) ORDER BY id % 100 DESC, id');
    expect(sorted.slice(0, 2)).toEqual([['99'], ['199']]);
    expect(sorted.map(([id]) => Number(id))).toEqual(
      Array.from({ length: 20_000 }, (_, id) => id).sort((a, b) => (b % 100) - (a % 100) || a - b),
    );
  });
});
