import type { Books } from '../../records/books.ts';
import type { Row } from '../../records/row.ts';

/** Helper records that are deleted with their parent: the table, and the field that refers to the parent. */
const BELONGINGS = [
  ['defaultDimension', 'parentId'],
  ['dimensionSetLine', 'parentId'],
  ['attachment', 'parentId'],
  ['documentAttachment', 'parentId'],
] as const;

/** Deletes the helper records of a deleted record. */
export async function removeBelongings(books: Books, row: Row): Promise<void> {
  for (const [table, by] of BELONGINGS) {
    for (const belonging of await books.list(table, { [by]: row.id })) await books.remove(belonging);
  }
  const picture = await books.get('picture', row.id);
  if (picture) await books.remove(picture);
}
