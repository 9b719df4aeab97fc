import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { collection } from '../../src/kernel/store/collection.ts';
import { POSTGRES, SQLITE } from '../../src/kernel/store/sql/dialect.ts';
import { layoutOf } from '../../src/kernel/store/sql/layout.ts';
import type { Collection } from '../../src/kernel/store/types.ts';
import { type BusinessRecord, records } from '../../src/services/business/records/collection.ts';

/** The company that the customers are of, unless another is given. */
export const COMPANY = 'bench';

/** When the first was changed, each other a second after the one before. */
export const FIRST_CHANGE = Date.UTC(2024, 0, 1);

export interface Filling {
  /** `<company>/<table>` */
  readonly list: string;
  /** With the columns of records. */
  readonly into: Collection<BusinessRecord>;
}

/** With the columns and indexes of the records themselves: for the same writes without what is made of them. */
export const plainRecords = collection<BusinessRecord>('bench.plain', {
  fields: records.fields,
  indexes: records.indexes,
});

const CUSTOMERS: Filling = { list: `${COMPANY}/customer`, into: records };

/** The system id of the n-th, from 1. */
export const customerId = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const COLUMNS = '(key, etag, body, "f.list", "f.id", "f.t1", "f.t2", "f.t5", "f.modified", "f.created")';

/** Made by the database itself, with names and numbers in no order: a million in seconds. */
function rows(list: string, json: (members: string) => string, hex: (n: string) => string, asText: string): string {
  const id = `'00000000-0000-4000-8000-' || ${hex('n')}`;
  const number = `'C' || ${hex(`((n * 7919) % 100000007)`)}`;
  const name = `'Customer ' || ${hex(`((n * 104729) % 100000007)`)}`;
  const at = `${FIRST_CHANGE} + n * 1000`;
  const values = json(`'number', ${number}, 'displayName', ${name}, 'city', 'Lund'`);
  const slots = json(`'t1', ${number}, 't2', ${name}, 't5', 'Lund'`);
  const body = json(
    `'id', ${id}, 'list', '${list}', 'values', ${values}, 'slots', ${slots}, 'createdAt', ${at}, 'createdBy', '', 'modifiedAt', ${at}, 'modifiedBy', ''`,
  );
  return `SELECT '${list}/' || ${id}, 'c2VlZGVkLXRhZy0w', (${body})${asText}, '${list}', ${id}, ${number}, ${name}, 'Lund', ${at}, ${at}`;
}

export function fillSqliteCustomers(file: string, count: number, { list, into }: Filling = CUSTOMERS): void {
  const { table } = layoutOf(into, SQLITE);
  const select = rows(
    list,
    (members) => `json_object(${members})`,
    (n) => `printf('%012d', ${n})`,
    '',
  );
  const db = new DatabaseSync(file);
  try {
    db.exec(`
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
      INSERT INTO ${table} ${COLUMNS} ${select} FROM numbers`);
  } finally {
    db.close();
  }
}

export async function fillPostgresCustomers(url: string, count: number): Promise<void> {
  const { table } = layoutOf(records, POSTGRES);
  const select = rows(
    CUSTOMERS.list,
    (members) => `json_build_object(${members})`,
    (n) => `lpad((${n})::text, 12, '0')`,
    '::text',
  );
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`INSERT INTO ${table} ${COLUMNS} ${select} FROM generate_series(1, ${count}::bigint) AS n`);
    await client.query(`ANALYZE ${table}`);
  } finally {
    await client.end();
  }
}
