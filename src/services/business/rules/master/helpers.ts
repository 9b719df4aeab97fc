/** Rules for helper records: the parent record must exist. */
import { errors } from '../../errors.ts';
import type { Books } from '../../records/books.ts';
import { NO_GUID } from '../../records/row.ts';
import { requireEditable } from '../documents/header.ts';
import { DOCUMENT_KINDS } from '../documents/kinds.ts';
import { refusal } from '../refuse.ts';
import type { Draft, TableRules } from '../types.ts';

/** Table of the parent, by parent type. */
const PARENT_TABLES: Readonly<Record<string, string>> = {
  Customer: 'customer',
  Vendor: 'vendor',
  Item: 'item',
  Employee: 'employee',
  Journal: 'journalLine',
  'Journal Line': 'journalLine',
  'Sales Order': 'salesOrder',
  'Sales Order Line': 'salesOrderLine',
  'Sales Quote': 'salesQuote',
  'Sales Quote Line': 'salesQuoteLine',
  'Sales Credit Memo': 'salesCreditMemo',
  'Sales Credit Memo Line': 'salesCreditMemoLine',
  'Sales Invoice': 'salesInvoice',
  'Sales Invoice Line': 'salesInvoiceLine',
  'Purchase Invoice': 'purchaseInvoice',
  'Purchase Invoice Line': 'purchaseInvoiceLine',
  'General Ledger Entry': 'generalLedgerEntry',
  'Time Registration Entry': 'timeRegistrationEntry',
};

async function requireParent(books: Books, draft: Draft): Promise<void> {
  const value = draft.parentId as string;
  if (value === NO_GUID) {
    throw errors.BadRequest_RequiredParamNotProvided({ property: 'parentId' }, { target: 'parentId' });
  }
  const table = PARENT_TABLES[draft.parentType as string];
  if (table === undefined) {
    throw errors.BadRequest_RequiredParamNotProvided({ property: 'parentType' }, { target: 'parentType' });
  }
  if (await books.get(table, value)) return;
  const { caption } = books.model.table(table);
  throw errors.Internal_InvalidTableRelation({ field: 'parentId', value, table: caption }, { target: 'parentId' });
}

/** Posted documents and their lines, and entries, cannot be changed; neither can their dimensions. */
async function requireOpenParent(books: Books, draft: Draft): Promise<void> {
  const table = PARENT_TABLES[draft.parentType as string];
  const parent = table === undefined ? undefined : await books.get(table, draft.parentId as string);
  if (!parent) return;
  // Entries get their dimensions in the transaction that creates them and keep them.
  if (table === 'generalLedgerEntry' && books.current(parent) === parent) {
    throw refusal('The dimensions of a general ledger entry cannot be changed.', 'parentId');
  }
  const kind = DOCUMENT_KINDS.find(({ header, lines }) => header === table || lines === table);
  if (!kind) return;
  const document = kind.header === table ? parent : await books.get(kind.header, parent.text('documentId'));
  if (document) requireEditable(kind, document);
}

/** Documents and journals, to which their dimensions and those of their lines belong. */
const HEADERS: ReadonlySet<string> = new Set(['journal', ...DOCUMENT_KINDS.map(({ header }) => header)]);

/** A change to the dimensions of a document or of one of its lines is a change to the document. */
async function touchHeader(books: Books, draft: Draft): Promise<void> {
  const table = PARENT_TABLES[draft.parentType as string];
  if (table === undefined) return;
  const id = draft.parentId as string;
  if (HEADERS.has(table)) return books.touch(table, id);
  const { partOf } = books.model.table(table);
  const line = partOf && HEADERS.has(partOf.table) ? await books.get(table, id) : undefined;
  if (partOf && line) books.touch(partOf.table, line.text(partOf.by));
}

/** A record has at most one value of a dimension. */
async function requireOnce(books: Books, table: string, draft: Draft, code: string): Promise<void> {
  const value = draft[code] as string;
  if (value === '') throw errors.BadRequest_RequiredParamNotProvided({ property: code }, { target: code });
  if (!(await books.find(table, { parentId: draft.parentId as string, [code]: value }))) return;
  const entity = books.model.table(table).caption;
  throw errors.Internal_EntityWithSameKeyExists({ entity, field: code, value }, { target: code });
}

function requireSameParent(changed: ReadonlySet<string>): void {
  const moved = ['parentId', 'parentType'].find((field) => changed.has(field));
  if (moved !== undefined) throw refusal('It cannot be moved to another record.', moved);
}

const FILE: TableRules = {
  insert: (books, draft) => requireParent(books, draft),
  modify: (_books, _draft, _before, changed) => requireSameParent(changed),
};

export const HELPER_RULES: Readonly<Record<string, TableRules>> = {
  defaultDimension: {
    async insert(books, draft) {
      await requireParent(books, draft);
      await requireOnce(books, 'defaultDimension', draft, 'dimensionCode');
    },
    async modify(books, draft, _before, changed) {
      requireSameParent(changed);
      if (changed.has('dimensionCode') || changed.has('dimensionId')) {
        await requireOnce(books, 'defaultDimension', draft, 'dimensionCode');
      }
    },
  },
  dimensionSetLine: {
    async insert(books, draft) {
      await requireParent(books, draft);
      await requireOpenParent(books, draft);
      await requireOnce(books, 'dimensionSetLine', draft, 'code');
      if (draft.valueId === NO_GUID) {
        throw errors.BadRequest_RequiredParamNotProvided({ property: 'valueCode' }, { target: 'valueCode' });
      }
      await touchHeader(books, draft);
    },
    async modify(books, draft, _before, changed) {
      requireSameParent(changed);
      await requireOpenParent(books, draft);
      if (changed.has('code')) await requireOnce(books, 'dimensionSetLine', draft, 'code');
      await touchHeader(books, draft);
    },
    async remove(books, row) {
      await requireOpenParent(books, row.values());
      await touchHeader(books, row.values());
    },
  },
  attachment: FILE,
  documentAttachment: FILE,
};
