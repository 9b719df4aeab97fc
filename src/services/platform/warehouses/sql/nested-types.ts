import { problems } from './problem.ts';
import { type NestedType, type SqlType, typeText } from './types.ts';

const LONGEST_TEXT = 10_000;

function bounded(kind: NestedType['kind'], parts: readonly string[]): NestedType {
  const text = `${kind}<${parts.join(', ')}>`;
  if (text.length > LONGEST_TEXT) throw problems.tooMuch(`a type has more than ${LONGEST_TEXT} characters`);
  return { kind, text };
}

export const arrayType = (element: SqlType): NestedType => bounded('ARRAY', [typeText(element)]);

export const mapType = (key: SqlType, value: SqlType): NestedType => bounded('MAP', [typeText(key), typeText(value)]);

export const structType = (fields: readonly (readonly [name: string, type: SqlType])[]): NestedType =>
  bounded(
    'STRUCT',
    fields.map(([name, type]) => `${name}: ${typeText(type)}`),
  );
