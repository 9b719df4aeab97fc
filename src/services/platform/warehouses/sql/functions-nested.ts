import { alike, type Bound, type Row } from './bound.ts';
import { boundedText } from './bounded-text.ts';
import { cellText } from './format.ts';
import type { Rule, Special } from './functions.ts';
import { arrayType, mapType, structType } from './nested-types.ts';
import { problems } from './problem.ts';
import type { Expression } from './syntax.ts';
import { isJson, type SqlType, type SqlValue, simple } from './types.ts';

/**
 * Lists, maps, structures and variants. Their values are JSON texts: in lists, maps and structures every inner value is a text or null, as
 * in results.
 */

const MOST = 1000;
const NULL = simple('NULL');

const written = (value: SqlValue, type: SqlType): string =>
  value === null ? 'null' : isJson(type) ? String(value) : JSON.stringify(cellText(value, type));

/** The parts joined by commas, between two brackets. */
function enclosed(open: string, parts: readonly string[], close: string): string {
  const commas = parts.map((part, index) => (index === 0 ? part : `,${part}`));
  return boundedText([open, ...commas, close]);
}

/** For arguments that alternate between keys and values. */
const firsts = (args: readonly Bound[]): readonly Bound[] => args.filter((_, index) => index % 2 === 0);
const seconds = (args: readonly Bound[]): readonly Bound[] => args.filter((_, index) => index % 2 === 1);

function checkPairs(args: readonly Bound[], name: string): void {
  if (args.length % 2 !== 0) throw problems.mismatch(`The \`${name}\` requires an even number of parameters.`);
}

const array: Special = (args, _session, name) => {
  const values = alike(args, name);
  const element = values[0]?.type ?? NULL;
  const of = (row: Row): SqlValue => {
    const parts = values.map((each) => written(each.of(row), element));
    return enclosed('[', parts, ']');
  };
  return { type: arrayType(element), of };
};

const map: Special = (args, _session, name) => {
  checkPairs(args, name);
  const keys = alike(firsts(args), name);
  const values = alike(seconds(args), name);
  const [key, value] = [keys[0]?.type ?? NULL, values[0]?.type ?? NULL];
  if (key.kind === 'MAP' || key.kind === 'VARIANT') throw problems.mismatch('The key of a map cannot be a map.');
  const of = (row: Row): SqlValue => {
    const seen = new Set<string>();
    const members = keys.map((each, index) => {
      const text = cellText(each.of(row), key);
      if (text === null) throw problems.nullKey();
      if (seen.has(text)) throw problems.sameKey(text);
      seen.add(text);
      return `${JSON.stringify(text)}:${written((values[index] as Bound).of(row), value)}`;
    });
    return enclosed('{', members, '}');
  };
  return { type: mapType(key, value), of };
};

function structure(names: readonly string[], values: readonly Bound[]): Bound {
  const of = (row: Row): SqlValue => {
    const members = values.map((each, at) => `${JSON.stringify(names[at])}:${written(each.of(row), each.type)}`);
    return enclosed('{', members, '}');
  };
  return { type: structType(values.map(({ type }, at) => [names[at] ?? '', type])), of };
}

const namedStruct: Special = (args, _session, name) => {
  checkPairs(args, name);
  const names = firsts(args).map((each) => {
    if (!each.literal || each.type.kind !== 'STRING')
      throw problems.mismatch('The name of a field of a structure is a text that does not depend on a row.');
    return String(each.of([]));
  });
  return structure(names, seconds(args));
};

/** A column gives its name to the field; other expressions are numbered. */
const fieldName = (argument: Expression, index: number): string =>
  (argument.is === 'column' ? argument.parts.at(-1) : undefined) ?? `col${index + 1}`;

const struct: Special = (args, _session, _name, expressions) => structure(expressions.map(fieldName), args);

/** JSON without whitespace; numbers keep their notation. Returns undefined if the text is not JSON. */
function compactJson(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
}

const parseJson =
  (isTry: boolean): Special =>
  ([arg], _session, name) => {
    const text = arg as Bound;
    if (text.type.kind !== 'STRING' && text.type.kind !== 'NULL')
      throw problems.mismatch(`The \`${name}\` requires a text.`);
    const of = (row: Row): SqlValue => {
      const json = text.of(row);
      if (json === null) return null;
      const compact = compactJson(String(json));
      if (compact === undefined && !isTry) throw problems.badJson(String(json));
      return compact ?? null;
    };
    return { type: simple('VARIANT'), of };
  };

const size: Special = ([arg], _session, name) => {
  const of = arg as Bound;
  if (of.type.kind !== 'ARRAY' && of.type.kind !== 'MAP')
    throw problems.mismatch(`The \`${name}\` requires a list or a map.`);
  return {
    type: simple('INT'),
    of(row) {
      const json = of.of(row);
      if (json === null) return null;
      const parts: object = JSON.parse(String(json));
      return BigInt(Object.keys(parts).length);
    },
  };
};

export const NESTED: Readonly<Record<string, Rule>> = {
  array: { of: array, least: 0, most: MOST },
  map: { of: map, least: 0, most: MOST },
  struct: { of: struct, least: 1, most: MOST },
  named_struct: { of: namedStruct, least: 2, most: MOST },
  parse_json: { of: parseJson(false), least: 1, most: 1 },
  try_parse_json: { of: parseJson(true), least: 1, most: 1 },
  size: { of: size, least: 1, most: 1 },
  cardinality: { of: size, least: 1, most: 1 },
};
