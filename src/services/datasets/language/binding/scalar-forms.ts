import type { Scalar } from '../plan/types.ts';
import type { Call } from '../syntax/ast.ts';
import type { Binder, Form } from './binder.ts';
import { boolean, comparison } from './operators.ts';
import { BLANK, naming } from './plans.ts';
import { columnIn, type Environment, planColumn, scopeOf } from './scopes.ts';
import { unified } from './types.ts';

const DAY_PARTS = { NOW: 'now', UTCNOW: 'now', TODAY: 'today', UTCTODAY: 'today' } as const;

/** Functions that choose between values or inspect the context instead of computing. */
export const SCALAR_FORMS: Readonly<Record<string, Form>> = {
  BLANK: (binder, call) => {
    binder.arguments(call, 0, 0);
    return BLANK;
  },
  IF: (binder, call, environment) => {
    binder.arguments(call, 2, 3);
    const condition = boolean(binder, argument(binder, call, 0, environment), call.at);
    const yes = argument(binder, call, 1, environment);
    const no = call.args[2] ? argument(binder, call, 2, environment) : BLANK;
    return { kind: 'choice', type: unified([yes.type, no.type]), condition, yes, no };
  },
  SWITCH: bindSwitch,
  COALESCE: (binder, call, environment) => {
    binder.arguments(call, 2, 1000);
    const values = call.args.map((_, i) => argument(binder, call, i, environment));
    return { kind: 'coalesce', type: unified(values.map(({ type }) => type)), values };
  },
  ISBLANK: (binder, call, environment) => {
    binder.arguments(call, 1, 1);
    return { kind: 'is blank', type: 'boolean', operand: argument(binder, call, 0, environment) };
  },
  AND: (binder, call, environment) => logic('and', binder, call, environment),
  OR: (binder, call, environment) => logic('or', binder, call, environment),
  DIVIDE: (binder, call, environment) => {
    binder.arguments(call, 2, 3);
    const left = argument(binder, call, 0, environment);
    const right = argument(binder, call, 1, environment);
    const otherwise = call.args[2] ? argument(binder, call, 2, environment) : undefined;
    const type = left.type === 'decimal' && right.type !== 'decimal' ? 'decimal' : 'double';
    if (!otherwise) return { kind: 'divide', type, left, right, otherwise };
    const either = unified([type, otherwise.type]);
    return naming([right], (named) => ({ kind: 'divide', type: either, left, right: named!, otherwise }));
  },
  ISEMPTY: (binder, call, environment) => {
    binder.arguments(call, 1, 1);
    return { kind: 'is empty', type: 'boolean', table: binder.table(binder.argument(call, 0), environment) };
  },
  HASONEVALUE: (binder, call) => {
    binder.arguments(call, 1, 1);
    return hasOneValue(binder, call);
  },
  SELECTEDVALUE: (binder, call, environment) => {
    binder.arguments(call, 1, 2);
    const table = valuesOf(binder, call);
    const yes: Scalar = { kind: 'table value', type: table.columns[0]!.type, table };
    const no = call.args[1] ? argument(binder, call, 1, environment) : BLANK;
    return { kind: 'choice', type: unified([yes.type, no.type]), condition: hasOneValue(binder, call), yes, no };
  },
  RELATED: (binder, call, environment) => {
    binder.arguments(call, 1, 1);
    const column = binder.modelColumn(call.args[0], call);
    for (const scope of environment.scopes.toReversed()) {
      const found = columnIn(scope, column);
      if (found) return found;
    }
    return binder.fail(
      `The column '${column.table.name}[${column.name}]' either doesn't exist or doesn't have a relationship to any table available in the current context.`,
      call.at,
    );
  },
  ...Object.fromEntries(
    Object.entries(DAY_PARTS).map(([name, part]): [string, Form] => [
      name,
      (binder, call) => {
        binder.arguments(call, 0, 0);
        const value = part === 'now' ? binder.now : Math.floor(binder.now);
        return { kind: 'constant', type: 'date', value };
      },
    ]),
  ),
};

const argument = (binder: Binder, call: Call, index: number, environment: Environment): Scalar =>
  binder.scalar(binder.argument(call, index), environment);

function logic(operator: 'and' | 'or', binder: Binder, call: Call, environment: Environment): Scalar {
  binder.arguments(call, 2, 2);
  const [left, right] = [0, 1].map((i) => boolean(binder, argument(binder, call, i, environment), call.at));
  return { kind: 'logic', type: 'boolean', operator, left: left!, right: right! };
}

function bindSwitch(binder: Binder, call: Call, environment: Environment): Scalar {
  binder.arguments(call, 3, 1000);
  const subject = argument(binder, call, 0, environment);
  const cases: [Scalar, Scalar][] = [];
  for (let i = 1; i + 1 < call.args.length; i += 2) {
    const value = argument(binder, call, i, environment);
    // Rejects values whose type can never equal the subject.
    comparison(binder, '==', subject, value, call.at);
    cases.push([value, argument(binder, call, i + 1, environment)]);
  }
  const otherwise = call.args.length % 2 === 0 ? argument(binder, call, call.args.length - 1, environment) : BLANK;
  const type = unified([...cases.map(([, { type: each }]) => each), otherwise.type]);
  return naming([subject], (named) => ({ kind: 'switch', type, subject: named!, cases, otherwise }));
}

function valuesOf(binder: Binder, call: Call) {
  const column = binder.modelColumn(call.args[0], call);
  return { kind: 'values', table: column.table, of: [column], columns: [planColumn(column)], base: undefined } as const;
}

function hasOneValue(binder: Binder, call: Call): Scalar {
  const table = valuesOf(binder, call);
  const count: Scalar = {
    kind: 'aggregate',
    type: 'int',
    aggregate: 'count rows',
    table,
    scope: scopeOf(table),
    value: undefined,
  };
  return comparison(binder, '=', count, { kind: 'constant', type: 'int', value: 1n }, call.at);
}
