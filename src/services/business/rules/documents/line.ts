import { dayOf } from '../../../../kernel/time/index.ts';
import { errors } from '../../errors.ts';
import type { Books } from '../../records/books.ts';
import { NO_GUID, type Row } from '../../records/row.ts';
import { sumOfQuantities } from '../money.ts';
import { invalid, refusal } from '../refuse.ts';
import { claimSequence } from '../sequence.ts';
import type { Draft, TableRules } from '../types.ts';
import { settleDiscount } from './amounts.ts';
import { requireEditable } from './header.ts';
import { covers, type DocumentKind, isDate } from './kinds.ts';
import { fillFromObject, OBJECT_FIELDS, settleObject } from './line-object.ts';
import { requireNotShipped } from './shipped.ts';

/** Rules for lines of one kind of document. Amounts are computed later from all lines: see `calculate`. */
export function lineRules(kind: DocumentKind): TableRules {
  return {
    async insert(books, draft, given) {
      const header = await requireHeader(books, kind, draft);
      await claimSequence(books, kind.lines, draft, 'documentId', 'sequence');
      const object = await settleObject(books, draft, given);
      if (object) await fillFromObject(books, kind, header, draft, object, given);
      await requireTaxGroup(books, draft, given);
      fillDates(books, header, draft);
      if (kind.isOrder) settleQuantities(draft, given);
      settleAmounts(kind, draft, given);
    },

    async modify(books, draft, before, changed) {
      if (changed.size === 0) return;
      if (changed.has('documentId')) throw refusal('A line cannot be moved to another document.', 'documentId');
      const header = await requireHeader(books, kind, draft);
      if (changed.has('sequence')) await claimSequence(books, kind.lines, draft, 'documentId', 'sequence');
      if (OBJECT_FIELDS.some((field) => changed.has(field))) {
        requireNotShipped(kind, before, 'change what the order line is about', 'lineType');
        const object = await settleObject(books, draft, changed);
        if (object) await fillFromObject(books, kind, header, draft, object, changed);
      }
      await requireTaxGroup(books, draft, changed);
      if (kind.isOrder) settleQuantities(draft, changed, before);
      settleAmounts(kind, draft, changed, before);
    },

    async remove(books, row) {
      await requireHeader(books, kind, row.values());
      requireNotShipped(kind, row, 'delete the order line', 'shippedQuantity');
    },
  };
}

async function requireHeader(books: Books, kind: DocumentKind, draft: Draft): Promise<Row> {
  const id = draft.documentId as string;
  if (id === NO_GUID)
    throw errors.BadRequest_RequiredParamNotProvided({ property: 'documentId' }, { target: 'documentId' });
  const header = await books.get(kind.header, id);
  if (!header) {
    throw errors.Internal_InvalidTableRelation(
      { field: 'documentId', value: id, table: kind.caption },
      { target: 'documentId' },
    );
  }
  requireEditable(kind, header);
  return header;
}

/** `taxCode` must be a tax group. */
async function requireTaxGroup(books: Books, draft: Draft, given: ReadonlySet<string>): Promise<void> {
  const value = draft.taxCode as string;
  if (!given.has('taxCode') || value === '') return;
  if (await books.find('taxGroup', { code: value })) return;
  throw errors.Internal_InvalidTableRelation({ field: 'taxCode', value, table: 'Tax Group' }, { target: 'taxCode' });
}

function fillDates(books: Books, header: Row, draft: Draft): void {
  if ('shipmentDate' in draft && !isDate(draft.shipmentDate)) {
    const wanted = 'requestedDeliveryDate' in header.table.fields ? header.get('requestedDeliveryDate') : undefined;
    draft.shipmentDate = isDate(wanted) ? wanted : dayOf(books.now);
  }
  if ('expectedReceiptDate' in draft && !isDate(draft.expectedReceiptDate)) {
    draft.expectedReceiptDate = header.get('postingDate');
  }
}

function settleAmounts(kind: DocumentKind, draft: Draft, given: ReadonlySet<string>, before?: Row): void {
  if (given.has('discountPercent') && !isPercent(draft.discountPercent as number)) {
    throw invalid('discountPercent', 'it must be from 0 to 100');
  }
  // A change that does not affect amounts keeps an exact discount amount.
  if (
    before &&
    !['quantity', 'discountAmount', 'discountPercent', kind.price].some((field) => draft[field] !== before.get(field))
  )
    return;
  const isAmountGiven = given.has('discountAmount') && !given.has('discountPercent');
  const gross = settleDiscount(draft, draft[kind.price] as number, isAmountGiven);
  const isWithin = Math.abs(draft.discountAmount as number) <= Math.abs(gross);
  if (isWithin && isPercent(draft.discountPercent as number)) return;
  throw invalid('discountAmount', 'it must be from 0 to the amount of the line');
}

const isPercent = (value: number): boolean => value >= 0 && value <= 100;

/** The quantity to ship and invoice next is everything that remains, unless a smaller one is given. */
function settleQuantities(draft: Draft, given: ReadonlySet<string>, before?: Row): void {
  const quantity = draft.quantity as number;
  const shipped = before?.number('shippedQuantity') ?? 0;
  const invoiced = before?.number('invoicedQuantity') ?? 0;
  if (given.has('quantity') && !covers(quantity, shipped)) {
    throw refusal(`The quantity cannot be less than ${shipped}, which has been shipped.`, 'quantity');
  }
  const isNewQuantity = !before || given.has('quantity');
  settleNext(draft, given, 'shipQuantity', sumOfQuantities(quantity, -shipped), isNewQuantity);
  settleNext(draft, given, 'invoiceQuantity', sumOfQuantities(quantity, -invoiced), isNewQuantity);
}

function settleNext(
  draft: Draft,
  given: ReadonlySet<string>,
  field: string,
  left: number,
  isNewQuantity: boolean,
): void {
  if (!given.has(field)) {
    if (isNewQuantity) draft[field] = left;
    return;
  }
  const next = draft[field] as number;
  if (covers(left, next)) return;
  throw invalid(field, `no more than ${left} is left`);
}
