import { dayOf } from '../../../../kernel/time/index.ts';
import type { Books } from '../../records/books.ts';
import { NO_GUID, type Row } from '../../records/row.ts';
import { addFormula } from '../date-formula.ts';
import { removeBelongings } from '../master/belongings.ts';
import { invalid, refusal } from '../refuse.ts';
import type { Draft, TableRules } from '../types.ts';
import { requireUnblocked } from './blocked.ts';
import { calculate } from './calculate.ts';
import { type DocumentKind, isDate } from './kinds.ts';
import { requireNothingToInvoice, requireSameReceiver } from './shipped.ts';

/** Fields of posted documents that can still change: later events, and notes of people. */
const CHANGE_AFTER_POSTING = new Set([
  'status',
  'remainingAmount',
  'disputeStatusId',
  'disputeStatus',
  'promisedPayDate',
  'customerPurchaseOrderReference',
]);

const ADDRESS_PARTS = ['AddressLine1', 'AddressLine2', 'City', 'Country', 'State', 'PostCode'];
const PARTY_ADDRESS = ['addressLine1', 'addressLine2', 'city', 'country', 'state', 'postalCode'];

/** The rules for the documents of one kind. */
export function headerRules(kind: DocumentKind): TableRules {
  const { party } = kind;
  const partyFields = [`${party}Id`, `${party}Number`];

  return {
    async insert(books, draft, given) {
      const owner = await requireParty(books, kind, draft);
      requireUnblocked(kind, owner, 'create');
      requireDiscount(draft);
      for (const date of [kind.date, 'postingDate']) if (!isDate(draft[date])) draft[date] = dayOf(books.now);
      fillBilled(kind, draft, owner, given);
      if (party === 'vendor') await fillReceiver(books, draft, given);
      if (kind.hasDueDate && !given.has('dueDate')) draft.dueDate = await dueDate(books, kind, draft, owner);
      settleState(kind, draft);
    },

    async modify(books, draft, before, changed) {
      requireEditable(kind, before, changed);
      if (changed.size === 0) return;
      const has = (...fields: readonly string[]): boolean => fields.some((field) => changed.has(field));
      const owner = await requireParty(books, kind, draft);
      if (has(...partyFields)) {
        await requireSameReceiver(books, kind, before);
        requireUnblocked(kind, owner, 'create');
        fillBilled(kind, draft, owner, changed);
      }
      if (has('discountAmount')) requireDiscount(draft);
      if (kind.hasDueDate && has(kind.date, 'paymentTermsId', ...partyFields) && !has('dueDate')) {
        draft.dueDate = await dueDate(books, kind, draft, owner);
      }
      if (kind.header === 'salesQuote' && has('acceptedDate')) {
        draft.status = isDate(draft.acceptedDate) ? 'Accepted' : 'Draft';
      }
      if (has('discountAmount', 'pricesIncludeTax', ...partyFields)) {
        Object.assign(draft, await calculate(books, kind, before.id, draft));
      }
    },

    async remove(books, row) {
      requireEditable(kind, row, new Set(['']));
      await requireNothingToInvoice(books, kind, row);
      await removeBelongings(books, row);
    },

    linesChanged: (books, header) => calculate(books, kind, header.id, header.values()),
  };
}

/** `changed` are the fields to be changed; a posted document allows only a few. */
export function requireEditable(kind: DocumentKind, header: Row, changed: ReadonlySet<string> = new Set([''])): void {
  const status = header.text('status');
  if (kind.editable.includes(status)) return;
  const refused = [...changed].filter((field) => !CHANGE_AFTER_POSTING.has(field));
  if (refused.length === 0) return;
  throw refusal(
    `The ${kind.caption} ${header.text('number')} has been posted: its status is '${status}', and it cannot be changed or deleted.`,
    refused[0] || 'status',
  );
}

async function requireParty(books: Books, kind: DocumentKind, draft: Draft): Promise<Row> {
  const { party } = kind;
  const id = draft[`${party}Id`] as string;
  const owner = id === NO_GUID ? undefined : await books.get(party, id);
  if (owner) return owner;
  throw refusal(`A "${party}Number" or a "${party}Id" must be provided.`, `${party}Id`);
}

/** Bills the party itself, unless another party is given. */
function fillBilled({ party, billed }: DocumentKind, draft: Draft, owner: Row, given: ReadonlySet<string>): void {
  const suffix = party === 'customer' ? 'Customer' : 'Vendor';
  if (given.has(`${billed}${suffix}Id`) || given.has(`${billed}${suffix}Number`)) return;
  draft[`${billed}${suffix}Id`] = owner.id;
  draft[`${billed}${suffix}Number`] = owner.text('number');
  if (!given.has(`${billed}Name`)) draft[`${billed}Name`] = owner.text('displayName');
  fillAddress(billed, draft, owner, given);
}

/** Purchases are delivered to the company. */
async function fillReceiver(books: Books, draft: Draft, given: ReadonlySet<string>): Promise<void> {
  const [company] = await books.list('companyInformation', {});
  if (!company) return;
  if (!given.has('shipToName')) draft.shipToName = company.text('displayName');
  fillAddress('shipTo', draft, company, given);
}

function fillAddress(block: string, draft: Draft, from: Row, given: ReadonlySet<string>): void {
  for (const [index, part] of ADDRESS_PARTS.entries()) {
    const field = `${block}${part}`;
    if (!given.has(field)) draft[field] = from.get(PARTY_ADDRESS[index] as string);
  }
}

async function dueDate(books: Books, kind: DocumentKind, draft: Draft, owner: Row): Promise<string> {
  // Purchase invoices have no payment terms of their own; those of the vendor apply.
  const terms = (draft.paymentTermsId ?? owner.get('paymentTermsId')) as string;
  const found = terms === NO_GUID ? undefined : await books.get('paymentTerm', terms);
  return addFormula(draft[kind.date] as string, found?.text('dueDateCalculation') ?? '');
}

function requireDiscount(draft: Draft): void {
  if ((draft.discountAmount as number) < 0) throw invalid('discountAmount', 'a discount cannot be negative');
}

/** Initial state of a new document. */
function settleState(kind: DocumentKind, draft: Draft): void {
  if ('discountAppliedBeforeTax' in draft) draft.discountAppliedBeforeTax = draft.pricesIncludeTax !== true;
  if (kind.header === 'salesQuote' && isDate(draft.acceptedDate)) draft.status = 'Accepted';
}
