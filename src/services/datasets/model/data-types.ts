import type { ColumnType } from '../../../kernel/store/index.ts';

/** `dataType` values of a column in lower case. */
const TYPES: Readonly<Record<string, ColumnType>> = {
  int64: 'int64',
  double: 'double',
  decimal: 'decimal',
  boolean: 'boolean',
  bool: 'boolean',
  datetime: 'datetime',
  string: 'text',
};

/** Names of the types in responses. */
export const DATA_TYPES: Readonly<Record<ColumnType, string>> = {
  int64: 'Int64',
  double: 'Double',
  decimal: 'Decimal',
  boolean: 'Boolean',
  datetime: 'DateTime',
  text: 'String',
};

export function columnType(dataType: string): ColumnType | undefined {
  const name = dataType.toLowerCase();
  return Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
}

const NUMBERS: ReadonlySet<ColumnType> = new Set<ColumnType>(['int64', 'double', 'decimal']);

/** True if values of the two types can be equal. */
export const areComparable = (a: ColumnType, b: ColumnType): boolean => a === b || (NUMBERS.has(a) && NUMBERS.has(b));
