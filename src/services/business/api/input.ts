import { suggestion } from '../../../kernel/config/index.ts';
import { isGuid, parseDate, parseInstant } from '../../../kernel/odata/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import { errors } from '../errors.ts';
import { readMember } from '../model/enum-text.ts';
import type { Field, FieldProperty, Page, PageNavigation, PageProperty, Table, Value } from '../model/types.ts';
import { emptyValue, fieldOf, LAST_TIME, NO_TIME, type Row } from '../records/row.ts';

/** The body of a client, by fields of the table. */
export interface Input {
  readonly values: Record<string, Value>;
  /** System id chosen by the client. */
  readonly id?: string;
  /** Records to create together with this one, by navigation. */
  readonly nested: readonly { readonly navigation: PageNavigation; readonly bodies: readonly unknown[] }[];
}

type Body = Readonly<Record<string, unknown>>;

/** Reads the body of a POST (`before` absent) or PATCH. Throws the first mistake, with the name of the property. */
export function readInput(page: Page, table: Table, body: unknown, before?: Row): Input {
  if (!isObjectBody(body)) throw noObject(body);
  const values: Record<string, Value> = {};
  const nested: { navigation: PageNavigation; bodies: readonly unknown[] }[] = [];
  let id: string | undefined;
  for (const [name, value] of Object.entries(body)) {
    // Annotations only describe types, which are known here.
    if (name.includes('@')) continue;
    const property = page.properties.find((each) => each.name === name);
    if (property) {
      if (property.kind === 'field' && property.field === 'id') id = readId(property, value, before);
      else readProperty(property, table, value, values, before);
      continue;
    }
    const navigation = page.navigations.find((each) => each.name === name);
    if (!navigation)
      throw errors.BadRequest__Property(
        { property: name.slice(0, 100), entity: page.entity, near: nearName(name, page.properties, page.navigations) },
        { target: name },
      );
    nested.push({ navigation, bodies: readNested(navigation, value, before) });
  }
  return { values, nested, ...(id !== undefined && { id }) };
}

const nearName = (name: string, ...lists: readonly (readonly { readonly name: string }[])[]): string =>
  suggestion(
    name,
    lists.flat().map((each) => each.name),
  );

function readId({ name }: FieldProperty, value: unknown, before: Row | undefined): string | undefined {
  if (typeof value !== 'string' || !isGuid(value))
    throw errors.Application_InvalidGUID({ value: shown(value), property: name }, { target: name });
  const id = value.toLowerCase();
  if (before && before.id !== id) throw errors.BadRequest_InvalidOperation({ property: name }, { target: name });
  return id;
}

function readProperty(
  property: PageProperty,
  table: Table,
  value: unknown,
  into: Record<string, Value>,
  before: Row | undefined,
): void {
  const { name } = property;
  if (property.kind === 'computed') {
    if (before && property.of((field) => before.get(field)) === value) return;
    throw errors.BadRequest_InvalidOperation({ property: name }, { target: name });
  }
  if (property.kind === 'complex') {
    if (value === null) {
      if (before) for (const part of property.parts) empty(part, table, into);
      return;
    }
    if (!isObjectBody(value))
      throw errors.BadRequest__Value({ property: name, value: shown(value), reason: 'it has parts' }, { target: name });
    for (const [partName, part] of Object.entries(value)) {
      const known = property.parts.find((each) => each.name === partName);
      if (!known)
        throw errors.BadRequest__Property(
          { property: partName.slice(0, 100), entity: property.typeName, near: nearName(partName, property.parts) },
          { target: name },
        );
      readProperty(known, table, part, into, before);
    }
    return;
  }
  const field = fieldOf(table, property.field);
  if (field.type === 'stream') {
    throw errors.BadRequest_InvalidOperation({ property: name }, { target: name });
  }
  const read = readValue(field, name, value);
  if (!field.readOnly && !property.readOnly) {
    into[property.field] = read;
    return;
  }
  // Sending back the value that was read is allowed; in a new record, the empty value.
  if (before ? before.get(property.field) === read : read === emptyValue(field)) return;
  throw errors.BadRequest_InvalidOperation({ property: name }, { target: name });
}

