/**
 * Accounts of postings. The product posting group determines revenue, cost and purchases; for everything else the company has one account.
 * The numbers are those of the initial chart of accounts.
 */
import type { Books } from '../../records/books.ts';
import type { Row } from '../../records/row.ts';
import { refusal } from '../refuse.ts';

export type CompanyRole = 'receivables' | 'payables' | 'salesTax' | 'purchaseTax' | 'inventory' | 'employees';
export type ProductRole = 'sales' | 'salesReturns' | 'cost' | 'purchases';

const COMPANY_ACCOUNTS: Readonly<Record<CompanyRole, string>> = {
  receivables: '1310',
  payables: '2310',
  salesTax: '2410',
  purchaseTax: '2420',
  inventory: '1410',
  employees: '2510',
};

/** By the general product posting group. */
const PRODUCT_ACCOUNTS: Readonly<Record<string, Readonly<Record<ProductRole, string>>>> = {
  RETAIL: { sales: '4110', salesReturns: '4120', cost: '5110', purchases: '5120' },
  MAKE: { sales: '4130', salesReturns: '4120', cost: '5130', purchases: '5120' },
  SERVICES: { sales: '4210', salesReturns: '4220', cost: '5210', purchases: '5220' },
};

/** For products without a group, or in a custom one. */
const OTHER_PRODUCTS = PRODUCT_ACCOUNTS.RETAIL!;

export const companyAccount = (books: Books, role: CompanyRole): Promise<Row> =>
  account(books, COMPANY_ACCOUNTS[role], role);

export const productAccount = (books: Books, group: string, role: ProductRole): Promise<Row> =>
  account(books, (PRODUCT_ACCOUNTS[group] ?? OTHER_PRODUCTS)[role], role);

async function account(books: Books, number: string, role: string): Promise<Row> {
  const found = await books.find('account', { number });
  if (found) return found;
  throw refusal(
    `Nothing can be posted: the account ${number}, which is the one for ${role}, does not exist in this company.`,
  );
}
