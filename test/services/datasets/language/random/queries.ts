import fc from 'fast-check';
import type { Model } from '../../../../../src/services/datasets/language/model.ts';
import {
  type Columns,
  choose,
  type Environment,
  exactly,
  type Field,
  fieldsOf,
  join,
  type Measure,
  type TableText,
  withRowOf,
  withVariableOf,
} from './environment.ts';
import { filterArguments } from './filters.ts';
import { type RandomData, randomData } from './models.ts';
import { condition, number } from './scalars.ts';
import { tables } from './tables.ts';

/** A model with measures and rows, and a query over it. */
export interface RandomQuery extends RandomData {
  readonly query: string;
  readonly ordered: boolean;
}

/** Maximum nesting depth of expressions. */
const DEEPEST = process.env.CLOUDJAR_SOAK === '1' ? 6 : 4;

const environmentOf = (model: Model, measures: readonly Measure[], depth: number): Environment => ({
  model,
  measures,
  variables: [],
  tables: [],
  rows: [],
  depth,
  exact: false,
});

interface Defined extends Measure {
  readonly expression: string;
}

/** Up to three measures; each may use the ones before it. */
function measuresFor(model: Model): fc.Arbitrary<readonly Defined[]> {
  const names = ['M1', 'M2', 'M3'];
  return fc.nat({ max: names.length }).chain((count) => {
    let all: fc.Arbitrary<readonly Defined[]> = fc.constant([]);
    for (const name of names.slice(0, count))
      all = all.chain((before) =>
        fc
          .record({
            table: fc.constantFrom(...model.tables.map((table) => table.name)),
            expression: number(exactly(environmentOf(model, before, 2))),
          })
          .map((rest) => [...before, { name, exact: true, ...rest }]),
      );
    return all;
  });
}

/** Groups of up to three tables, filters on the tables of the groups and others, and expressions. */
function summarizedColumns(environment: Environment): fc.Arbitrary<TableText> {
  const all = environment.model.tables.flatMap(fieldsOf);
  const filter = fc
    .constantFrom(...all)
    .chain((field) =>
      join(
        `, FILTER(ALL(${field.name}), `,
        condition(
          withRowOf({ ...exactly(environment), depth: 1 }, { fields: [field], base: undefined, filters: true }),
        ),
        ')',
      ),
    );
  const groups = fc.subarray([...all], { maxLength: 3 });
  return groups.chain((fields) =>
    fc
      .record({
        filters: fc.array(filter, { maxLength: 2 }),
        pairs: fc.array(number(environment), { minLength: fields.length === 0 ? 1 : 0, maxLength: 2 }),
      })
      .map(({ filters, pairs }) => {
        const added = pairs.map((_, place): Field => ({ name: `[e${place}]`, kind: 'number' }));
        const columns: Columns = { fields: [...fields, ...added], base: undefined, filters: fields.length > 0 };
        const args = [
          ...fields.map(({ name }) => `, ${name}`),
          ...filters,
          ...pairs.map((expression, place) => `, "e${place}", ${expression}`),
        ];
        return { ...columns, text: `SUMMARIZECOLUMNS(${args.join('').slice(2)})` };
      }),
  );
}

function row(environment: Environment): fc.Arbitrary<TableText> {
  return fc.array(number(environment), { minLength: 1, maxLength: 2 }).map((values) => ({
    fields: values.map((_, place): Field => ({ name: `[r${place}]`, kind: 'number' })),
    base: undefined,
    filters: false,
    text: `ROW(${values.map((text, place) => `"r${place}", ${text}`).join(', ')})`,
  }));
}

/** The expression after EVALUATE, and whether all its numbers are exact. */
function outermost(environment: Environment): fc.Arbitrary<TableText & { readonly exact: boolean }> {
  const grouped = { ...environment, depth: environment.depth - 1 };
  const inexact = (made: fc.Arbitrary<TableText>) => made.map((table) => ({ ...table, exact: false }));
  const exact = (made: fc.Arbitrary<TableText>) => made.map((table) => ({ ...table, exact: true }));
  return choose(
    [4, () => inexact(row(environment))],
    [4, () => exact(tables(exactly(environment)))],
    [5, () => inexact(summarizedColumns(grouped))],
    [
      2,
      () =>
        summarizedColumns(exactly(grouped)).chain((table) =>
          exact(
            join(`FILTER(${table.text}, `, condition(withRowOf(exactly(grouped), table)), ')').map((text) => ({
              ...table,
              text,
            })),
          ),
        ),
    ],
    [
      2,
      () =>
        summarizedColumns(grouped).chain((table) =>
          inexact(
            join(`CALCULATETABLE(${table.text}`, filterArguments({ ...grouped, depth: 1 }), ')').map((text) => ({
              ...table,
              text,
            })),
          ),
        ),
    ],
  );
}

/** Measures are defined in the model or in the query, where a variable may also be defined. */
function queryOver({ model, rows }: RandomData): fc.Arbitrary<RandomQuery> {
  return fc.record({ measures: measuresFor(model), defined: fc.boolean() }).chain(({ measures, defined }) => {
    const inModel = defined ? model : withMeasures(model, measures);
    const environment = environmentOf(inModel, measures, DEEPEST);
    const { name, inner } = withVariableOf(environment, 'number');
    const variable = fc.option(number({ ...exactly(environment), depth: 1 }), { nil: undefined });
    return variable.chain((value) =>
      fc
        .record({ table: outermost(value === undefined ? environment : inner), wanted: fc.boolean() })
        .map(({ table: { text, fields, exact }, wanted }) => {
          const ordered = exact && wanted;
          const definitions = [
            ...(defined ? measures.map((each) => `MEASURE ${each.table}[${each.name}] = ${each.expression} `) : []),
            ...(value === undefined ? [] : [`VAR ${name} = ${value} `]),
          ];
          const define = definitions.length > 0 ? `DEFINE ${definitions.join('')}` : '';
          const order = ordered ? ` ORDER BY ${fields.map((field) => field.name).join(', ')}` : '';
          return { model: inModel, rows, query: `${define}EVALUATE ${text}${order}`, ordered };
        }),
    );
  });
}

const withMeasures = (model: Model, measures: readonly Defined[]): Model => ({
  ...model,
  tables: model.tables.map((table) => ({
    ...table,
    measures: measures.filter((measure) => measure.table === table.name),
  })),
});

export const randomQueries: fc.Arbitrary<RandomQuery> = randomData.chain(queryOver);
