import type { Reader, Stored } from '../../../kernel/store/index.ts';
import type { Model, Table } from '../model/types.ts';
import { type BusinessRecord, records } from './collection.ts';
import type { Company } from './company.ts';
import { conditions } from './conditions.ts';
import { keyOf, listOf, Row } from './row.ts';

const MOST_COMPANIES = 1000;

export async function companyById(
  reader: Reader,
  model: Model,
  tenantId: string,
  id: string,
): Promise<Company | undefined> {
  const stored = await reader.get(records, keyOf(tenantId, model.table('company'), id.toLowerCase()), 'none');
  return stored && asCompany(model.table('company'), tenantId, stored);
}

/** Names compare without regard to case. */
export async function companyByName(
  reader: Reader,
  model: Model,
  tenantId: string,
  name: string,
): Promise<Company | undefined> {
  const wanted = name.trim().toLowerCase();
  return (await companiesOf(reader, model, tenantId)).find((company) => company.name.toLowerCase() === wanted);
}

export async function companiesOf(reader: Reader, model: Model, tenantId: string): Promise<Company[]> {
  const table = model.table('company');
  const filter = conditions(table, listOf(tenantId, table), {});
  const { items } = await reader.query(records, { filter, limit: MOST_COMPANIES });
  return items.map((stored) => asCompany(table, tenantId, stored));
}

/** `table` is the table of companies. */
export function asCompany(table: Table, tenantId: string, stored: Stored<BusinessRecord>): Company {
  const row = new Row(table, stored);
  return { id: row.id, key: row.text('storageKey'), name: row.text('name'), tenantId };
}
