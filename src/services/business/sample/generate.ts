import type { BusinessJar } from '../jar.ts';
import type { Model } from '../model/types.ts';
import { BusinessTx } from '../records/business-tx.ts';
import type { Company } from '../records/company.ts';
import type { Actor } from '../users/actor.ts';
import { Builder } from './builder.ts';
import type { BusinessSeed, SeedCompany } from './collections.ts';
import { COMPANY_INFORMATION } from './data/company.ts';
import { deterministicId, storageKeyOf } from './deterministic-id.ts';
import { insertInitialData } from './foundation.ts';
import { insertGiven } from './given-records.ts';
import { MemoryTx } from './memory-tx.ts';
import { trade } from './trade.ts';

const SYSTEM_VERSION = '1.0.0.0';

/** Creates all companies of a tenant in memory, as of the start of the jar. */
export async function generateCompanies(
  jar: BusinessJar,
  tenantId: string,
  seed: BusinessSeed,
  at: number,
): Promise<MemoryTx> {
  const tx = new MemoryTx();
  const { model } = jar;
  for (const company of seed.companies) await generateCompany({ jar, model, tenantId, tx, at }, company);
  return tx;
}

export interface Generation {
  readonly jar: BusinessJar;
  readonly model: Model;
  readonly tenantId: string;
  readonly tx: MemoryTx;
  readonly at: number;
}

async function generateCompany(generation: Generation, wanted: SeedCompany): Promise<void> {
  const { name, displayName = name, sample = false, records = {} } = wanted;
  const { tenantId } = generation;
  const company: Company = {
    id: deterministicId(tenantId, 'company', name),
    key: storageKeyOf(tenantId, name),
    name,
    tenantId,
  };
  const newId = numbered(company);
  const builder = new Builder((now) => booksOf(generation, company, newId, now), generation.at, company);
  await builder.insert(
    'company',
    { name, displayName, systemVersion: SYSTEM_VERSION, storageKey: company.key },
    company.id,
  );
  await builder.insert('companyInformation', {
    ...COMPANY_INFORMATION,
    displayName,
    currentFiscalYearStartDate: `${new Date(generation.at).getUTCFullYear()}-01-01`,
  });
  await insertInitialData(builder);
  if (sample) await trade(builder);
  await insertGiven(builder, generation.model, records);
}

function booksOf(
  { jar, model, tenantId, tx }: Generation,
  company: Company,
  newId: (table: string) => string,
  now: number,
): BusinessTx {
  return new BusinessTx({ tx, jar, model, company, actor: maker(tenantId), now, newId });
}

/** Records that rules create get ids by the order of their creation. */
function numbered(company: Company): (table: string) => string {
  const counts = new Map<string, number>();
  return (table) => {
    const count = (counts.get(table) ?? 0) + 1;
    counts.set(table, count);
    return deterministicId(company.tenantId, company.name, table, `#${count}`);
  };
}

/** User that creates the company. */
const maker = (tenantId: string): Actor => ({
  tenantId,
  objectId: '00000000-0000-0000-0000-000000000001',
  name: 'Setup',
  kind: 'application',
  isDelegatedAdmin: false,
  canScheduleJobs: true,
});
