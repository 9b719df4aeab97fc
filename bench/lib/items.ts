import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { entityShape } from '../../src/kernel/odata/shape.ts';
import { collection, number, text } from '../../src/kernel/store/collection.ts';
import { POSTGRES, SQLITE } from '../../src/kernel/store/sql/dialect.ts';
import { layoutOf } from '../../src/kernel/store/sql/layout.ts';

export interface Item {
  readonly kind: string;
  readonly price: number;
  readonly title: string;
}

/** Documents of ten kinds, each found in the order of its price. */
export const items = collection<Item>('bench.items', {
  fields: { kind: text((it) => it.kind), price: number((it) => it.price), title: text((it) => it.title) },
  indexes: [['kind', 'price']],
});

export const itemShape = entityShape<Item>({
  name: 'items',
  collection: items,
  properties: {
    kind: { type: 'Edm.String', field: 'kind' },
    price: { type: 'Edm.Decimal', field: 'price' },
    title: { type: 'Edm.String', field: 'title' },
  },
  scan: 'refused',
});

export const HIGHEST_PRICE = 1000;

/** Made by the database itself: a million documents in seconds. Prices are spread evenly and in no order. */
const rows = (price: string, body: string) => `
  SELECT 'item-' || n, 'seeded-' || n, ${body}, 'k' || (n % 10), ${price}, 'Title of ' || n`;

export function fillSqliteItems(file: string, count: number): void {
  const { table } = layoutOf(items, SQLITE);
  const price = `((n * 7919) % 100003) * ${HIGHEST_PRICE}.0 / 100003`;
  const body = `json_object('kind', 'k' || (n % 10), 'price', ${price}, 'title', 'Title of ' || n)`;
  const db = new DatabaseSync(file);
  try {
    db.exec(`
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
      INSERT INTO ${table} (key, etag, body, "f.kind", "f.price", "f.title") ${rows(price, body)} FROM numbers`);
  } finally {
    db.close();
  }
}

export async function fillPostgresItems(url: string, count: number): Promise<void> {
  const { table } = layoutOf(items, POSTGRES);
  const price = `((n * 7919) % 100003) * ${HIGHEST_PRICE}::float8 / 100003`;
  const body = `json_build_object('kind', 'k' || (n % 10), 'price', ${price}, 'title', 'Title of ' || n)::text`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO ${table} (key, etag, body, "f.kind", "f.price", "f.title") ${rows(price, body)} FROM generate_series(1, ${count}::bigint) AS n`,
    );
    await client.query(`ANALYZE ${table}`);
  } finally {
    await client.end();
  }
}
