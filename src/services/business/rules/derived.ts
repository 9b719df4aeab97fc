import type { Reader } from '../../../kernel/store/index.ts';
import type { Model } from '../model/types.ts';
import type { Company } from '../records/company.ts';
import type { Row } from '../records/row.ts';
import { agedAccounts } from './reports/aging.ts';
import { customerFinances } from './reports/customer-finances.ts';
import { pdfDocument } from './reports/pdf-document.ts';
import type { Source } from './reports/rows.ts';
import { trialBalance } from './reports/trial-balance.ts';

/** Computes the rows of a page: those of `parent`, or all. */
export type Derive = (
  reader: Reader,
  model: Model,
  company: Company,
  parent: Row | undefined,
  now: number,
) => Promise<Row[]>;

const derive =
  (report: (source: Source, parent?: Row) => Promise<Row[]>): Derive =>
  (reader, model, company, parent, now) =>
    report({ reader, model, company, now }, parent);

/** By the name that pages give in `derived`. */
export const DERIVED: Readonly<Record<string, Derive | undefined>> = {
  __proto__: null as never,
  trialBalance: derive(trialBalance),
  agedAccountsReceivable: derive((source, parent) => agedAccounts(source, 'customer', parent)),
  agedAccountsPayable: derive((source, parent) => agedAccounts(source, 'vendor', parent)),
  customerFinancialDetail: derive(customerFinances),
  pdfDocument: derive(pdfDocument),
};
