import fc from 'fast-check';
import {
  allFields,
  ancestorsOf,
  type Columns,
  choose,
  currentFields,
  deeper,
  type Environment,
  exactly,
  fieldsOf,
  join,
  type Kind,
  namesOf,
  oneOf,
  type TableText,
  type Text,
  withoutRows,
  withRowOf,
  withTableOf,
  withVariableOf,
} from './environment.ts';
import { filterArguments } from './filters.ts';
import { tables } from './tables.ts';

const LITERALS: Readonly<Record<Kind, readonly string[]>> = {
  number: ['1', '0', '2', '-1', '0.5', 'BLANK()'],
  decimal: ['1', '0.5', '0', 'BLANK()'],
  text: ['"x"', '"Y"', '""', '"zz"', 'BLANK()'],
  boolean: ['TRUE', 'FALSE'],
  date: ['dt"2024-01-06"', 'dt"2024-02-01"'],
};

/** A constant; for kinds other than booleans and dates it can be blank. */
export const literal = (kind: Kind): Text => oneOf(LITERALS[kind]);

/** Columns of current rows, of their parents, and variables. */
function readable(environment: Environment, kind: Kind): readonly string[] {
  const { variables, model } = environment;
  const related = rowsWithParents(environment)
    .flatMap((base) => ancestorsOf(model, base))
    .flatMap((table) => namesOf(fieldsOf(table), kind).map((name) => `RELATED(${name})`));
  return [...namesOf(currentFields(environment), kind), ...related, ...namesOf(variables, kind)];
}

/**
 * Tables whose rows are current. Rows of UNION and ADDCOLUMNS with all columns of a table hide outer rows: the facts do not state if
 * RELATED treats them as rows of the table.
 */
function rowsWithParents({ rows, model }: Environment): readonly string[] {
  const isLikeTable = ({ base, fields }: Columns) =>
    base === undefined &&
    model.tables.some((table) => fieldsOf(table).every(({ name }) => fields.some((field) => field.name === name)));
  return rows.slice(rows.findLastIndex(isLikeTable) + 1).flatMap(({ base }) => base ?? []);
}

/** Values of one kind without nested expressions. */
function simple(environment: Environment, kind: Kind): Text {
  const names = readable(environment, kind);
  return choose([1, () => literal(kind)], [names.length > 0 ? 3 : 0, () => oneOf(names)]);
}

/** Aggregates of a column, or of all rows of a table. */
export function plainAggregate({ model, exact }: Environment): Text {
  const fields = model.tables.flatMap(fieldsOf);
  const numeric = ['SUM', 'MIN', 'MAX', 'COUNT', ...(exact ? [] : ['AVERAGE'])];
  return choose(
    [2, () => join('COUNTROWS(', oneOf(model.tables.map(({ name }) => name)), ')')],
    [4, () => join(oneOf(numeric), '(', oneOf(namesOf(fields, 'number')), ')')],
    [2, () => join(oneOf(['COUNTA', 'COUNTBLANK', 'DISTINCTCOUNT']), '(', oneOf(fields.map(({ name }) => name)), ')')],
  );
}

function measure({ measures, exact }: Environment): readonly string[] {
  return measures.filter((each) => each.exact || !exact).map(({ name }) => `[${name}]`);
}

export function number(environment: Environment): Text {
  const measures = measure(environment);
  const leaf = choose<string>(
    [3, () => simple(environment, 'number')],
    [2, () => plainAggregate(environment)],
    [measures.length > 0 ? 4 : 0, () => oneOf(measures)],
  );
  if (environment.depth <= 0) return leaf;
  const inner = deeper(environment);
  const compared = exactly(inner);
  return choose<string>(
    [6, () => leaf],
    [3, () => join('(', number(inner), oneOf([' + ', ' - ', ' * ']), number(inner), ')')],
    [2, () => join('IF(', condition(compared), ', ', number(inner), ', ', number(inner), ')')],
    [1, () => join('IF(', condition(compared), ', ', number(inner), ')')],
    [1, () => join('COALESCE(', number(inner), ', ', number(inner), ')')],
    [1, () => join('DIVIDE(', number(inner), oneOf([', 2', ', 0', ', 4, 1', ', 0, -1', ', BLANK()']), ')')],
    [environment.exact ? 0 : 1, () => join('(', number(inner), ' / ', number(compared), ')')],
    [1, () => join('SWITCH(', number(compared), ', 1, ', number(inner), ', BLANK(), ', number(inner), ', 7)')],
    [1, () => join(oneOf(['ABS(', '-(']), number(inner), ')')],
    [1, () => join(oneOf(['MIN(', 'MAX(']), number(compared), ', ', number(compared), ')')],
    [1, () => join('LEN(', text(compared), ')')],
    [1, () => join('(', decimal(inner), ' + 0.5)')],
    [1, () => join(oneOf(['YEAR(', 'MONTH(']), simple(environment, 'date'), ')')],
    [2, () => bound(inner, 'number', number)],
    [1, () => boundTable(inner)],
    [8, () => join('CALCULATE(', number(withoutRows(inner)), filterArguments(inner), ')')],
    [8, () => iteration(inner)],
    [2, () => tables(exactly(inner)).chain((table) => fc.constant(`COUNTROWS(${table.text})`))],
  );
}

