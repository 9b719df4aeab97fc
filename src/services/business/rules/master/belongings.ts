import type { Books } from '../../records/books.ts';
import type { Row } from '../../records/row.ts';

/** What hangs on records and goes with them: the table, and the field that names the record. */
const BELONGINGS = [
  ['defaultDimension', 'parentId'],
  ['dimensionSetLine', 'parentId'],
  ['attachment', 'parentId'],
  ['documentAttachment', 'parentId'],
] as const;

/** Removes what would otherwise be left without the record that it belongs to. */
export async function removeBelongings(books: Books, row: Row): Promise<void> {
  for (const [table, by] of BELONGINGS) {
    for (const belonging of await books.list(table, { [by]: row.id })) await books.remove(belonging);
  }
  const picture = await books.get('picture', row.id);
  if (picture) await books.remove(picture);
}
