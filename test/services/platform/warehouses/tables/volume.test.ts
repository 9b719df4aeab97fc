import { expect, it } from 'vitest';
import { completeColumn } from '../../../../../src/services/platform/catalog/tables/columns.ts';
import { loadParquet } from '../../../../../src/services/platform/catalog/tables/data/load-parquet.ts';
import { onAnyStore } from '../../../../support/jars.ts';
import { volumeClient } from '../../files/support.ts';
import { SqlBench } from './support.ts';

onAnyStore('data platform: SQL over files of a volume', (bench) => {
  it('a table over a directory of Parquet files has the rows that lie there now, and is not written', async () => {
    const sql = await SqlBench.of(bench);
    const { parquetOf } = await loadParquet();
    const columns = [
      completeColumn({ name: 'id', type_name: 'INT' }, 0),
      completeColumn({ name: 'name', type_name: 'STRING' }, 1),
    ];
    const files = await volumeClient(bench);
    const put = async (name: string, bytes: Uint8Array): Promise<void> => {
      const { status } = await files.file('PUT', `/Volumes/main/default/landing/in/${name}`, bytes);
      expect(status).toBe(204);
    };
    await sql.rows('CREATE VOLUME landing');
    await put('a.parquet', await parquetOf(columns, [[1n, 'one']]));
    await sql.rows("CREATE TABLE landed LOCATION '/Volumes/main/default/landing/in'");
    expect(await sql.rows('SELECT * FROM landed')).toEqual([['1', 'one']]);
    await put('b.parquet', await parquetOf(columns, [[2n, null]]));
    expect(await sql.rows('SELECT * FROM landed WHERE id > 1')).toEqual([['2', null]]);
    expect((await sql.refusal('INSERT INTO landed VALUES (3, NULL)')).state).toBe('0A000');
    await sql.rows('CREATE TABLE kept AS SELECT * FROM landed');

    // The footer of the file is valid, its rows are not.
    const broken = Buffer.from(await parquetOf(columns, [[3n, 'three']]));
    broken.fill(0xff, 4, 40);
    await put('c.parquet', broken);
    const { state, message } = await sql.refusal('SELECT * FROM landed');
    expect({ state, message }).toEqual({ state: 'KD001', message: expect.stringContaining('c.parquet') });
    expect(await sql.rows('SELECT count(*) FROM kept')).toEqual([['2']]);
    // Overly long rules are refused, and later statements still end.
    const long = `1${' + 1'.repeat(20_000)}`;
    expect((await sql.refusal(`CREATE TABLE long (a INT DEFAULT ${long})`)).state).toBe('54000');
  });
});
