import pg from 'pg';
import { type ResourceGroup, resourceGroups } from '../../src/kernel/arm/collections.ts';
import { groupPath } from '../../src/kernel/arm/ids.ts';
import { POSTGRES } from '../../src/kernel/store/sql/dialect.ts';
import { layoutOf } from '../../src/kernel/store/sql/layout.ts';
import type { Store } from '../../src/kernel/store/types.ts';

/** Documents per transaction: enough to make the cost of a commit negligible. */
const BATCH = 5000;

/** Key and document of the n-th resource group; keys are in the order of their numbers. */
function nthGroup(subscriptionId: string, n: number): [string, ResourceGroup] {
  const name = `group-${String(n).padStart(9, '0')}`;
  const group: ResourceGroup = { subscriptionId, name, location: 'westus', tags: {}, provisioningState: 'Succeeded' };
  return [groupPath(subscriptionId, name).toLowerCase(), group];
}

export const keyOfGroup = (subscriptionId: string, n: number): string => nthGroup(subscriptionId, n)[0];

/** Writes groups to a store as the jar does. */
export async function fillStore(store: Store, subscriptionId: string, count: number): Promise<void> {
  for (let done = 0; done < count; done += BATCH) {
    await store.transact(async (tx) => {
      for (let n = done; n < Math.min(done + BATCH, count); n++) {
        await tx.put(resourceGroups, ...nthGroup(subscriptionId, n));
      }
    });
  }
}

/** Writes the same rows to the table of a PostgreSQL store, without a million round trips. */
export async function fillPostgres(url: string, subscriptionId: string, count: number): Promise<void> {
  const { table } = layoutOf(resourceGroups, POSTGRES);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (let done = 0; done < count; done += BATCH) {
      const rows = Array.from({ length: Math.min(BATCH, count - done) }, (_, i) => nthGroup(subscriptionId, done + i));
      const insert = `INSERT INTO ${table} (key, etag, body) SELECT * FROM unnest($1::text[], $2::text[], $3::text[])`;
      const columns = [
        rows.map(([key]) => key),
        rows.map((_, i) => `seeded-${done + i}`),
        rows.map(([, group]) => JSON.stringify(group)),
      ];
      await client.query(insert, columns);
    }
    await client.query(`ANALYZE ${table}`);
  } finally {
    await client.end();
  }
}
