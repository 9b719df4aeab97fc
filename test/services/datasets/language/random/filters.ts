import fc from 'fast-check';
import type { ModelTable } from '../../../../../src/services/datasets/language/model.ts';
import {
  ancestorsOf,
  choose,
  deeper,
  type Environment,
  exactly,
  type Field,
  fieldsOf,
  join,
  oneOf,
  type Text,
} from './environment.ts';
import { literal, plainAggregate } from './scalars.ts';
import { tables } from './tables.ts';

/** Arguments of CALCULATE after the first, each with its comma; usually one or two. */
export function filterArguments(environment: Environment): Text {
  const one = () => join(', ', filterArgument(exactly(environment)));
  return choose<string>([1, () => fc.constant('')], [6, one], [3, () => join(one(), one())]);
}

function filterArgument(environment: Environment): Text {
  const table = fc.constantFrom(...environment.model.tables);
  const plain = () => table.chain((each) => predicate(environment, each));
  return choose<string>(
    [6, plain],
    [2, () => join('KEEPFILTERS(', plain(), ')')],
    [4, () => table.chain((each) => modifier(environment, each))],
    [3, () => filterTable(environment)],
    [1, () => join('KEEPFILTERS(', filterTable(environment), ')')],
  );
}

/** A condition on one or two columns of one table, without measures and CALCULATE. */
function predicate(environment: Environment, table: ModelTable): Text {
  const field = fc.constantFrom(...fieldsOf(table));
  const single = () => field.chain((each) => columnCondition(environment, each));
  return choose<string>(
    [6, single],
    [1, () => join('NOT(', single(), ')')],
    [2, () => join('(', single(), oneOf([' || ', ' && ']), single(), ')')],
  );
}

function columnCondition(environment: Environment, { name, kind }: Field): Text {
  if (kind === 'boolean') return oneOf([name, `NOT(${name})`, `ISBLANK(${name})`, `${name} == FALSE`]);
  const outer = environment.variables.filter((variable) => variable.kind === kind).map((variable) => variable.name);
  const operator = oneOf([' = ', ' <> ', ' < ', ' >= ', ' == ']);
  return choose<string>(
    [4, () => join(name, operator, literal(kind))],
    [2, () => join(`${name} IN {`, literal(kind), ', ', literal(kind), '}')],
    [1, () => oneOf([`ISBLANK(${name})`, `NOT(ISBLANK(${name}))`])],
    [kind === 'number' ? 1 : 0, () => join(name, operator, plainAggregate(environment))],
    [outer.length > 0 ? 2 : 0, () => join(name, operator, oneOf(outer))],
  );
}

function modifier({ model }: Environment, table: ModelTable): Text {
  const columns = oneOf(fieldsOf(table).map(({ name }) => name));
  const reachable = oneOf([table, ...ancestorsOf(model, table.name)].flatMap(fieldsOf).map(({ name }) => name));
  return choose<string>(
    [3, () => fc.constant(`ALL(${table.name})`)],
    [3, () => join('ALL(', columns, ')')],
    [2, () => join('REMOVEFILTERS(', columns, ')')],
    [2, () => fc.constant(`REMOVEFILTERS(${table.name})`)],
    [1, () => fc.constant('REMOVEFILTERS()')],
    [1, () => fc.constant('ALL()')],
    [1, () => fc.constant(`ALLNOBLANKROW(${table.name})`)],
    [3, () => join(`ALLEXCEPT(${table.name}, `, reachable, ')')],
  );
}

/** A table with model columns, but not ALL, which would be a modifier. */
function filterTable(environment: Environment): Text {
  const inner = deeper(environment);
  return tables(inner)
    .filter(({ filters, text }) => filters && !text.startsWith('ALL'))
    .map(({ text }) => text);
}
