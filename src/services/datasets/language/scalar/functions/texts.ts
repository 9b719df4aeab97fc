import { convert } from '../conversions.ts';
import { bound, flag } from '../sql.ts';
import { type Arguments, MANY, numberType, row, type ScalarFunction } from './row.ts';

const joined = (args: Arguments, indexes: readonly number[], separator: string): string =>
  `(${indexes.map((index) => args.text(index)).join(` || ${separator}`)})`;

/** FIND and SEARCH: the last argument, which may be BLANK, is the result if the text is not found. */
function position(name: string, args: Arguments): string {
  const parameters = [args.text(0), args.text(1), args.whole(2, 1)];
  if (!args.has(3)) return args.call(name, ...parameters);
  return `coalesce(${args.call(`${name}_or_blank`, ...parameters)}, ${args.as(3, 'int')})`;
}

function format(args: Arguments): string {
  const { type } = args.operand(0);
  const name = { text: '', blank: '', boolean: 'boolean', date: 'date', variant: 'variant' }[String(type)] ?? 'number';
  if (name === '') return args.text(0);
  const value = name === 'number' ? convert(args.operand(0), 'text', args.engine).sql : args.operand(0).sql;
  return `coalesce(${args.call(`format_${name}`, value, args.text(1))}, '')`;
}

/** Uses SQLite's native function if the text is ASCII, as most texts are; otherwise calls the library. */
function ofAscii(args: Arguments, native: (value: string) => string, name: string): string {
  if (args.engine === 'postgres') return args.call(name, args.text(0));
  return bound([args.text(0)], (value) => {
    return `CASE WHEN octet_length(${value}) = length(${value}) THEN ${native(value!)} ELSE ${args.call(name, value!)} END`;
  });
}

export const TEXT_FUNCTIONS: readonly ScalarFunction[] = [
  row('LEFT', [1, 2], 'text', (args) => args.call('left', args.text(0), args.whole(1, 1))),
  row('RIGHT', [1, 2], 'text', (args) => args.call('right', args.text(0), args.whole(1, 1))),
  row('MID', [3, 3], 'text', (args) => args.call('mid', args.text(0), args.whole(1), args.whole(2))),
  row('LEN', [1, 1], 'int', (args) => ofAscii(args, (value) => `length(${value})`, 'len')),
  row('UPPER', [1, 1], 'text', (args) => ofAscii(args, (value) => `upper(${value})`, 'upper')),
  row('LOWER', [1, 1], 'text', (args) => ofAscii(args, (value) => `lower(${value})`, 'lower')),
  row('TRIM', [1, 1], 'text', (args) => args.call('trim', args.text(0))),
  row('CONCATENATE', [2, 2], 'text', (args) => joined(args, [0, 1], '')),
  row('COMBINEVALUES', [3, MANY], 'text', (args) => {
    const values = Array.from({ length: args.count - 1 }, (_, i) => i + 1);
    return joined(args, values, `${args.text(0)} || `);
  }),
  row('REPLACE', [4, 4], 'text', (args) =>
    args.call('replace', args.text(0), args.whole(1), args.whole(2), args.text(3)),
  ),
  row('SUBSTITUTE', [3, 4], 'text', (args) => {
    const texts = [args.text(0), args.text(1), args.text(2)];
    return args.has(3) ? args.call('substitute', ...texts, args.whole(3)) : args.call('substitute_all', ...texts);
  }),
  row('FIND', [2, 4], 'int', (args) => position('find', args)),
  row('SEARCH', [2, 4], 'int', (args) => position('search', args)),
  row('EXACT', [2, 2], 'boolean', (args) => flag(args.engine, `${args.text(0)} = ${args.text(1)}`)),
  row('CONTAINSSTRING', [2, 2], 'boolean', (args) => args.call('contains', args.text(0), args.text(1))),
  row('CONTAINSSTRINGEXACT', [2, 2], 'boolean', (args) => args.call('contains_exact', args.text(0), args.text(1))),
  row('REPT', [2, 2], 'text', (args) => args.call('rept', args.text(0), args.whole(1))),
  row('FIXED', [1, 3], 'text', (args) => {
    const type = numberType(args.type(0));
    const written = convert({ sql: args.as(0, type), type }, 'text', args.engine).sql;
    const plain = args.has(2) ? `coalesce(${args.as(2, 'boolean')}, 0)` : '0';
    return `coalesce(${args.call('fixed', written, args.whole(1, 2), plain)}, '')`;
  }),
  row('VALUE', [1, 1], 'double', (args) => args.double(0)),
  row('UNICHAR', [1, 1], 'text', (args) => args.call('unichar', args.whole(0))),
  row('UNICODE', [1, 1], 'int', (args) => args.call('unicode', args.as(0, 'text'))),
  row('FORMAT', [2, 2], 'text', format),
];
