import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../../../../support/jars.ts';
import { SqlBench } from './support.ts';

/** Statements over these tables, with results computed by hand. Each group starts with these tables. */
const TABLES = [
  'CREATE TABLE people (id INT NOT NULL, name STRING, boss INT, born DATE)',
  "INSERT INTO people VALUES (1, 'Ada', NULL, '1815-12-10'), (2, 'Bob', 1, '1990-01-02'), (3, 'Cy', 1, NULL), (4, NULL, 2, '2001-05-06')",
  'CREATE TABLE pay (person INT, month INT, amount DECIMAL(8,2)) PARTITIONED BY (month)',
  'INSERT INTO pay VALUES (1, 1, 100.00), (2, 1, 50.50), (1, 2, 120.00), (9, 2, 7.25), (NULL, 2, 1.00)',
];

type Cells = readonly (readonly (string | null)[])[];

const QUERIES: readonly (readonly [statement: string, rows: Cells])[] = [
  ['SELECT id FROM people ORDER BY id', [['1'], ['2'], ['3'], ['4']]],
  ['SELECT id FROM main.default.people WHERE id = 2', [['2']]],
  ['SELECT id FROM default.people WHERE name IS NULL', [['4']]],
  ['SELECT `id` FROM `main`.`default`.`people` WHERE `people`.`id` < 2', [['1']]],
  ['SELECT people.name FROM people WHERE main.default.people.id = 1', [['Ada']]],
  ['SELECT default.people.id FROM people WHERE default.people.id = 3', [['3']]],
  ['SELECT p.* FROM people p WHERE p.id = 3', [['3', 'Cy', '1', null]]],
  ['SELECT main.default.people.* FROM people WHERE id = 3', [['3', 'Cy', '1', null]]],
  ["SELECT x FROM people AS p(x, y, z, w) WHERE y = 'Bob'", [['2']]],
  ['SELECT name FROM people WHERE boss = 1 ORDER BY name DESC', [['Cy'], ['Bob']]],
  ['SELECT id FROM people WHERE boss <> 1 ORDER BY id', [['4']]],
  ['SELECT id FROM people WHERE NOT (boss = 1) ORDER BY id', [['4']]],
  ['SELECT id FROM people WHERE boss IS DISTINCT FROM 1 ORDER BY id', [['1'], ['4']]],
  ['SELECT id FROM people WHERE (boss = 1) IS NOT TRUE ORDER BY id', [['1'], ['4']]],
  ['SELECT id FROM people WHERE boss <=> NULL', [['1']]],
  ["SELECT id FROM people WHERE name IN ('Ada', NULL)", [['1']]],
  ["SELECT id FROM people WHERE name NOT IN ('Ada', NULL)", []],
  ["SELECT id FROM people WHERE born BETWEEN '1990-01-01' AND '2000-01-01'", [['2']]],
  ["SELECT id FROM people WHERE born > DATE'1990-01-02'", [['4']]],
  ["SELECT id FROM people WHERE name LIKE '_o%'", [['2']]],
  [
    'SELECT count(*), count(name), count(DISTINCT boss), min(born), max(name) FROM people',
    [['4', '3', '2', '1815-12-10', 'Cy']],
  ],
  [
    'SELECT boss, count(*) AS n FROM people GROUP BY boss ORDER BY boss',
    [
      [null, '1'],
      ['1', '2'],
      ['2', '1'],
    ],
  ],
  ['SELECT boss b, count(*) FROM people GROUP BY b HAVING count(*) > 1', [['1', '2']]],
  [
    'SELECT p.boss AS chief, count(*) AS n FROM people p GROUP BY chief HAVING n = 1 ORDER BY 1',
    [
      [null, '1'],
      ['2', '1'],
    ],
  ],
  [
    'SELECT p.name, y.amount FROM people p JOIN pay y ON p.id = y.person ORDER BY y.amount',
    [
      ['Bob', '50.50'],
      ['Ada', '100.00'],
      ['Ada', '120.00'],
    ],
  ],
  [
    'SELECT p.id, y.amount FROM people p LEFT JOIN pay y ON p.id = y.person AND y.month = 2 ORDER BY p.id',
    [
      ['1', '120.00'],
      ['2', null],
      ['3', null],
      ['4', null],
    ],
  ],
  [
    'SELECT p.id, y.person, y.amount FROM people p RIGHT JOIN pay y ON p.id = y.person ORDER BY y.amount',
    [
      [null, null, '1.00'],
      [null, '9', '7.25'],
      ['2', '2', '50.50'],
      ['1', '1', '100.00'],
      ['1', '1', '120.00'],
    ],
  ],
  [
    'SELECT p.id, y.amount FROM people p FULL JOIN pay y ON p.id = y.person AND y.amount > 100 WHERE p.id IS NULL OR y.amount IS NULL ORDER BY y.amount, p.id',
    [
      ['2', null],
      ['3', null],
      ['4', null],
      [null, '1.00'],
      [null, '7.25'],
      [null, '50.50'],
      [null, '100.00'],
    ],
  ],
  ['SELECT p.id FROM people p LEFT SEMI JOIN pay y ON p.id = y.person ORDER BY 1', [['1'], ['2']]],
  ['SELECT p.id FROM people p LEFT ANTI JOIN pay y ON p.id = y.person ORDER BY 1', [['3'], ['4']]],
  ['SELECT count(*) FROM people CROSS JOIN pay', [['20']]],
  ['SELECT count(*) FROM people, pay WHERE id = person', [['3']]],
  [
    'SELECT a.name, b.name FROM people a JOIN people b ON a.boss = b.id ORDER BY a.id',
    [
      ['Bob', 'Ada'],
      ['Cy', 'Ada'],
      [null, 'Bob'],
    ],
  ],
  ['SELECT a.id, b.id FROM people a JOIN people b ON a.id < b.id AND b.id <= 2', [['1', '2']]],
  [
    'SELECT * FROM (SELECT id FROM people) a JOIN (SELECT person AS id, sum(amount) AS s FROM pay GROUP BY person) b USING (id) ORDER BY id',
    [
      ['1', '220.00'],
      ['2', '50.50'],
    ],
  ],
  [
    'SELECT id, a.id, b.id FROM (SELECT 1 AS id) a FULL JOIN (SELECT 2 AS id) b USING (id) ORDER BY id',
    [
      ['1', '1', null],
      ['2', null, '2'],
    ],
  ],
  ['SELECT * FROM (SELECT 1 AS a, 2 AS b) NATURAL JOIN (SELECT 1 AS a, 3 AS c)', [['1', '2', '3']]],
  [
    'WITH rich AS (SELECT person, sum(amount) AS s FROM pay GROUP BY person) SELECT name FROM rich JOIN people ON person = id WHERE s > 60',
    [['Ada']],
  ],
  ['WITH people AS (SELECT 7 AS id) SELECT id FROM people', [['7']]],
  ['SELECT id FROM people WHERE id IN (SELECT person FROM pay) ORDER BY id', [['1'], ['2']]],
  [
    'SELECT id FROM people WHERE id NOT IN (SELECT person FROM pay WHERE person IS NOT NULL) ORDER BY id',
    [['3'], ['4']],
  ],
  ['SELECT id FROM people WHERE id NOT IN (SELECT person FROM pay)', []],
  ['SELECT id FROM people WHERE id IN (SELECT person FROM pay WHERE month = 77)', []],
  ['SELECT id FROM people WHERE id = (SELECT max(person) - 7 FROM pay)', [['2']]],
  ['SELECT (SELECT name FROM people WHERE id = 99) IS NULL', [['true']]],
  ['SELECT count(*) FROM people WHERE EXISTS (SELECT 1 FROM pay WHERE month = 3)', [['0']]],
  ['SELECT count(*) FROM people WHERE NOT EXISTS (SELECT 1 FROM pay WHERE month = 3)', [['4']]],
  ['SELECT boss FROM people UNION SELECT person FROM pay ORDER BY 1', [[null], ['1'], ['2'], ['9']]],
  [
    'SELECT boss FROM people UNION ALL SELECT person FROM pay WHERE person IS NULL ORDER BY 1',
    [[null], [null], ['1'], ['1'], ['2']],
  ],
  ['SELECT boss FROM people INTERSECT SELECT person FROM pay ORDER BY 1', [[null], ['1'], ['2']]],
  ['SELECT person FROM pay EXCEPT SELECT boss FROM people', [['9']]],
  ['SELECT person FROM pay EXCEPT ALL SELECT boss FROM people ORDER BY 1', [['9']]],
  ['SELECT 1 UNION SELECT 2 INTERSECT SELECT 3', [['1']]],
  ['(SELECT id FROM people ORDER BY id DESC LIMIT 1) UNION ALL (SELECT 0) ORDER BY 1', [['0'], ['4']]],
  ['SELECT DISTINCT month FROM pay ORDER BY month DESC', [['2'], ['1']]],
  [
    'SELECT month, sum(amount), avg(amount) FROM pay GROUP BY month ORDER BY month',
    [
      ['1', '150.50', '75.250000'],
      ['2', '128.25', '42.750000'],
    ],
  ],
  ['SELECT amount FROM pay WHERE month = 2 AND amount > 100', [['120.00']]],
  ['SELECT id FROM people ORDER BY born NULLS LAST, id LIMIT 2 OFFSET 1', [['2'], ['4']]],
  ['SELECT count(*) FROM (SELECT id FROM people LIMIT 3)', [['3']]],
  ['SELECT id FROM people LIMIT 0', []],
  ['TABLE people LIMIT 0', []],
  ["SELECT coalesce(name, '?') || id FROM people WHERE id > 3", [['?4']]],
  ["SELECT CASE WHEN boss IS NULL THEN 'top' ELSE 'no' END FROM people WHERE id < 3 ORDER BY id", [['top'], ['no']]],
  ['SELECT year FROM (SELECT year(born) AS year FROM people WHERE id = 2)', [['1990']]],
  ['SELECT count(*) FROM people VERSION AS OF 0', [['0']]],
  ['SELECT count(*) FROM people FOR VERSION AS OF 1', [['4']]],
  ["SELECT table_name FROM information_schema.tables WHERE table_schema = 'default' ORDER BY 1", [['pay'], ['people']]],
  [
    "SELECT column_name, data_type, is_nullable FROM information_schema.columns WHERE table_name = 'people' ORDER BY ordinal_position",
    [
      ['id', 'INT', 'NO'],
      ['name', 'STRING', 'YES'],
      ['boss', 'INT', 'YES'],
      ['born', 'DATE', 'YES'],
    ],
  ],
  ['SELECT schema_name FROM main.information_schema.schemata ORDER BY 1', [['default'], ['information_schema']]],
  ['SELECT count(*) FROM system.information_schema.tables', [['2']]],
  [
    'SHOW TABLES',
    [
      ['default', 'pay', 'false'],
      ['default', 'people', 'false'],
    ],
  ],
  ["SHOW TABLES LIKE 'pe*'", [['default', 'people', 'false']]],
  ['SHOW COLUMNS IN pay', [['person'], ['month'], ['amount']]],
  [
    'DESCRIBE TABLE pay',
    [
      ['person', 'int', null],
      ['month', 'int', null],
      ['amount', 'decimal(8,2)', null],
      ['# Partition Information', '', ''],
      ['# col_name', 'data_type', 'comment'],
      ['month', 'int', null],
    ],
  ],
  [
    'SHOW CREATE TABLE people',
    [
      [
        'CREATE TABLE main.default.people (\n  `id` INT NOT NULL,\n  `name` STRING,\n  `boss` INT,\n  `born` DATE)\nUSING delta\n',
      ],
    ],
  ],
  ['SELECT id FROM people WHERE id = :who', [['3']]],
  ['SELECT current_catalog(), current_schema()', [['main', 'default']]],
];

