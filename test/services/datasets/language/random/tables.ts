import fc from 'fast-check';
import type { ModelTable } from '../../../../../src/services/datasets/language/model.ts';
import {
  ancestorsOf,
  type Columns,
  choose,
  currentFields,
  deeper,
  type Environment,
  exactly,
  type Field,
  fieldsOf,
  join,
  oneOf,
  type TableText,
  type Text,
  withoutRows,
  withRowOf,
} from './environment.ts';
import { filterArguments } from './filters.ts';
import { condition, number, value } from './scalars.ts';

type Tables = fc.Arbitrary<TableText>;

const withColumns = (text: Text, columns: Columns): Tables => text.map((each) => ({ ...columns, text: each }));

const columnsOf = (table: ModelTable): Columns => ({ fields: fieldsOf(table), base: table.name, filters: true });

const columnsOfFields = (fields: readonly Field[], filters = true): Columns => ({ fields, base: undefined, filters });

const modelTable = ({ model }: Environment) => fc.constantFrom(...model.tables);

/** Model tables and columns, filtered or not. */
function simpleTable(environment: Environment): Tables {
  const table = modelTable(environment);
  const ofColumn = (called: string) => () =>
    table
      .chain((each) => fc.constantFrom(...fieldsOf(each)))
      .map((field) => ({ ...columnsOfFields([field]), text: `${called}(${field.name})` }));
  const ofTable = (called: string) => () =>
    table.map((each) => ({ ...columnsOf(each), text: `${called}(${each.name})` }));
  return choose<TableText>(
    [3, () => table.map((each) => ({ ...columnsOf(each), text: each.name }))],
    [5, ofColumn('VALUES')],
    [2, ofTable('VALUES')],
    [2, ofColumn('DISTINCT')],
    [2, ofColumn('ALL')],
    [1, ofTable('ALL')],
    [1, ofColumn('ALLNOBLANKROW')],
    [1, () => table.chain((each) => allOfTwo(each))],
    [environment.tables.length > 0 ? 6 : 0, () => fc.constantFrom(...environment.tables)],
  );
}

const twoFields = (table: ModelTable): fc.Arbitrary<readonly Field[]> =>
  fc.subarray([...fieldsOf(table)], { minLength: 2, maxLength: 2 });

const allOfTwo = (table: ModelTable): Tables =>
  twoFields(table).map((fields) => ({
    ...columnsOfFields(fields),
    text: `ALL(${fields.map(({ name }) => name).join(', ')})`,
  }));

/** Any table expression except SUMMARIZECOLUMNS, which is always outermost. */
export function tables(environment: Environment): Tables {
  if (environment.depth <= 0) return simpleTable(environment);
  const inner = exactly(deeper(environment));
  const some = () => tables(inner);
  return choose<TableText>(
    [6, () => simpleTable(environment)],
    [4, () => some().chain((table) => filtered(inner, table))],
    [3, () => calculated(inner)],
    [3, () => some().chain((table) => extended(inner, table))],
    [2, () => some().chain((table) => selected(inner, table))],
    [3, () => some().chain((table) => summarized(inner, table))],
    [2, () => some().chain((table) => top(inner, table))],
    [1, () => some().map((table) => ({ ...table, text: `DISTINCT(${table.text})` }))],
    [1, () => doubled(inner)],
    [1, () => constructed(inner)],
    [
      environment.rows.length > 0 ? 2 : 0,
      () => modelTable(inner).map((table) => ({ ...columnsOf(table), text: `RELATEDTABLE(${table.name})` })),
    ],
  );
}

const filtered = (environment: Environment, table: TableText): Tables =>
  withColumns(join(`FILTER(${table.text}, `, condition(withRowOf(environment, table)), ')'), table);

const calculated = (environment: Environment): Tables =>
  tables(withoutRows(environment)).chain((table) =>
    withColumns(join(`CALCULATETABLE(${table.text}`, filterArguments(environment), ')'), table),
  );

