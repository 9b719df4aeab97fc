import type { Table } from '../types.ts';
import { COMPANY_TABLES } from './company.ts';
import { DERIVED_TABLES } from './derived.ts';
import { DIMENSION_TABLES } from './dimensions.ts';
import { HELPER_TABLES } from './helpers.ts';
import { ITEM_TABLES } from './items.ts';
import { JOURNAL_TABLES } from './journals.ts';
import { LEDGER_TABLES } from './ledger.ts';
import { PARTY_TABLES } from './parties.ts';
import { PURCHASE_TABLES } from './purchase.ts';
import { REFERENCE_TABLES } from './reference.ts';
import { SALES_TABLES } from './sales.ts';

/** All tables of the standard application, by name. */
export const TABLES = {
  ...COMPANY_TABLES,
  ...PARTY_TABLES,
  ...ITEM_TABLES,
  ...REFERENCE_TABLES,
  ...LEDGER_TABLES,
  ...JOURNAL_TABLES,
  ...DIMENSION_TABLES,
  ...SALES_TABLES,
  ...PURCHASE_TABLES,
  ...HELPER_TABLES,
  ...DERIVED_TABLES,
} as const;

export type TableName = keyof typeof TABLES;

export const ALL_TABLES: readonly Table[] = Object.values(TABLES);