const REFUSED: readonly (readonly [statement: string, state: string, message: string])[] = [
  [
    'SELECT * FROM nope',
    '42P01',
    '[TABLE_OR_VIEW_NOT_FOUND] The table or view `nope` cannot be found. Verify the spelling and correctness of the schema and catalog. SQLSTATE: 42P01 (line 1, pos 14)',
  ],
  ['SELECT * FROM nope.people', '42P01', '`nope`.`people`'],
  ['SELECT * FROM nope.default.people', '42P01', '`nope`.`default`.`people`'],
  ['SELECT * FROM a.b.c.d', '42601', 'IDENTIFIER_TOO_MANY_NAME_PARTS'],
  ['SELECT nam FROM people', '42703', 'Did you mean one of the following? [`name`, `id`, `boss`, `born`]'],
  ['SELECT id\nFROM people p JOIN pay ON nope = 1', '42703', '(line 2, pos 26)'],
  ['SELECT people.id FROM people p', '42703', 'UNRESOLVED_COLUMN'],
  ['SELECT id FROM people a, people b', '42704', 'AMBIGUOUS_REFERENCE'],
  ['SELECT * FROM people a JOIN pay b USING (nope)', '42703', 'UNRESOLVED_USING_COLUMN_FOR_JOIN'],
  ['SELECT name, count(*) FROM people', '42803', 'MISSING_AGGREGATION'],
  ['SELECT a.id, b.id, count(*) FROM people a, people b GROUP BY a.id', '42803', 'MISSING_AGGREGATION'],
  ['SELECT id, name FROM people UNION SELECT id FROM people', '42826', 'NUM_COLUMNS_MISMATCH'],
  ['SELECT (SELECT id FROM people)', '21000', 'SCALAR_SUBQUERY_TOO_MANY_ROWS'],
  ['SELECT (SELECT id, name FROM people WHERE id = 1)', '42823', 'INVALID_SUBQUERY_EXPRESSION'],
  ['SELECT * FROM people VERSION AS OF 99', '22003', 'DELTA_VERSION_NOT_FOUND'],
  ["SELECT * FROM people TIMESTAMP AS OF '1999-01-01'", '22003', 'DELTA_VERSION_NOT_FOUND'],
  [
    'CREATE TABLE people (a INT)',
    '42P07',
    "[TABLE_OR_VIEW_ALREADY_EXISTS] Table 'main.default.people' already exists. SQLSTATE: 42P07",
  ],
  ['CREATE TABLE nope.t (a INT)', '42704', 'SCHEMA_NOT_FOUND'],
  ['CREATE TABLE nope.default.t (a INT)', '42P08', 'CATALOG_NOT_FOUND'],
  ['CREATE SCHEMA default', '42P06', 'SCHEMA_ALREADY_EXISTS'],
  ['CREATE CATALOG main', '42710', 'CATALOG_ALREADY_EXISTS'],
  ['CREATE TABLE t (a INT, A STRING)', '42711', 'COLUMN_ALREADY_EXISTS'],
  ['CREATE TABLE t (a NOPE)', '42601', 'PARSE_SYNTAX_ERROR'],
  ['CREATE TABLE t AS SELECT count(*) FROM people', '42K05', 'DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES'],
  ['CREATE TABLE t (a INT) PARTITIONED BY (b)', '42703', 'UNRESOLVED_COLUMN'],
  ["CREATE TABLE t (a INT DEFAULT 'x')", '22018', 'CAST_INVALID_INPUT'],
  ['CREATE TABLE t (a INT, CONSTRAINT c CHECK (b > 1))', '42703', 'UNRESOLVED_COLUMN'],
  ['CREATE TABLE t USING csv AS SELECT 1 AS a', '0A000', 'CSV'],
  ['CREATE TABLE `bad name` (a INT)', '22023', 'is not a valid name'],
  ['CREATE TEMPORARY TABLE t (a INT)', '0A000', 'CREATE TEMPORARY is not available'],
  ['DROP TABLE nope', '42P01', 'TABLE_OR_VIEW_NOT_FOUND'],
  ['DROP VIEW people', '42809', 'EXPECT_VIEW_NOT_TABLE'],
  ['DROP SCHEMA default', '2BP01', 'SCHEMA_NOT_EMPTY'],
  ['DROP SCHEMA nope', '42704', 'SCHEMA_NOT_FOUND'],
  ['DROP CATALOG nope', '42P08', 'CATALOG_NOT_FOUND'],
  ['DROP SCHEMA information_schema', '42501', 'INSUFFICIENT_PERMISSIONS'],
  ['INSERT INTO nope VALUES (1)', '42P01', 'TABLE_OR_VIEW_NOT_FOUND'],
  ["INSERT INTO people VALUES (1, 'x')", '21S01', 'INSERT_COLUMN_ARITY_MISMATCH.NOT_ENOUGH_DATA_COLUMNS'],
  ["INSERT INTO people VALUES (1, 'x', 1, NULL, 5)", '21S01', 'INSERT_COLUMN_ARITY_MISMATCH.TOO_MANY_DATA_COLUMNS'],
  ['INSERT INTO people (id, id) VALUES (1, 2)', '42711', 'COLUMN_ALREADY_EXISTS'],
  ['INSERT INTO people (nope) VALUES (1)', '42703', 'UNRESOLVED_COLUMN'],
  [
    "INSERT INTO people (name) VALUES ('x')",
    '23502',
    '[DELTA_NOT_NULL_CONSTRAINT_VIOLATED] NOT NULL constraint violated for column: id. SQLSTATE: 23502',
  ],
  ['INSERT INTO people (id) VALUES (3000000000)', '22003', 'CAST_OVERFLOW_IN_TABLE_INSERT'],
  ["INSERT INTO people (id) VALUES ('one')", '22018', 'CAST_INVALID_INPUT'],
  ['INSERT INTO pay (amount) VALUES (1234567.89)', '22003', 'CAST_OVERFLOW_IN_TABLE_INSERT'],
  ['INSERT INTO people (id, born) VALUES (5, 7)', 'KD000', 'INCOMPATIBLE_DATA_FOR_TABLE'],
  ['INSERT INTO main.information_schema.tables VALUES (1)', '42P01', 'TABLE_OR_VIEW_NOT_FOUND'],
  ['UPDATE people SET nope = 1', '42703', 'UNRESOLVED_COLUMN'],
  ['UPDATE people SET id = NULL WHERE id = 1', '23502', 'DELTA_NOT_NULL_CONSTRAINT_VIOLATED'],
  ['UPDATE people SET id = 1, id = 2', '42711', 'COLUMN_ALREADY_EXISTS'],
  ['UPDATE people SET id = id / 0', '22012', 'DIVIDE_BY_ZERO'],
  ['DELETE FROM people WHERE nope', '42703', 'UNRESOLVED_COLUMN'],
  [
    'MERGE INTO people USING pay ON id = person WHEN MATCHED THEN UPDATE SET boss = month',
    '21506',
    'DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE',
  ],
  ['MERGE INTO people USING pay ON id = person', '42601', 'PARSE_SYNTAX_ERROR'],
  ['MERGE INTO people USING pay ON id = person WHEN NOT MATCHED THEN INSERT *', '42703', 'UNRESOLVED_COLUMN'],
  ['ALTER TABLE people ADD COLUMN id INT', '42710', 'FIELD_ALREADY_EXISTS'],
  ['ALTER TABLE people DROP COLUMN nope', '42703', 'UNRESOLVED_COLUMN'],
  ['ALTER TABLE people ALTER COLUMN name SET NOT NULL', '23512', 'DELTA_NEW_NOT_NULL_VIOLATION'],
  ['ALTER TABLE people ALTER COLUMN id TYPE STRING', '0AKDC', 'DELTA_UNSUPPORTED_ALTER_TABLE_CHANGE_COL_OP'],
  ['ALTER TABLE people ADD CONSTRAINT old CHECK (id > 1)', '23512', 'DELTA_NEW_CHECK_CONSTRAINT_VIOLATION'],
  ['ALTER TABLE people DROP CONSTRAINT nope', '42704', 'DELTA_CONSTRAINT_DOES_NOT_EXIST'],
  ["ALTER TABLE people UNSET TBLPROPERTIES ('x')", '42K0J', 'UNSET_NONEXISTENT_PROPERTIES'],
  ['ALTER TABLE people RENAME TO pay', '42P07', 'TABLE_OR_VIEW_ALREADY_EXISTS'],
  ["ALTER TABLE people SET TBLPROPERTIES ('delta.constraints.c' = 'id > 5')", '22023', 'ADD CONSTRAINT'],
  ['ALTER TABLE pay DROP COLUMN month', '42K09', 'DELTA_CONSTRAINT_DEPENDENT_COLUMN_CHANGE'],
  ['CREATE VIEW v (a) AS SELECT id, name FROM people', '21S01', 'CREATE_VIEW_COLUMN_ARITY_MISMATCH'],
  ['CREATE VIEW v AS SELECT nope FROM people', '42703', 'UNRESOLVED_COLUMN'],
  ['CREATE VIEW v AS SELECT :x', '42P02', 'UNBOUND_SQL_PARAMETER'],
  ['GRANT FLY ON TABLE people TO users', '22023', 'Privilege FLY is not applicable'],
  ['GRANT SELECT ON TABLE people TO nobody', '42704', 'PRINCIPAL_DOES_NOT_EXIST'],
  ['GRANT SELECT ON TABLE nope TO users', '42P01', 'TABLE_OR_VIEW_NOT_FOUND'],
  ['DESCRIBE nope', '42P01', 'TABLE_OR_VIEW_NOT_FOUND'],
  ['TRUNCATE TABLE nope', '42P01', 'TABLE_OR_VIEW_NOT_FOUND'],
  ['USE CATALOG nope', '42P08', 'CATALOG_NOT_FOUND'],
  ['USE nope', '42704', 'SCHEMA_NOT_FOUND'],
  ['VACUUM people', '0A000', 'VACUUM is not available'],
];

onAnyStore('data platform: SQL over tables', (bench) => {
  let sql: SqlBench;
  let isReady = false;
  beforeEach(async () => {
    if (isReady) return;
    sql = await SqlBench.of(bench);
    isReady = true;
    for (const statement of TABLES) await sql.rows(statement);
  });

  describe('answers', () => {
    it.each(QUERIES)('%s', async (statement, rows) => {
      const parameters = [{ name: 'who', value: '3', type: 'INT' }];
      expect(await sql.rows(statement, statement.includes(':who') ? { parameters } : {})).toEqual(rows);
    });
  });

  describe('refusals', () => {
    it.each(REFUSED)('%s is %s', async (statement, state, message) => {
      const refused = await sql.refusal(statement);
      expect(refused).toEqual({ state, message: expect.stringContaining(message) });
      expect(refused.message).toContain(`SQLSTATE: ${state}`);
    });

    it('leave the tables as they were', async () => {
      expect(await sql.rows('SELECT count(*), sum(id) FROM people')).toEqual([['4', '10']]);
      expect(await sql.rows('SHOW TABLES')).toHaveLength(2);
    });
  });
});
