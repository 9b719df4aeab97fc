import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tablesIn } from '../../../../src/services/platform/clean-rooms/running/declared-tables.ts';

const names = (text: string): readonly string[] => tablesIn(text, 100).map(({ name }) => name);

describe('output tables that the text of a notebook declares', () => {
  it.each([
    ['spark.sql(f"CREATE TABLE {cr_output_catalog}.{cr_output_schema}.found AS SELECT 1")', ['found']],
    [
      "CREATE OR REPLACE TABLE IDENTIFIER(:cr_output_catalog || '.' || :cr_output_schema || '.' || 'found') AS SELECT 1",
      ['found'],
    ],
    ['CREATE TABLE IF NOT EXISTS $' + '{cr_output_catalog}.$' + '{cr_output_schema}.`Found`', ['found']],
    ['df.write.saveAsTable(f"{cr_output_catalog}.{cr_output_schema}.found")', ['found']],
    ['df.writeTo(cr_output_catalog + "." + cr_output_schema + ".found").create()', ['found']],
    ['schema = dbutils.widgets.get("cr_output_schema")\ncatalog = 5', []],
    ['CREATE TABLE x AS SELECT * FROM {cr_output_schema}.earlier', []],
    ['SELECT * FROM {cr_output_schema}.found', []],
    ['DROP TABLE {cr_output_schema}.found', []],
    [
      'CREATE TABLE {cr_output_schema}.a;\nCREATE TABLE {cr_output_schema}.a;\nCREATE TABLE {cr_output_schema}.b',
      ['a', 'b'],
    ],
    ['cr_output_schema', []],
    ['', []],
  ])('%s', (text, expected) => {
    expect(names(text)).toEqual(expected);
  });

  it('have the columns that the statement lists', () => {
    const [table] = tablesIn(
      'CREATE TABLE {cr_output_schema}.found (id BIGINT NOT NULL, `Name` string, parts ARRAY<STRUCT<a: INT, b: INT>>, price DECIMAL(10, 2), id INT)',
      100,
    );
    expect(table?.columns.map(({ name, type_name }) => [name, type_name])).toEqual([
      ['id', 'LONG'],
      ['Name', 'STRING'],
      ['parts', 'STRING'],
      ['price', 'STRING'],
    ]);
    expect(tablesIn('CREATE TABLE {cr_output_schema}.found (id BIGINT', 100)[0]?.columns).toEqual([]);
  });

  it('whatever the text is, at most one more than asked for is found, with names and columns that a table can have', () => {
    const part = fc.constantFrom(
      'CREATE TABLE ',
      'cr_output_schema',
      '.',
      'a',
      'b',
      '(',
      ')',
      ',',
      ' INT',
      '{',
      '}',
      '\n',
      ' FROM ',
      '`',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        const found = tablesIn(parts.join(''), 2);
        expect(found.length).toBeLessThanOrEqual(3);
        expect(new Set(found.map(({ name }) => name)).size).toBe(found.length);
        for (const { name, columns } of found) {
          expect(name).toMatch(/^[a-z_]\w*$/);
          expect(columns.map(({ position }) => position)).toEqual(columns.map((_, index) => index));
        }
      }),
    );
  });
});
