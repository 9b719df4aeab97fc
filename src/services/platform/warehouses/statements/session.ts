import { castOf } from '../sql/cast.ts';
import { type IntervalType, intervalOf, intervalType } from '../sql/intervals.ts';
import { problems, SqlProblem } from '../sql/problem.ts';
import type { Session, Typed } from '../sql/session.ts';
import { simple, typeNamed, typeText } from '../sql/types.ts';
import type { Statement, StatementParameter } from './collections.ts';

/** The context of a statement. Throws if the value of a parameter does not have the declared type. */
export function sessionOf({ parameters, user, catalog, schema }: Statement, now: number): Session {
  let nameless = 0;
  const bound = new Map<string | number, Typed>();
  for (const parameter of parameters) bound.set(parameter.name ?? nameless++, typed(parameter));
  return { now, user, catalog, schema, parameters: bound };
}

/** Types that parameters cannot have. Nested types are not a single word, so the pattern below rejects them. */
const NOT_SENT: ReadonlySet<string> = new Set(['BINARY', 'VARIANT']);
const TYPE = /^(\w+)\s*(?:\(\s*(\d{1,3})\s*(?:,\s*(\d{1,3})\s*)?\))?$/;

function intervalNamed(text: string): IntervalType | undefined {
  const [, first, last = first] =
    /^\s*INTERVAL\s+([A-Z]{1,10})(?:\s+TO\s+([A-Z]{1,10}))?\s*$/i.exec(text.slice(0, 100)) ?? [];
  return first === undefined || last === undefined ? undefined : intervalType(first.toUpperCase(), last.toUpperCase());
}

function typed({ name = '?', value, type: text }: StatementParameter): Typed {
  const interval = intervalNamed(text);
  if (interval) {
    const span = value === null ? null : intervalOf(value, interval);
    if (span !== undefined) return { type: interval, value: span };
    throw problems.badParameter(name, `'${value?.slice(0, 100)}' is no ${typeText(interval)}`);
  }
  const [, word = '', ...numbers] = TYPE.exec(text.trim()) ?? [];
  const given = numbers.filter((number) => number !== undefined).map(Number);
  const type = typeNamed(word, given);
  if (!type) throw problems.badParameter(name, `the type ${text.slice(0, 100)} does not exist`);
  if (NOT_SENT.has(type.kind))
    throw problems.badParameter(name, `parameters cannot have the type ${word.toUpperCase()}`);
  if (value === null) return { type, value: null };
  const convert = castOf(simple('STRING'), type);
  try {
    return { type, value: convert ? convert(value) : value };
  } catch (error) {
    if (!(error instanceof SqlProblem)) throw error;
    throw problems.badParameter(name, `'${value.slice(0, 100)}' is no ${text.slice(0, 100)}`);
  }
}
