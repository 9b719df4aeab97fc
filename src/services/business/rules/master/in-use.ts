import type { Value } from '../../model/types.ts';
import type { Books } from '../../records/books.ts';
import { columnOf } from '../../records/conditions.ts';
import type { Row } from '../../records/row.ts';
import { refusal } from '../refuse.ts';
import type { TableRules } from '../types.ts';
import { removeBelongings } from './belongings.ts';

interface Use {
  /** The other table, and the field by which it names the record. */
  readonly table: string;
  readonly by: string;
  /** The field of the record that is named; its system id unless given. */
  readonly own?: string;
  /** `at least one outstanding Sales Invoice`: what it says to people. */
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

/** What keeps records of a table from being deleted. */
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

/** Refuses to delete what is in use, and removes what belongs to what is not. */
export const removeUnlessInUse: NonNullable<TableRules['remove']> = async (books, row) => {
  for (const use of USES[row.table.name] ?? []) await refuseIf(books, row, use);
  await removeBelongings(books, row);
};

/** Fields that are in no column are looked at record by record; codes are seldom deleted. */
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
