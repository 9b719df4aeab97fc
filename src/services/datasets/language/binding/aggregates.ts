import type { Aggregate, AggregateKind, RowScope, Scalar, TablePlan } from '../plan/types.ts';
import type { ScalarType } from '../scalar/types.ts';
import type { Call } from '../syntax/ast.ts';
import type { Binder, Form } from './binder.ts';
import { baseTable, naming } from './plans.ts';
import { type Environment, scopeColumn, scopeOf, within } from './scopes.ts';
import { TYPE_NAMES, unified } from './types.ts';

interface Rule {
  readonly aggregate: AggregateKind;
  /** Types of values that the function rejects. */
  readonly refuses: readonly ScalarType[];
  result(type: ScalarType): ScalarType;
}

const keeps = (type: ScalarType): ScalarType => (type === 'blank' ? 'int' : type === 'variant' ? 'double' : type);
const averages = (type: ScalarType): ScalarType => (type === 'decimal' ? 'decimal' : 'double');
const counts = (): ScalarType => 'int';

const RULES: Readonly<Record<string, Rule>> = {
  SUM: { aggregate: 'sum', refuses: ['text', 'boolean'], result: keeps },
  AVERAGE: { aggregate: 'average', refuses: ['text', 'boolean'], result: averages },
  MIN: { aggregate: 'min', refuses: ['boolean'], result: keeps },
  MAX: { aggregate: 'max', refuses: ['boolean'], result: keeps },
  COUNT: { aggregate: 'count', refuses: ['boolean'], result: counts },
  COUNTA: { aggregate: 'count', refuses: [], result: counts },
  COUNTBLANK: { aggregate: 'count blank', refuses: [], result: counts },
  DISTINCTCOUNT: { aggregate: 'count distinct', refuses: [], result: counts },
};

/** Aggregates that also iterate over the rows of a table: iterator name to aggregate name. */
const ITERATORS = { SUMX: 'SUM', AVERAGEX: 'AVERAGE', MINX: 'MIN', MAXX: 'MAX', COUNTX: 'COUNT', COUNTAX: 'COUNTA' };

export const AGGREGATES: Readonly<Record<string, Form>> = {
  ...Object.fromEntries(Object.entries(RULES).map(([name, rule]) => [name, ofColumn(rule)])),
  ...Object.fromEntries(Object.entries(ITERATORS).map(([name, base]) => [name, ofRows(RULES[base]!)])),
  MIN: ofColumnOrTwo(RULES.MIN!, '<='),
  MAX: ofColumnOrTwo(RULES.MAX!, '>='),
  COUNTROWS: (binder, call, environment) => {
    binder.arguments(call, 0, 1);
    const table = call.args[0] ? binder.table(call.args[0], environment) : homeTable(binder, call, environment);
    return { kind: 'aggregate', type: 'int', aggregate: 'count rows', table, scope: scopeOf(table), value: undefined };
  },
};

function homeTable(binder: Binder, call: Call, { home }: Environment): TablePlan {
  return home
    ? baseTable(home)
    : binder.fail('COUNTROWS needs a table argument here, because no measure provides a default table.', call.at);
}

function ofColumn(rule: Rule): Form {
  return (binder, call) => {
    binder.arguments(call, 1, 1);
    const column = binder.modelColumn(call.args[0], call);
    const base = baseTable(column.table);
    const scope = scopeOf(base);
    const index = column.table.columns.indexOf(column);
    return aggregate(binder, call, rule, base, scope, scopeColumn(scope, index));
  };
}

function ofRows(rule: Rule): Form {
  return (binder, call, environment) => {
    const most = call.name === 'MINX' || call.name === 'MAXX' ? 3 : 2;
    binder.arguments(call, 2, most);
    const table = binder.table(binder.argument(call, 0), environment);
    const scope = scopeOf(table);
    const value = binder.scalar(binder.argument(call, 1), within(environment, scope));
    const found = aggregate(binder, call, rule, table, scope, value);
    return value.type === 'variant' && comparesVariants(binder, call) ? { ...found, type: 'variant' } : found;
  };
}

/** The third argument of MINX and MAXX: whether texts and booleans are also compared if the values have mixed types. */
function comparesVariants(binder: Binder, { name, args: [, , third] }: Call): boolean {
  if (!third) return false;
  if (third.kind === 'literal' && typeof third.value === 'boolean') return third.value;
  return binder.fail(`Argument 3 of the ${name} function must be TRUE or FALSE.`, third.at);
}

/** `MIN(a, b)` is the smaller of two values; a blank counts as zero. */
function ofColumnOrTwo(rule: Rule, order: '<=' | '>='): Form {
  return (binder, call, environment) => {
    binder.arguments(call, 1, 2);
    if (call.args.length === 1) return ofColumn(rule)(binder, call, environment);
    const [left, right] = [0, 1].map((i) => binder.scalar(binder.argument(call, i), environment));
    return naming([left!, right!], (a, b) => smaller(a!, b!, order));
  };
}

function smaller(left: Scalar, right: Scalar, operator: '<=' | '>='): Scalar {
  const type = unified([left.type, right.type]);
  const condition: Scalar = { kind: 'comparison', type: 'boolean', operator, left, right };
  const zero: Scalar =
    type === 'text' ? { kind: 'constant', type, value: '' } : { kind: 'constant', type: 'int', value: 0n };
  const chosen: Scalar = { kind: 'choice', type, condition, yes: left, no: right };
  // If both values are blank, the result is blank. If only one is, it counts as zero, also in the result.
  const both: Scalar = {
    kind: 'logic',
    type: 'boolean',
    operator: 'and',
    left: { kind: 'is blank', type: 'boolean', operand: left },
    right: { kind: 'is blank', type: 'boolean', operand: right },
  };
  const shown: Scalar = { kind: 'coalesce', type, values: [chosen, zero] };
  return { kind: 'choice', type, condition: both, yes: { kind: 'constant', type: 'blank', value: null }, no: shown };
}

function aggregate(
  binder: Binder,
  call: Call,
  { aggregate: kind, refuses, result }: Rule,
  table: TablePlan,
  scope: RowScope,
  value: Scalar,
): Aggregate {
  if (refuses.includes(value.type)) {
    const type = value.type === 'text' ? 'String' : TYPE_NAMES[value.type];
    binder.fail(`The function ${call.name} cannot work with values of type ${type}.`, call.at);
  }
  return { kind: 'aggregate', type: result(value.type), aggregate: kind, table, scope, value };
}
