import type { Model, Page, PageProperty, Value } from '../model/types.ts';
import type { RecordChange } from '../records/books.ts';
import type { Row } from '../records/row.ts';
import type { SubscriptionTarget } from '../webhooks/collection.ts';
import type { ChangeType } from './collections.ts';

/** A change of a record as a page shows it. */
export interface PageChange {
  readonly type: ChangeType;
  /** The text between the parentheses of a resource. */
  readonly entityKey: string;
}

type KeyKind = SubscriptionTarget['keyKind'];

export function pageOf(model: Model, { route, set }: SubscriptionTarget): Page | undefined {
  const api = model.api(route);
  return api && model.page(api, set);
}

/**
 * Empty if the page shows the record neither before nor after the change. A record that enters the page is created there, a record that
 * leaves it is deleted; a new key means one entity deleted and one created.
 */
export function pageChangesOf(
  page: Page,
  keyKind: KeyKind,
  { type, row, before = row }: RecordChange,
): readonly PageChange[] {
  const isShown = type !== 'deleted' && shows(page, row);
  const wasShown = type !== 'created' && shows(page, before);
  const now = isShown ? keyText(page, keyKind, row) : undefined;
  const then = wasShown ? keyText(page, keyKind, before) : undefined;
  if (now !== undefined && now === then) return [{ type: 'updated', entityKey: now }];
  return [
    ...(then === undefined ? [] : [{ type: 'deleted' as const, entityKey: then }]),
    ...(now === undefined ? [] : [{ type: 'created' as const, entityKey: now }]),
  ];
}

function shows({ where }: Page, row: Row): boolean {
  for (const field in where) if (row.get(field) !== where[field]) return false;
  return true;
}

/** Guids and numbers are written directly, texts in quotes. */
function keyText({ properties }: Page, kind: KeyKind, row: Row): string {
  // An unpaired surrogate cannot be written in an address; the store looks the record up by the same replacement.
  const value = String(fieldValue(properties[0] as PageProperty, row)).toWellFormed();
  return kind === 'string' ? `'${encodeURIComponent(value.replaceAll("'", "''"))}'` : value.toLowerCase();
}

function fieldValue(property: PageProperty, row: Row): Value {
  if (property.kind === 'field') return row.get(property.field);
  if (property.kind === 'computed') return property.of((field) => row.get(field));
  throw new Error(`the key '${property.name}' of a page cannot be an object`);
}
