import type { Steps } from './meter.ts';
import { problems } from './problem.ts';
import type { Expression, Query } from './syntax.ts';
import type { Table } from './table.ts';
import { type SqlType, type SqlValue, simple } from './types.ts';
import { partsOf, someOf, withParts } from './walk.ts';

/** Subqueries in expressions. Each is run once, before its outer query: correlated subqueries are not supported. */

type RunQuery = (query: Query) => Steps<Table>;

const isSubquery = ({ is }: Expression): boolean => is === 'subquery' || is === 'exists' || is === 'inQuery';

/** The expression with its subqueries replaced by their values. */
export function* withValues(expression: Expression, run: RunQuery): Steps<Expression> {
  if (!someOf(expression, isSubquery)) return expression;
  if (expression.is === 'subquery') return yield* oneValue(expression.query, run);
  if (expression.is === 'exists') return truth((yield* run(expression.query)).rows.length > 0);
  const parts: Expression[] = [];
  for (const part of partsOf(expression)) parts.push(yield* withValues(part, run));
  const made = withParts(expression, parts);
  return made.is === 'inQuery' ? yield* inValues(made, run) : made;
}

const literal = (type: SqlType, value: SqlValue): Expression => ({
  is: 'literal',
  type,
  value,
  shown: 'scalarsubquery()',
});
const truth = (value: boolean): Expression => literal(simple('BOOLEAN'), value);

function* oneValue(query: Query, run: RunQuery): Steps<Expression> {
  const { columns, rows } = yield* run(query);
  if (columns.length !== 1) throw problems.manyColumns(columns.length);
  if (rows.length > 1) throw problems.manyRows();
  return literal(columns[0]?.type ?? simple('NULL'), rows[0]?.[0] ?? null);
}

function* inValues({ of, query, not }: Extract<Expression, { is: 'inQuery' }>, run: RunQuery): Steps<Expression> {
  const { columns, rows } = yield* run(query);
  if (columns.length !== 1) throw problems.manyColumns(columns.length);
  // No value is in an empty list, not even null.
  if (rows.length === 0) return truth(not);
  const type = columns[0]?.type ?? simple('NULL');
  const values = new Set(rows.map(([value = null]) => value));
  return { is: 'in', of, list: [...values].map((value) => literal(type, value)), not };
}
