import type { Books } from '../records/books.ts';
import { keyOf, listOf, packed, Row } from '../records/row.ts';
import type { Place } from './target.ts';

/** Whose picture it is. */
const PARENT_TYPES: Readonly<Record<string, string>> = {
  customer: 'Customer',
  vendor: 'Vendor',
  item: 'Item',
  employee: 'Employee',
};

/** What there is of a picture before somebody has sent one: it can be asked for, and written to, at the record that it is of. */
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

/** Keeps the picture that was empty until now; undefined where the record that it is of has gone. */
export async function keepPicture(books: Books, { table, parent }: Place, { id }: Row): Promise<Row | undefined> {
  const parentType = parent && PARENT_TYPES[parent.table.name];
  if (table.name !== 'picture' || parentType === undefined || parent?.id !== id) return undefined;
  return (await books.get(parent.table.name, id)) && books.insert('picture', { parentType }, id);
}
