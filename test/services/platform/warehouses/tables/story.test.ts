import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../../support/jars.ts';
import { all, workspaceClient } from '../../sdk.ts';
import { type Profile, SharingClient } from '../../sharing/sharing-client.ts';
import { by, good, withoutRates } from '../../support.ts';
import { SqlBench } from './support.ts';

const UC = '/api/2.1/unity-catalog';

onBothStores('data platform: tables by SQL', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('the published client makes a catalog, fills tables, joins, updates and merges; recipients of a share read the same rows', async () => {
    const { jar } = bench;
    await withoutRates(bench);
    const token = await jar.token({ user: 'admin', ttl: '365d' });
    const client = workspaceClient(bench, { token });
    const { id: warehouse_id } = await client.warehouses.create({ name: 'sql', auto_stop_mins: 0 });
    await jar.clock.advance('5m');
    const run = async (statement: string, more: object = {}) => {
      const answer = await client.statementExecution.executeStatement({
        statement,
        warehouse_id: warehouse_id as string,
        wait_timeout: '50s',
        catalog: 'shop',
        schema: 'sales',
        ...more,
      });
      expect(answer.status?.error?.message).toBeUndefined();
      expect(answer.status?.state).toBe('SUCCEEDED');
      return answer;
    };
    const rows = async (statement: string) => (await run(statement)).result?.data_array ?? [];

    const { manifest } = await run('CREATE CATALOG shop', { catalog: 'main', schema: 'default' });
    expect(manifest?.schema).toEqual({ column_count: 0 });
    await run("CREATE SCHEMA shop.sales COMMENT 'what is sold'");
    await run(
      "CREATE TABLE items (sku STRING NOT NULL, price DECIMAL(10,2) DEFAULT 1, tags ARRAY<STRING>) COMMENT 'for sale' TBLPROPERTIES ('team' = 'shop')",
    );
    await run('CREATE TABLE orders (id BIGINT, sku STRING, amount INT, day DATE) PARTITIONED BY (day)');
    expect(
      await rows(
        "INSERT INTO items VALUES ('apple', 0.50, array('fruit')), ('pear', DEFAULT, NULL), ('nail', 0.05, NULL)",
      ),
    ).toEqual([['3', '3']]);
    await run(
      "INSERT INTO orders VALUES (1, 'apple', 10, '2026-01-01'), (2, 'pear', 2, '2026-01-01'), (3, 'apple', 1, '2026-01-02')",
    );
    await run("INSERT INTO orders (id, sku) SELECT id, 'ghost' FROM range(4, 5)");
    expect(
      await rows(
        'SELECT o.day, i.sku, sum(o.amount * i.price) AS total FROM orders o JOIN items i ON o.sku = i.sku GROUP BY o.day, i.sku ORDER BY 1, 2',
      ),
    ).toEqual([
      ['2026-01-01', 'apple', '5.00'],
      ['2026-01-01', 'pear', '2.00'],
      ['2026-01-02', 'apple', '0.50'],
    ]);

    expect(
      await rows("UPDATE items SET price = price * 2 WHERE sku IN (SELECT sku FROM orders) AND sku <> 'ghost'"),
    ).toEqual([['2']]);
    expect(await rows('DELETE FROM orders WHERE amount IS NULL')).toEqual([['1']]);
    expect(
      await rows(
        "MERGE INTO items t USING (VALUES ('apple', 3.00), ('fig', 4.00)) s(sku, price) ON t.sku = s.sku WHEN MATCHED THEN UPDATE SET t.price = s.price WHEN NOT MATCHED THEN INSERT (sku, price) VALUES (s.sku, s.price)",
      ),
    ).toEqual([['2', '1', '0', '1']]);
    await run('CREATE VIEW prices (what, costs) AS SELECT sku, price FROM items WHERE price >= 1');
    expect(await rows('SELECT what, costs FROM prices ORDER BY costs')).toEqual([
      ['pear', '2.00'],
      ['apple', '3.00'],
      ['fig', '4.00'],
    ]);

    // The REST API has the same tables, with columns, counts and history.
    const tables = await all(client.tables.list({ catalog_name: 'shop', schema_name: 'sales' }));
    expect(tables.map(({ name, table_type }) => [name, table_type])).toEqual([
      ['items', 'MANAGED'],
      ['orders', 'MANAGED'],
      ['prices', 'VIEW'],
    ]);
    expect(await client.tables.get({ full_name: 'shop.sales.items' })).toMatchObject({
      comment: 'for sale',
      properties: { team: 'shop' },
      columns: [
        { name: 'sku', type_text: 'string', nullable: false },
        { name: 'price', type_text: 'decimal(10,2)', type_precision: 10, type_scale: 2 },
        { name: 'tags', type_text: 'array<string>', type_name: 'ARRAY' },
      ],
    });
    expect(await client.tables.get({ full_name: 'shop.sales.prices' })).toMatchObject({
      view_definition: 'SELECT sku, price FROM items WHERE price >= 1',
      view_dependencies: { dependencies: [{ table: { table_full_name: 'shop.sales.items' } }] },
      columns: [{ name: 'what' }, { name: 'costs' }],
    });
    expect((await rows('DESCRIBE HISTORY items')).map(([version, , , , operation]) => [version, operation])).toEqual([
      ['3', 'MERGE'],
      ['2', 'UPDATE'],
      ['1', 'WRITE'],
      ['0', 'CREATE TABLE'],
    ]);
    expect(await rows('SELECT price FROM items VERSION AS OF 1 ORDER BY price')).toEqual([
      ['0.05'],
      ['0.50'],
      ['1.00'],
    ]);

    // The query history contains who ran which statement.
    const ask = by(bench, token);
    await good(ask('POST', `${UC}/shares`, { name: 'open' }));
    const data_object = { name: 'shop.sales.orders', data_object_type: 'TABLE' };
    await good(ask('PATCH', `${UC}/shares/open`, { updates: [{ action: 'ADD', data_object }] }));
    const made = await good(ask('POST', `${UC}/recipients`, { name: 'partner', authentication_type: 'TOKEN' }));
    await good(ask('PATCH', `${UC}/shares/open/permissions`, { changes: [{ principal: 'partner', add: ['SELECT'] }] }));
    const code = made.activation_url.split('?')[1];
    const profile: Profile = await good(bench.call('GET', `${UC}/public/data_sharing_activation/${code}`, {}));
    const shared = await new SharingClient(bench, profile).rows({ share: 'open', schema: 'sales', table: 'orders' });
    expect(shared.map(({ id, sku, day }) => [Number(id), sku, day]).sort()).toEqual([
      [1, 'apple', '2026-01-01'],
      [2, 'pear', '2026-01-01'],
      [3, 'apple', '2026-01-02'],
    ]);

    await run('DROP SCHEMA sales CASCADE');
    expect(await all(client.schemas.list({ catalog_name: 'shop' }))).toHaveLength(2);
  });

  it('statements at once: every row of an INSERT is there, and merges of one key add it once', async () => {
    const sql = await SqlBench.of(bench);
    await sql.rows('CREATE TABLE log (id INT)');
    await sql.rows('CREATE TABLE counters (name STRING, value INT)');
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        await sql.rows(`INSERT INTO log VALUES (${index}), (${index + 100})`);
        await sql.rows(
          "MERGE INTO counters c USING (SELECT 'hits' AS name) s ON c.name = s.name WHEN MATCHED THEN UPDATE SET value = value + 1 WHEN NOT MATCHED THEN INSERT (name, value) VALUES (s.name, 1)",
        );
      }),
    );
    expect(await sql.rows('SELECT count(*), count(DISTINCT id) FROM log')).toEqual([['16', '16']]);
    expect(await sql.rows('SELECT * FROM counters')).toEqual([['hits', '8']]);
    // Updates of the same rows run one after the other; concurrent creations with the same name create one table.
    await Promise.all(Array.from({ length: 4 }, () => sql.rows('UPDATE log SET id = id + 1000')));
    expect(await sql.rows('SELECT min(id), max(id) FROM log')).toEqual([['4000', '4107']]);
    const made = await Promise.all(Array.from({ length: 4 }, () => sql.send('CREATE TABLE once AS SELECT 1 AS a')));
    expect(made.map(({ status }) => status.sql_state ?? 'made').sort()).toEqual(['42P07', '42P07', '42P07', 'made']);
    expect(await sql.rows('SELECT * FROM once')).toEqual([['1']]);
  });
});
