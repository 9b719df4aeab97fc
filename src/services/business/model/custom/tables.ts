import { NUMBER_SLOTS, slotKindOf, TEXT_SLOTS } from '../slots.ts';
import {
  type EnumType,
  type Field,
  type PlainType,
  type SlotName,
  SYSTEM_FIELDS,
  type Table,
  type Value,
} from '../types.ts';
import {
  type DeclaredEntity,
  type DeclaredField,
  type DeclaredTable,
  mistake,
  requireIdentifier,
  requireUnique,
  unknown,
} from './declared.ts';

/** An entity's own table. `wanted` are the fields that records are found by; they get the first columns. */
export function declaredTable(path: string, entity: DeclaredEntity, wanted: Iterable<string>): Table {
  const declared = entity.table!;
  const name = declared.name ?? entity.entityName;
  requireIdentifier(declared.name === undefined ? `${path}.entityName` : `${path}.table.name`, name);
  const fields = declaredFields(`${path}.table.fields`, name, declared);
  const { key, partOf } = declared;
  if (key !== undefined && !Object.hasOwn(fields, key)) {
    throw unknown(`${path}.table.key`, 'field of the table', key, Object.keys(fields));
  }
  if (key !== undefined && slotKindOf(fields[key]!) !== 'text') {
    throw mistake(`${path}.table.key`, `must be a text, which "${key}" is not`);
  }
  if (partOf && fields[partOf.by]?.type !== 'guid') {
    throw mistake(`${path}.table.partOf.by`, `must be a field of the type guid, which "${partOf.by}" is not`);
  }
  const first = partOf ? [partOf.by] : key === undefined ? [] : [key];
  return {
    name,
    number: declared.number,
    caption: entity.caption ?? name,
    fields,
    slots: slotsFor(fields, [...first, ...wanted]),
    ...(key !== undefined && { key }),
    ...(partOf && { partOf }),
    ...(declared.temporary && { temporary: true }),
  };
}

function declaredFields(path: string, table: string, { fields }: DeclaredTable): Readonly<Record<string, Field>> {
  const taken = new Set(Object.keys(SYSTEM_FIELDS).map((name) => name.toLowerCase()));
  return Object.fromEntries(
    Object.entries(fields).map(([name, declared]) => {
      requireIdentifier(`${path}.${name}`, name);
      requireUnique(`${path}.${name}`, name, taken, 'field (those that every record has included)');
      return [name, fieldOf(`${path}.${name}`, table, name, declared)];
    }),
  );
}

function fieldOf(path: string, table: string, name: string, declared: DeclaredField): Field {
  if (typeof declared === 'string') return { type: declared };
  const { type, members, maxLength, code, readOnly, initial, caption } = declared;
  if (members && type !== undefined) throw mistake(path, 'has a type and members; only one of them is allowed');
  const isText = !members && (type ?? 'string') === 'string';
  if (!isText && (maxLength !== undefined || code)) {
    throw mistake(path, 'is not a string, so it cannot have "maxLength" or "code"');
  }
  const field: Field = {
    type: members ? enumOf(path, table, name, members) : (type ?? 'string'),
    ...(maxLength !== undefined && { maxLength }),
    ...(code && { code }),
    ...(readOnly && { readOnly }),
    ...(caption !== undefined && { caption }),
  };
  if (initial === undefined) return field;
  if (!fits(field, initial)) throw mistake(`${path}.initial`, `does not fit the field: ${JSON.stringify(initial)}`);
  return { ...field, initial };
}

function enumOf(path: string, table: string, field: string, members: readonly string[]): EnumType {
  const taken = new Set<string>();
  for (const [index, member] of members.entries()) requireUnique(`${path}.members[${index}]`, member, taken, 'member');
  return { name: `${table}${field.charAt(0).toUpperCase()}${field.slice(1)}`, members };
}

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

const FITS: Readonly<Record<PlainType, (value: Value, field: Field) => boolean>> = {
  string: (value, { maxLength = Infinity }) => typeof value === 'string' && value.length <= maxLength,
  boolean: (value) => typeof value === 'boolean',
  decimal: (value) => typeof value === 'number',
  int32: (value) => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31,
  int64: (value) => Number.isSafeInteger(value),
  guid: (value) => typeof value === 'string' && GUID.test(value),
  date: (value) => typeof value === 'string' && DATE.test(value),
  dateTime: () => false,
  stream: () => false,
};

const fits = (field: Field, value: Value): boolean =>
  typeof field.type === 'string' ? FITS[field.type](value, field) : field.type.members.includes(value as string);

/** Assigns columns to fields: first to the fields that records are found by, then to the others in order, until no columns are left. */
function slotsFor(
  fields: Readonly<Record<string, Field>>,
  first: readonly string[],
): Readonly<Record<string, SlotName>> {
  const free = { text: [...TEXT_SLOTS], number: [...NUMBER_SLOTS] };
  const slots: Record<string, SlotName> = {};
  for (const name of new Set([...first, ...Object.keys(fields)])) {
    const kind = fields[name] && slotKindOf(fields[name]);
    const slot = kind && free[kind].shift();
    if (slot !== undefined) slots[name] = slot;
  }
  return slots;
}
