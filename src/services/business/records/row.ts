import type { Stored } from '../../../kernel/store/index.ts';
import { type Field, type PlainType, SYSTEM_FIELDS, type Table, type Value } from '../model/types.ts';
import type { BusinessRecord } from './collection.ts';

export const NO_GUID = '00000000-0000-0000-0000-000000000000';
export const NO_DATE = '0001-01-01';
/** `0001-01-01T00:00:00Z` */
export const NO_TIME = -62_135_596_800_000;
/** `9999-12-31T23:59:59.999Z` */
export const LAST_TIME = 253_402_300_799_999;

const EMPTY: Readonly<Record<PlainType, Value>> = {
  guid: NO_GUID,
  string: '',
  boolean: false,
  decimal: 0,
  int32: 0,
  int64: 0,
  date: NO_DATE,
  dateTime: NO_TIME,
  stream: '',
};

/** Value of an unset field; for an enumeration, its first member. */
export const emptyValue = ({ type }: Field): Value =>
  typeof type === 'string' ? EMPTY[type] : (type.members[0] as string);

export function fieldOf(table: Table, name: string): Field {
  const field = table.fields[name] ?? SYSTEM_FIELDS[name];
  if (!field) throw new Error(`the table '${table.name}' has no field '${name}'`);
  return field;
}

const SYSTEM: Readonly<Record<string, (record: BusinessRecord) => Value>> = {
  id: ({ id }) => id,
  lastModifiedDateTime: ({ modifiedAt }) => modifiedAt,
  systemCreatedAt: ({ createdAt }) => createdAt,
  systemCreatedBy: ({ createdBy }) => createdBy,
  systemModifiedAt: ({ modifiedAt }) => modifiedAt,
  systemModifiedBy: ({ modifiedBy }) => modifiedBy,
  timestamp: ({ modifiedAt }) => modifiedAt,
};

/** The value of a field, possibly empty. A table's own field takes precedence over a system field of the same name. */
export function fieldValue(table: Table, record: BusinessRecord, name: string): Value {
  const own = table.fields[name];
  if (own) return record.values[name] ?? emptyValue(own);
  const system = SYSTEM[name];
  if (!system) throw new Error(`the table '${table.name}' has no field '${name}'`);
  return system(record);
}

/** A record together with its table. */
export class Row {
  readonly table: Table;
  readonly stored: Stored<BusinessRecord>;

  constructor(table: Table, stored: Stored<BusinessRecord>) {
    this.table = table;
    this.stored = stored;
  }

  get id(): string {
    return this.stored.value.id;
  }

  get etag(): string {
    return this.stored.etag;
  }

  get(field: string): Value {
    return fieldValue(this.table, this.stored.value, field);
  }

  text(field: string): string {
    return this.get(field) as string;
  }

  number(field: string): number {
    return this.get(field) as number;
  }

  /** All fields of the table. */
  values(): Record<string, Value> {
    return Object.fromEntries(Object.keys(this.table.fields).map((name) => [name, this.get(name)]));
  }
}

export const listOf = (scope: string, table: Table): string => `${scope}/${table.name}`;
export const keyOf = (scope: string, table: Table, id: string): string => `${scope}/${table.name}/${id}`;

/** Columns and body for these values: empty values are left out of the body, but not of the columns. */
export function packed(
  table: Table,
  values: Readonly<Record<string, Value>>,
): Pick<BusinessRecord, 'values' | 'slots'> {
  const kept: Record<string, Value> = {};
  for (const name in values) {
    const value = values[name] as Value;
    if (value !== emptyValue(fieldOf(table, name))) kept[name] = value;
  }
  const slots: BusinessRecord['slots'] = {};
  for (const name in table.slots) {
    const slot = table.slots[name]!;
    slots[slot] = (kept[name] ?? emptyValue(fieldOf(table, name))) as string | number;
  }
  return { values: kept, slots };
}
