import type { Stored } from '../../../kernel/store/index.ts';
import { wireMember } from '../model/enum-text.ts';
import type { EnumType, FieldProperty, Page, PageProperty, PlainType, Table, Value } from '../model/types.ts';
import type { BusinessRecord } from '../records/collection.ts';
import { fieldOf, fieldValue, NO_TIME } from '../records/row.ts';
import { wireEtag } from './etag.ts';

/** A record as clients see it. */
export type View = Record<string, unknown>;

type Writer = (record: BusinessRecord, view: View, address: string) => void;

const writers = new WeakMap<Page, readonly Writer[]>();

/** Shows a record on a page. `address` is the address of the record, for links to its streams. */
export function viewOf(page: Page, table: Table, stored: Stored<BusinessRecord>, address: string): View {
  let known = writers.get(page);
  if (!known) {
    known = page.properties.map((property) => writerOf(property, table));
    writers.set(page, known);
  }
  const view: View = { '@odata.etag': wireEtag(stored.etag) };
  for (const write of known) write(stored.value, view, address);
  return view;
}

function writerOf(property: PageProperty, table: Table): Writer {
  const { name } = property;
  if (property.kind === 'computed') {
    const show = shower(property.type);
    return (record, view) => {
      view[name] = show(property.of((field) => fieldValue(table, record, field)));
    };
  }
  if (property.kind === 'complex') {
    const parts = property.parts.map((part) => writerOf(part, table));
    return (record, view, address) => {
      const inner: View = {};
      for (const write of parts) write(record, inner, address);
      view[name] = inner;
    };
  }
  return fieldWriter(property, table);
}

function fieldWriter({ name, field, asString }: FieldProperty, table: Table): Writer {
  const { type } = fieldOf(table, field);
  if (type === 'stream') {
    return (_record, view, address) => {
      view[`${name}@odata.mediaEditLink`] = `${address}/${name}`;
      view[`${name}@odata.mediaReadLink`] = `${address}/${name}`;
    };
  }
  const show = asString ? (value: Value) => value : shower(type);
  return (record, view) => {
    view[name] = show(fieldValue(table, record, field));
  };
}

function shower(type: PlainType | EnumType): (value: Value) => Value {
  if (typeof type === 'object') return (value) => wireMember(value as string);
  return type === 'dateTime' ? (value) => shownTime(value as number) : (value) => value;
}

const shownTime = (time: number): string => (time === NO_TIME ? '0001-01-01T00:00:00Z' : new Date(time).toISOString());

/** One value of a record, for `…/displayName`. */
export function shownValue(page: Page, table: Table, stored: Stored<BusinessRecord>, name: string): unknown {
  return viewOf(page, table, stored, '')[name];
}

/** Key of a record in an address: the text in `customers(5d…)`. */
export function keyText(page: Page, table: Table, record: BusinessRecord): string {
  const [key] = page.properties;
  if (!key || key.kind === 'complex') return record.id;
  const value =
    key.kind === 'computed'
      ? key.of((field) => fieldValue(table, record, field))
      : fieldValue(table, record, key.field);
  const type = key.kind === 'computed' ? key.type : fieldOf(table, key.field).type;
  return type === 'string'
    ? `'${encodeURIComponent(String(value).toWellFormed().replaceAll("'", "''"))}'`
    : String(value);
}
