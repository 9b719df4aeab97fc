import type { Value } from '../../model/types.ts';
import type { Books } from '../../records/books.ts';
import type { Row } from '../../records/row.ts';
import type { DocumentKind } from '../documents/kinds.ts';
import type { Draft } from '../types.ts';

/** Fields that are not copied to the new document. */
const OWN_FIELDS = new Set([
  'number',
  'status',
  'remainingAmount',
  'postingDate',
  'dueDate',
  'orderId',
  'orderNumber',
  'invoiceId',
  'invoiceNumber',
  'totalAmountExcludingTax',
  'totalTaxAmount',
  'totalAmountIncludingTax',
]);

const OWN_LINE_FIELDS = new Set([
  'documentId',
  'discountAmount',
  'shippedQuantity',
  'invoicedQuantity',
  'shipQuantity',
  'invoiceQuantity',
]);

export interface CopyOptions {
  /** Fields of the new document that differ. */
  readonly header?: Readonly<Record<string, Value>>;
  /** Fields of a new line that differ; `undefined` leaves the line out. */
  readonly line?: (line: Row) => Readonly<Record<string, Value>> | undefined;
}

/** Creates a document of one kind from a document of another: copies the fields that inSequence have, and the lines. */
export async function copyDocument(
  books: Books,
  from: DocumentKind,
  source: Row,
  to: DocumentKind,
  { header = {}, line = () => ({}) }: CopyOptions = {},
): Promise<Row> {
  const dates = source.table.fields[to.date] ? {} : { [to.date]: source.get(from.date) };
  const made = await books.insert(to.header, {
    ...shared(books, source, to.header, OWN_FIELDS),
    ...dates,
    ...header,
  });
  for (const row of await books.list(from.lines, { documentId: source.id })) {
    const differing = line(row);
    if (differing === undefined) continue;
    const { discountPercent = 0, ...copied } = shared(books, row, to.lines, OWN_LINE_FIELDS);
    // A percentage discount applies to any quantity, an exact amount only to the same one.
    const isSame = differing.quantity === undefined;
    await books.insert(to.lines, {
      ...copied,
      ...(isSame ? { discountAmount: row.get('discountAmount') } : { discountPercent }),
      ...differing,
      documentId: made.id,
    });
  }
  await books.settle();
  return books.current(made);
}

/** Leaves out read-only fields, which are computed again. */
function shared(books: Books, row: Row, table: string, own: ReadonlySet<string>): Draft {
  const { fields } = books.model.table(table);
  const draft: Draft = {};
  for (const name of Object.keys(row.table.fields)) {
    if (!fields[name] || own.has(name) || (fields[name].readOnly && !KEPT.has(name))) continue;
    draft[name] = row.get(name);
  }
  return draft;
}

/** Read-only fields that the new document copies nevertheless. */
const KEPT = new Set(['pricesIncludeTax', 'customerName', 'vendorName']);