/** An iterator (X function) over a table. */
const iteration = (environment: Environment): Text =>
  tables(exactly(environment)).chain((table) => iterated(table, environment));

function iterated(table: TableText, environment: Environment): Text {
  const functions = ['SUMX', 'MINX', 'MAXX', 'COUNTX', ...(environment.exact ? [] : ['AVERAGEX'])];
  return join(oneOf(functions), `(${table.text}, `, number(exactly(withRowOf(environment, table))), ')');
}

/** `VAR v = … RETURN …` around a value of any kind. */
function bound(environment: Environment, kind: Kind, make: (inner: Environment) => Text): Text {
  const { name, inner } = withVariableOf(environment, kind);
  return join(`(VAR ${name} = `, value(exactly(environment), kind), ' RETURN ', make(inner), ')');
}

/** `VAR t = table RETURN …` */
function boundTable(environment: Environment): Text {
  return tables(exactly(environment)).chain((table) => {
    const { name, inner } = withTableOf(environment, table);
    const used = choose<string>(
      [1, () => fc.constant(`COUNTROWS(${name})`)],
      [1, () => iterated({ ...table, text: name }, inner)],
      [1, () => number(inner)],
    );
    return join(`(VAR ${name} = ${table.text} RETURN `, used, ')');
  });
}

/** A decimal of a current row, or a sum of decimals. */
function decimal(environment: Environment): Text {
  const columns = namesOf(allFields(environment), 'decimal');
  if (columns.length === 0) return literal('decimal');
  const aggregate = () => join(oneOf(['SUM', 'MIN', 'MAX']), '(', oneOf(columns), ')');
  return choose<string>(
    [2, () => simple(environment, 'decimal')],
    [2, aggregate],
    [environment.depth > 0 ? 1 : 0, () => join('CALCULATE(', aggregate(), filterArguments(deeper(environment)), ')')],
  );
}

export function text(environment: Environment): Text {
  if (environment.depth <= 0) return simple(environment, 'text');
  const inner = deeper(environment);
  const columns = namesOf(allFields(environment), 'text');
  return choose<string>(
    [6, () => simple(environment, 'text')],
    [1, () => join('(', text(inner), ' & ', text(inner), ')')],
    [1, () => join('UPPER(', text(inner), ')')],
    [1, () => join('IF(', condition(inner), ', ', text(inner), ', ', text(inner), ')')],
    [columns.length > 0 ? 1 : 0, () => join(oneOf(['MIN(', 'MAX(']), oneOf(columns), ')')],
    [
      columns.length > 0 ? 1 : 0,
      () => join('CALCULATE(', oneOf(['MIN(', 'MAX(']), oneOf(columns), ')', filterArguments(inner), ')'),
    ],
  );
}

const COMPARISONS = [' = ', ' <> ', ' < ', ' > ', ' <= ', ' >= ', ' == '];

/** A boolean. */
export function condition(environment: Environment): Text {
  const inner = exactly(deeper(environment));
  const flat = { ...inner, depth: 0 };
  const kinds: readonly Kind[] = ['number', 'decimal', 'text', 'date'];
  const comparison = (at: Environment) =>
    fc.constantFrom(...kinds).chain((kind) => join('(', value(at, kind), oneOf(COMPARISONS), value(at, kind), ')'));
  if (environment.depth <= 0) return choose([1, () => simple(environment, 'boolean')], [3, () => comparison(flat)]);
  return choose<string>(
    [3, () => comparison(flat)],
    [4, () => comparison(inner)],
    [1, () => simple(environment, 'boolean')],
    [1, () => join('NOT(', condition(inner), ')')],
    [2, () => join('(', condition(inner), oneOf([' && ', ' || ']), condition(inner), ')')],
    [
      2,
      () =>
        join(
          'ISBLANK(',
          fc.constantFrom<Kind>('number', 'text').chain((kind) => value(inner, kind)),
          ')',
        ),
    ],
    [1, () => join('(', number(inner), ' IN {1, 2, BLANK()})')],
    [1, () => join('(', text(inner), ' IN {"X", "", "y"})')],
    [
      1,
      () => {
        const columns = namesOf(allFields(environment), 'number');
        return join('(', number(inner), ' IN ', oneOf(['VALUES(', 'DISTINCT(', 'ALL(']), oneOf(columns), '))');
      },
    ],
  );
}

export function value(environment: Environment, kind: Kind): Text {
  switch (kind) {
    case 'number':
      return number(environment);
    case 'decimal':
      return decimal(environment);
    case 'text':
      return text(environment);
    case 'boolean':
      return condition(environment);
    case 'date':
      return simple(environment, 'date');
  }
}
