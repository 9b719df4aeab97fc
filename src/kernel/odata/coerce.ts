import { storable } from '../store/values.ts';
import type { Literal } from './ast.ts';
import type { Binder } from './bind.ts';
import type { Constant, Value } from './bound.ts';
import { isGuid, parseInstant } from './literals.ts';
import type { EnumShape } from './shape.ts';

export function constantOf(literal: Literal): Constant {
  switch (literal.type) {
    case 'null':
      return { kind: 'constant', type: undefined, value: null };
    case 'string':
      return { kind: 'constant', type: 'text', value: storable(literal.value) };
    case 'integer':
    case 'decimal':
      return { kind: 'constant', type: 'number', value: literal.value, whole: literal.type === 'integer' };
    case 'enum':
      // The type name is ignored, because the property determines the type; the member is looked up there.
      return { kind: 'constant', type: 'enum', value: storable(literal.value) };
    default:
      return { kind: 'constant', type: literal.type, value: literal.value };
  }
}

/** Converts `value` to a type that can be compared with `other`. A constant is converted if only one interpretation fits `other`. */
export function coerce(binder: Binder, value: Value, other: Value, at: number, operatorAt: number): Value {
  if (other.type === 'enum' && value.kind === 'constant' && (value.type === 'text' || value.type === 'enum')) {
    if (other.kind === 'property' && typeof other.property.shape.type === 'object')
      return enumMember(binder, other.property.shape.type as EnumShape, String(value.value), at);
  }
  if (value.type === other.type || value.type === undefined || other.type === undefined) return value;
  if (value.kind === 'constant') {
    const meant = meaning(value, other);
    if (meant) return meant;
  }
  if (other.kind === 'constant' && meaning(other, value)) return value;
  if (value.type === 'enum' && other.kind === 'constant' && other.type === 'text') return value;
  throw binder.error('TypeMismatch', operatorAt, `${describe(value)} cannot be compared with ${describe(other)}`);
}

function meaning(constant: Constant, other: Value): Constant | undefined {
  const { type, value } = constant;
  if (typeof value !== 'string') return undefined;
  if (other.type === 'guid' && type === 'text' && isGuid(value))
    return { ...constant, type: 'guid', value: value.toLowerCase() };
  if (other.type === 'text' && (type === 'guid' || type === 'date')) return { ...constant, type: 'text' };
  if (other.type === 'instant') {
    const instant =
      type === 'date' ? parseInstant(`${value}T00:00Z`) : type === 'text' ? parseInstant(value) : undefined;
    return instant === undefined ? undefined : { ...constant, type: 'instant', value: instant };
  }
  return undefined;
}

export function enumMember(binder: Binder, { members }: EnumShape, written: string, at: number): Constant {
  const lower = written.toLowerCase();
  const member = members.find((each) => each.toLowerCase() === lower);
  if (member === undefined) {
    const known = members.slice(0, 20).join(', ');
    throw binder.error('InvalidValue', at, `'${written.slice(0, 60)}' is not one of ${known}`);
  }
  return { kind: 'constant', type: 'enum', value: member };
}

const NOUNS = {
  text: 'a string',
  guid: 'a guid',
  number: 'a number',
  boolean: 'a boolean',
  instant: 'a date-time',
  date: 'a date',
  time: 'a time of day',
  duration: 'a duration',
  enum: 'a member of an enumeration',
} as const;

export function describe(value: Value): string {
  const noun = value.type === undefined ? 'null' : NOUNS[value.type];
  return value.kind === 'property' ? `'${value.property.path}', ${noun},` : noun;
}
