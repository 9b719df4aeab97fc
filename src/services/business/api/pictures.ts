import type { Books } from '../records/books.ts';
import { keyOf, listOf, packed, Row } from '../records/row.ts';
import type { Place } from './target.ts';

/** `parentType` of a picture, by the table of its parent. */
const PARENT_TYPES: Readonly<Record<string, string>> = {
  customer: 'Customer',
  vendor: 'Vendor',
  item: 'Item',
  employee: 'Employee',
};

/** The picture of a record that has none yet: it can be read and written at the record. */
export function emptyPicture({ table, parent }: Place, scope: string, id: string): Row | undefined {
  if (table.name !== 'picture' || parent?.id !== id) return undefined;
  const parentType = PARENT_TYPES[parent.table.name];
  if (parentType === undefined) return undefined;
  return new Row(table, {
    key: keyOf(scope, table, id),
    etag: parent.etag,
    value: { ...parent.stored.value, list: listOf(scope, table), ...packed(table, { parentType }) },
  });
}

/** Stores a picture that was empty so far; returns undefined if its parent has been deleted. */
export async function keepPicture(books: Books, { table, parent }: Place, { id }: Row): Promise<Row | undefined> {
  const parentType = parent && PARENT_TYPES[parent.table.name];
  if (table.name !== 'picture' || parentType === undefined || parent?.id !== id) return undefined;
  return (await books.get(parent.table.name, id)) && books.insert('picture', { parentType }, id);
}
