import { alike, type Bound, converted, type Row, truth } from './bound.ts';
import { boundedText } from './bounded-text.ts';
import { BINARIES } from './functions-binary.ts';
import { MATH } from './functions-math.ts';
import { NESTED } from './functions-nested.ts';
import { TEXTS } from './functions-text.ts';
import { TIMES } from './functions-time.ts';
import { problems } from './problem.ts';
import type { Session } from './session.ts';
import type { Expression } from './syntax.ts';
import { type SimpleKind, type SqlType, type SqlValue, simple, typeText } from './types.ts';

export type Known = Exclude<SqlValue, null>;

/** A function whose result is null if an argument is null. */
export interface Plain {
  readonly takes: readonly SimpleKind[] | ((count: number) => readonly SimpleKind[] | undefined);
  readonly gives: SqlType;
  of(...values: Known[]): SqlValue;
}

/** A function with its own rules for its arguments. */
export type Special = (
  args: readonly Bound[],
  session: Session,
  name: string,
  /** The arguments before binding. */
  written: readonly Expression[],
) => Bound;

/** A function with its minimum and maximum number of arguments. */
export interface Rule {
  readonly of: Special;
  readonly least: number;
  readonly most: number;
}

const STRING = simple('STRING');
const BOOLEAN = simple('BOOLEAN');
const constant = (type: SqlType, value: SqlValue): Bound => ({ type, of: () => value, literal: true });

const firstKnown: Special = (args) => {
  const values = alike(args, 'coalesce');
  const { type } = values[0] as Bound;
  const of = (row: Row): SqlValue => {
    for (const each of values) {
      const value = each.of(row);
      if (value !== null) return value;
    }
    return null;
  };
  return { type, of };
};

const choice: Special = ([condition, ...both]) => {
  const decides = truth(condition as Bound);
  const [yes, no] = alike(both, 'if') as [Bound, Bound];
  return { type: yes.type, of: (row) => (decides.of(row) === true ? yes : no).of(row) };
};

const SPECIAL: Readonly<Record<string, Rule>> = {
  ...MATH,
  ...NESTED,
  coalesce: { of: firstKnown, least: 1, most: 1000 },
  ifnull: { of: firstKnown, least: 2, most: 2 },
  nvl: { of: firstKnown, least: 2, most: 2 },
  if: { of: choice, least: 3, most: 3 },
  iff: { of: choice, least: 3, most: 3 },
  nullif: {
    of(args) {
      const [, b] = alike(args, 'nullif') as [Bound, Bound];
      const { type } = args[0] as Bound;
      const [own] = args as [Bound];
      // Each side is evaluated once: otherwise nested calls would take exponential time.
      const [left] = alike([{ type: own.type, of: ([value = null]: Row) => value }, args[1] as Bound], 'nullif') as [
        Bound,
      ];
      return {
        type,
        of(row) {
          const value = own.of(row);
          const compared = left.of([value]);
          return compared !== null && compared === b.of(row) ? null : value;
        },
      };
    },
    least: 2,
    most: 2,
  },
  concat: {
    of(args) {
      const texts = args.map((arg) => converted(arg, STRING));
      const of = (row: Row): SqlValue => {
        const values = texts.map((each) => each.of(row));
        return values.includes(null) ? null : boundedText(values.map(String));
      };
      return { type: STRING, of };
    },
    least: 0,
    most: 1000,
  },
  isnull: { of: ([arg]) => ({ type: BOOLEAN, of: (row) => arg?.of(row) === null }), least: 1, most: 1 },
  isnotnull: { of: ([arg]) => ({ type: BOOLEAN, of: (row) => arg?.of(row) !== null }), least: 1, most: 1 },
  typeof: { of: ([arg]) => constant(STRING, typeText((arg as Bound).type).toLowerCase()), least: 1, most: 1 },
  current_user: { of: (_, { user }) => constant(STRING, user), least: 0, most: 0 },
  session_user: { of: (_, { user }) => constant(STRING, user), least: 0, most: 0 },
  user: { of: (_, { user }) => constant(STRING, user), least: 0, most: 0 },
  current_catalog: { of: (_, { catalog }) => constant(STRING, catalog), least: 0, most: 0 },
  current_schema: { of: (_, { schema }) => constant(STRING, schema), least: 0, most: 0 },
  current_database: { of: (_, { schema }) => constant(STRING, schema), least: 0, most: 0 },
  now: { of: (_, { now }) => constant(simple('TIMESTAMP'), now), least: 0, most: 0 },
  current_timestamp: { of: (_, { now }) => constant(simple('TIMESTAMP'), now), least: 0, most: 0 },
  current_date: { of: (_, { now }) => constant(simple('DATE'), Math.floor(now / 86_400_000)), least: 0, most: 0 },
  curdate: { of: (_, { now }) => constant(simple('DATE'), Math.floor(now / 86_400_000)), least: 0, most: 0 },
  unix_timestamp: { of: (_, { now }) => constant(simple('LONG'), BigInt(Math.floor(now / 1000))), least: 0, most: 0 },
};

const PLAIN: Readonly<Record<string, Plain>> = { ...BINARIES, ...TEXTS, ...TIMES };

/** Binds a call with its arguments. */
export function callOf(
  { name, at, star, distinct, args: written }: Extract<Expression, { is: 'call' }>,
  args: readonly Bound[],
  session: Session,
): Bound {
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : undefined;
  if (special) {
    const { least, most } = special;
    if (args.length < least || args.length > most)
      throw problems.arguments(name, least === most ? String(least) : `${least} to ${most}`, args.length, at);
    return special.of(args, session, name, written);
  }
  const plain = Object.hasOwn(PLAIN, name) ? PLAIN[name] : undefined;
  if (!plain || star || distinct) throw problems.noRoutine(name, at);
  const kinds = typeof plain.takes === 'function' ? plain.takes(args.length) : plain.takes;
  if (!kinds || kinds.length !== args.length)
    throw problems.arguments(name, kinds ? String(kinds.length) : 'other', args.length, at);
  const values = args.map((arg, index) => converted(arg, simple(kinds[index] as SimpleKind)));
  return {
    type: plain.gives,
    of(row) {
      const given: Known[] = [];
      for (const each of values) {
        const value = each.of(row);
        if (value === null) return null;
        given.push(value);
      }
      return plain.of(...given);
    },
  };
}