/** Emptying a complex property leaves its read-only parts unchanged. */
function empty(part: FieldProperty, table: Table, into: Record<string, Value>): void {
  const field = fieldOf(table, part.field);
  if (!field.readOnly && !part.readOnly) into[part.field] = emptyValue(field);
}

/** Converts a JSON value to the stored form of a field; `null` becomes the empty value. */
export function readValue(field: Field, property: string, value: unknown): Value {
  const { type } = field;
  const target = { target: property };
  if (value === null) return emptyValue(field);
  if (typeof type === 'object') {
    const member = typeof value === 'string' ? readMember(type, value) : undefined;
    if (member !== undefined) return member;
    const reason = `The value ${shown(value)} is not one of ${type.members.map((each) => `'${each}'`).join(', ')}: '${property}'.`;
    throw errors.Unknown({ reason }, target);
  }
  const unreadable = (): Error =>
    errors.Application_EvaluateException({ value: shown(value), type: NOUNS[type], property }, target);
  switch (type) {
    case 'string': {
      if (typeof value !== 'string') throw unreadable();
      const text = field.code ? value.trim().toUpperCase() : value;
      const maximum = field.maxLength;
      if (maximum !== undefined && text.length > maximum) {
        throw errors.Application_StringExceededLength({ length: text.length, maximum, property }, target);
      }
      if (text.includes('\0')) throw unreadable();
      return text;
    }
    case 'boolean':
      if (typeof value !== 'boolean') throw unreadable();
      return value;
    case 'decimal':
      if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) >= 1e15) throw unreadable();
      return value;
    case 'int32':
      if (!Number.isInteger(value) || Math.abs(value as number) > 2_147_483_647) throw unreadable();
      return value as number;
    case 'int64':
      if (!Number.isSafeInteger(value)) throw unreadable();
      return value as number;
    case 'guid':
      if (typeof value !== 'string' || !isGuid(value))
        throw errors.Application_InvalidGUID({ value: shown(value), property }, target);
      return value.toLowerCase();
    case 'date': {
      const date = typeof value === 'string' ? parseDate(value.slice(0, 10)) : undefined;
      if (date === undefined || typeof value !== 'string' || !/^.{10}(T|$)/.test(value)) throw unreadable();
      return date;
    }
    case 'dateTime': {
      const instant = typeof value === 'string' ? parseInstant(value) : undefined;
      // An offset can move the instant outside of the years that can be represented.
      if (instant === undefined || instant < NO_TIME || instant > LAST_TIME) throw unreadable();
      return instant;
    }
    case 'stream':
      throw unreadable();
  }
}

const NOUNS = {
  string: 'a text',
  boolean: 'true or false',
  decimal: 'a number',
  int32: 'a whole number of 32 bits',
  int64: 'a whole number',
  guid: 'a GUID',
  date: 'a date',
  dateTime: 'a date and time',
  stream: 'a stream',
} as const;

function readNested({ name, many }: PageNavigation, value: unknown, before: Row | undefined): readonly unknown[] {
  if (before) {
    const reason = `The navigation property '${name}' cannot be changed together with its record; send a request of its own for each.`;
    throw errors.BadRequest_InvalidOperation__Nested({ reason }, { target: name });
  }
  if (value === null) return [];
  if (!many) return [value];
  if (!Array.isArray(value))
    throw errors.BadRequest__Value(
      { property: name, value: shown(value), reason: 'it takes an array' },
      { target: name },
    );
  return value;
}

export const isObjectBody = (value: unknown): value is Body => isObject(value) && !Buffer.isBuffer(value);

/** A body in bytes was sent with another media type. */
export const noObject = (body: unknown): Error =>
  Buffer.isBuffer(body)
    ? errors.BadRequest__MediaType({ reason: "The body must be 'application/json'." }, { target: 'Content-Type' })
    : errors.BadRequest({ reason: 'The body must be a JSON object.' });

const LONGEST_SHOWN = 60;

/** Objects and lists are not serialised: they can be arbitrarily deep. */
function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