/** A column name that the table does not have. */
const newName = ({ fields }: Columns): string => `x${fields.length}`;

export const extended = (environment: Environment, table: TableText): Tables => {
  const name = newName(table);
  const fields: readonly Field[] = [...table.fields, { name: `[${name}]`, kind: 'number' }];
  return withColumns(
    join(`ADDCOLUMNS(${table.text}, "${name}", `, number(withRowOf(environment, table)), ')'),
    columnsOfFields(fields, table.filters),
  );
};

/** A renamed column of the table, and a computed column or a column of this or an outer row. */
const selected = (environment: Environment, table: TableText): Tables => {
  const row = withRowOf(environment, table);
  const columns = currentFields(row).filter(({ kind }) => kind === 'number');
  const second = choose<Field>(
    [3, () => number(row).map((name) => ({ name, kind: 'number' }))],
    [columns.length > 0 ? 1 : 0, () => fc.constantFrom(...columns)],
  );
  return fc.tuple(fc.constantFrom(...table.fields), second).map(([first, other]) => {
    const fields: readonly Field[] = [
      { ...first, name: '[s1]' },
      { ...other, name: '[s2]' },
    ];
    const text = `SELECTCOLUMNS(${table.text}, "s1", ${first.name}, "s2", ${other.name})`;
    const filters = fields.some(({ lineage }) => lineage === true);
    return { ...columnsOfFields(fields, filters), text };
  });
};

/** Columns of the table and its parents, with or without a pair. */
const summarized = (environment: Environment, table: TableText): Tables => {
  const parents = table.base === undefined ? [] : ancestorsOf(environment.model, table.base).flatMap(fieldsOf);
  const groups = [...table.fields.filter(({ name }) => !name.startsWith('[')), ...parents];
  if (groups.length === 0) return fc.constant(table);
  return fc.subarray(groups, { minLength: 1, maxLength: Math.min(2, groups.length) }).chain((fields) => {
    const head = `SUMMARIZE(${table.text}, ${fields.map(({ name }) => name).join(', ')}`;
    const row = withRowOf(environment, columnsOfFields(fields));
    return choose<TableText>(
      [2, () => fc.constant({ ...columnsOfFields(fields), text: `${head})` })],
      [
        2,
        () =>
          withColumns(
            join(`${head}, "p", `, number(row), ')'),
            columnsOfFields([...fields, { name: '[p]', kind: 'number' }]),
          ),
      ],
    );
  });
};

const top = (environment: Environment, table: TableText): Tables => {
  const row = withRowOf(environment, table);
  const key = () =>
    join(
      ', ',
      fc.constantFrom('number' as const, 'text' as const).chain((kind) => value(row, kind)),
      oneOf(['', ', DESC', ', ASC', ', 1']),
    );
  const oneKey = key();
  const twoKeys = join(
    ', ',
    fc.constantFrom('number' as const, 'text' as const).chain((kind) => value(row, kind)),
    oneOf([', DESC', ', ASC']),
    key(),
  );
  const text = join(
    'TOPN(',
    oneOf(['1', '2', '3', '0']),
    `, ${table.text}`,
    choose([2, () => oneKey], [1, () => twoKeys]),
    ')',
  );
  return withColumns(text, table);
};

/** UNION of two tables with the same columns. */
const doubled = (environment: Environment): Tables =>
  tables(environment).chain((table) =>
    fc.constantFrom(
      { ...columnsOfFields(table.fields, table.filters), text: `UNION(${table.text}, ${table.text})` },
      { ...columnsOfFields(table.fields, table.filters), text: `UNION(${table.text}, FILTER(${table.text}, FALSE))` },
    ),
  );

const constructed = (environment: Environment): Tables =>
  withColumns(
    join('{', number({ ...environment, depth: 0 }), ', ', number({ ...environment, depth: 0 }), '}'),
    columnsOfFields([{ name: '[Value]', kind: 'number' }], false),
  );
