import { flag } from '../sql.ts';
import type { ScalarType } from '../types.ts';
import { type Arguments, row, type ScalarFunction } from './row.ts';

const NUMBERS: readonly ScalarType[] = ['int', 'decimal', 'double', 'date'];
/** Type letters of variants. */
const LETTERS = { text: "'s'", boolean: "'b'", number: "'i', 'r', 'c', 'd'" } as const;

type Kind = keyof typeof LETTERS;

const kindOf = (type: ScalarType): Kind | undefined =>
  type === 'text' || type === 'boolean' ? type : NUMBERS.includes(type) ? 'number' : undefined;

/** Types are known at compile time, except those of variants. BLANK has no kind. */
function isOf(kind: Kind, args: Arguments): string {
  const { sql, type } = args.operand(0);
  if (type === 'variant') return `coalesce(substr(${sql}, 1, 1) IN (${LETTERS[kind]}), 1 = 0)`;
  return kindOf(type) === kind ? `${sql} IS NOT NULL` : '1 = 0';
}

const test = (name: string, kind: Kind): ScalarFunction =>
  row(name, [1, 1], 'boolean', (args) => flag(args.engine, isOf(kind, args)));

export const INFORMATION_FUNCTIONS: readonly ScalarFunction[] = [
  test('ISTEXT', 'text'),
  test('ISNUMBER', 'number'),
  test('ISLOGICAL', 'boolean'),
  row('ISNONTEXT', [1, 1], 'boolean', (args) => flag(args.engine, `NOT (${isOf('text', args)})`)),
];
