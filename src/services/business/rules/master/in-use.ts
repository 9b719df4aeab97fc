import type { Value } from '../../model/types.ts';
import type { Books } from '../../records/books.ts';
import { columnOf } from '../../records/conditions.ts';
import type { Row } from '../../records/row.ts';
import { refusal } from '../refuse.ts';
import type { TableRules } from '../types.ts';
import { removeBelongings } from './belongings.ts';

interface Use {
  /** The other table, and its field that refers to the record. */
  readonly table: string;
  readonly by: string;
  /** The field that is referred to; default: the system id. */
  readonly own?: string;
  /** Description for people: `at least one outstanding Sales Invoice`. */
  readonly as: string;
}

const outstanding = (table: string, by: string, caption: string): Use => ({
  table,
  by,
  as: `there is at least one ${caption} for it`,
});

const onLines = (by: string): readonly Use[] => [
  outstanding('salesOrderLine', by, 'Sales Order'),
  outstanding('salesQuoteLine', by, 'Sales Quote'),
  outstanding('salesInvoiceLine', by, 'Sales Invoice'),
  outstanding('salesCreditMemoLine', by, 'Sales Credit Memo'),
  outstanding('purchaseInvoiceLine', by, 'Purchase Invoice'),
];

const ENTRIES = 'it has ledger entries';

/** References that prevent the deletion of a record, by table. */
export const USES: Readonly<Record<string, readonly Use[]>> = {
  customer: [
    { table: 'customerLedgerEntry', by: 'customerId', as: ENTRIES },
    outstanding('salesOrder', 'customerId', 'Sales Order'),
    outstanding('salesQuote', 'customerId', 'Sales Quote'),
    outstanding('salesInvoice', 'customerId', 'Sales Invoice'),
    outstanding('salesCreditMemo', 'customerId', 'Sales Credit Memo'),
    outstanding('journalLine', 'accountId', 'journal line'),
  ],
  vendor: [
    { table: 'vendorLedgerEntry', by: 'vendorId', as: ENTRIES },
    outstanding('purchaseInvoice', 'vendorId', 'Purchase Invoice'),
    outstanding('journalLine', 'accountId', 'journal line'),
  ],
  item: onLines('itemId'),
  account: [{ table: 'generalLedgerEntry', by: 'accountId', as: ENTRIES }, ...onLines('accountId')],
  employee: [outstanding('timeRegistrationEntry', 'employeeId', 'time registration entry')],
  itemCategory: [outstanding('item', 'itemCategoryId', 'item')],
  unitOfMeasure: [{ ...outstanding('item', 'baseUnitOfMeasureCode', 'item'), own: 'code' }],
  taxGroup: [{ ...outstanding('item', 'taxGroupCode', 'item'), own: 'code' }],
  paymentTerm: [
    outstanding('customer', 'paymentTermsId', 'customer'),
    outstanding('vendor', 'paymentTermsId', 'vendor'),
  ],
  paymentMethod: [
    outstanding('customer', 'paymentMethodId', 'customer'),
    outstanding('vendor', 'paymentMethodId', 'vendor'),
  ],
  shipmentMethod: [outstanding('customer', 'shipmentMethodId', 'customer')],
  taxArea: [outstanding('customer', 'taxAreaId', 'customer')],
  currency: [
    { ...outstanding('customer', 'currencyCode', 'customer'), own: 'code' },
    { ...outstanding('vendor', 'currencyCode', 'vendor'), own: 'code' },
  ],
  countryRegion: [
    { ...outstanding('customer', 'country', 'customer'), own: 'code' },
    { ...outstanding('vendor', 'country', 'vendor'), own: 'code' },
  ],
};

/** Refuses to delete a record in use; otherwise deletes its helper records. */
export const removeUnlessInUse: NonNullable<TableRules['remove']> = async (books, row) => {
  for (const use of USES[row.table.name] ?? []) await refuseIf(books, row, use);
  await removeBelongings(books, row);
};

/** Fields without a column are checked record by record; codes are seldom deleted. */
async function isNamed(books: Books, table: string, by: string, value: Value): Promise<boolean> {
  if (columnOf(books.model.table(table), by) !== undefined)
    return (await books.find(table, { [by]: value })) !== undefined;
  return (await books.list(table, {})).some((other) => other.get(by) === value);
}

async function refuseIf(books: Books, row: Row, { table, by, own = 'id', as }: Use): Promise<void> {
  if (!(await isNamed(books, table, by, row.get(own)))) return;
  const { caption, key } = row.table;
  throw refusal(`You cannot delete ${caption} ${key === undefined ? row.id : row.text(key)} because ${as}.`);
}
