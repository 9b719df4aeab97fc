import { beforeEach, expect, it } from 'vitest';
import type { Tx } from '../../../../../src/kernel/store/index.ts';
import { blobPieces } from '../../../../../src/services/platform/blobs/collections.ts';
import { byId, chainById } from '../../../../../src/services/platform/catalog/core/chain.ts';
import type { Securable } from '../../../../../src/services/platform/catalog/core/securables.ts';
import {
  tableFiles,
  tableStates,
  tableVersions,
} from '../../../../../src/services/platform/catalog/tables/collections.ts';
import { columnsOf } from '../../../../../src/services/platform/catalog/tables/column-store.ts';
import { changeTable, createTable } from '../../../../../src/services/platform/catalog/tables/create.ts';
import type { Cell } from '../../../../../src/services/platform/catalog/tables/data/cells.ts';
import {
  fileChanges,
  filesAt,
  stateOf,
  versionAt,
  versionFrom,
  versionOf,
} from '../../../../../src/services/platform/catalog/tables/data/files.ts';
import { loadParquet } from '../../../../../src/services/platform/catalog/tables/data/load-parquet.ts';
import { appendFile, replaceFiles } from '../../../../../src/services/platform/catalog/tables/data/log.ts';
import {
  columnsIn,
  readRows,
  stageRows,
  writeRows,
} from '../../../../../src/services/platform/catalog/tables/data/rows.ts';
import { refreshTable } from '../../../../../src/services/platform/catalog/tables/data/volume-files.ts';
import type { PlatformCall } from '../../../../../src/services/platform/jar.ts';
import { SERVICES } from '../../../../../src/services.ts';
import { JarProbe } from '../../../../support/jar-probe.ts';
import { type Bench, onBothStores } from '../../../../support/jars.ts';
import { newVolume, VOLUMES, volumeClient } from '../../files/support.ts';
import { type Ask, good, person, withoutRates } from '../../support.ts';

const UC = '/api/2.1/unity-catalog';

const COLUMNS = [
  ['flag', 'BOOLEAN', true],
  ['tiny', 'BYTE', -5n],
  ['small', 'SHORT', 300n],
  ['whole', 'INT', -70_000n],
  ['long', 'LONG', 9_007_199_254_740_993n],
  ['single', 'FLOAT', 0.5],
  ['double', 'DOUBLE', 0.1],
  ['day', 'DATE', 20_000],
  ['time', 'TIMESTAMP', 1_767_225_600_123],
  ['local', 'TIMESTAMP_NTZ', -1000],
  ['text', 'STRING', 'Grüße 🍯'],
  ['bytes', 'BINARY', '\u0000ÿ'],
  ['price', 'DECIMAL', -123_456_789_012_345_678_901_234_567_890_123_456n],
  ['list', 'ARRAY', '[1,2]'],
] as const;

const columnsSent = COLUMNS.map(([name, type_name], position) => ({
  name,
  type_name,
  position,
  ...(type_name === 'DECIMAL' && { type_precision: 38, type_scale: 4 }),
  ...(type_name === 'ARRAY' && { type_text: 'array<int>' }),
}));

const ROW: readonly Cell[] = COLUMNS.map(([, , cell]) => cell);

const probe = new JarProbe();

const tests = (bench: Bench): void => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
  });

  const create = (name: string, more: object = {}) =>
    good(
      ask('POST', `${UC}/tables`, {
        catalog_name: 'main',
        schema_name: 'default',
        name,
        table_type: 'EXTERNAL',
        data_source_format: 'DELTA',
        storage_location: `abfss://lake@vendor.example/${name}`,
        ...more,
      }),
    );

  const tableOf = async (id: string): Promise<Securable> => (await byId(probe.jar.store, id)) as Securable;

  /** A call of the administrator, as made by SQL statements. */
  async function callOf(): Promise<PlatformCall> {
    const me = await good(ask('GET', '/preview/scim/v2/Me'));
    const { account, workspace } = {
      account: { id: 'unused' },
      workspace: { id: String((await good(ask('GET', `${UC}/current-metastore-assignment`))).workspace_id) },
    };
    const groups = (me.groups ?? []).map(({ value }: { value: string }) => value);
    const standing = { principal: { id: me.id, displayName: 'admin' }, ids: [me.id, ...groups], isAccountAdmin: true };
    return { jar: probe.jar, facts: { account, workspace, standing } } as never;
  }

  it('values of every type come back from a file as they went in', async () => {
    const { table_id: id } = await create('typed', { columns: columnsSent });
    const table = await tableOf(id);
    const { store } = probe.jar;
    const columns = await columnsOf(store, table);
    const nothing: Cell[] = COLUMNS.map(() => null);
    const files = await stageRows(probe.jar, columns, [ROW, nothing]);
    await store.transact((tx) => replaceFiles(tx, probe.jar, table, { operation: 'WRITE', by: 'me', add: files }));
    const [file] = await filesAt(store, id);
    const rows: (readonly Cell[])[] = [];
    for await (const group of readRows(store, file as never, columns)) rows.push(...group);
    expect(rows).toEqual([ROW, nothing]);
    expect(file?.stats).toMatchObject({
      numRecords: 2,
      minValues: {
        tiny: -5,
        whole: -70_000,
        double: 0.1,
        day: '2024-10-04',
        time: '2026-01-01T00:00:00.123Z',
        text: 'Grüße 🍯',
      },
      nullCount: { flag: 1, list: 1 },
    });
    expect(file?.stats.minValues).not.toHaveProperty('long');
    const one = columns.filter(({ name }) => name === 'text');
    for await (const group of readRows(store, file as never, one)) expect(group).toEqual([['Grüße 🍯'], [null]]);
  });

  it('every commit is a version, and earlier versions keep their files and columns', async () => {
    const { table_id: id } = await create('log', { columns: [{ name: 'n', type_name: 'INT' }] });
    const { store, clock } = probe.jar;
    const table = await tableOf(id);
    const times: number[] = [clock.now()];
    const write = async (values: readonly bigint[], remove: readonly string[] | 'all' = []) => {
      await bench.jar.clock.advance('1h');
      const files = await stageRows(
        probe.jar,
        await columnsOf(store, table),
        values.map((value) => [value]),
      );
      const commit = { operation: 'WRITE', by: 'me', add: files, remove };
      times.push(clock.now());
      return store.transact((tx) => replaceFiles(tx, probe.jar, table, commit));
    };
    expect(await write([1n, 2n])).toMatchObject({ version: 1, added: 1, removed: 0 });
    expect(await write([3n])).toMatchObject({ version: 2 });
    const [first] = await filesAt(store, id);
    expect(await write([9n], [first?.id ?? ''])).toMatchObject({ version: 3, added: 1, removed: 1 });
    expect(await write([], 'all')).toMatchObject({ version: 4, added: 0, removed: 2 });
    const counts = await Promise.all(
      [0, 1, 2, 3, 4].map(async (version) => (await filesAt(store, id, version)).length),
    );
    expect(counts).toEqual([0, 1, 2, 2, 0]);
    expect(await stateOf(store, id)).toMatchObject({ version: 4, files: 0, rows: 0, bytes: 0 });
    expect((await versionAt(store, id, (times[2] as number) + 1))?.version).toBe(2);
    expect((await versionAt(store, id, (times[0] as number) - 1))?.version).toBeUndefined();
    expect((await versionFrom(store, id, (times[2] as number) + 1))?.version).toBe(3);
    const changes = await fileChanges(store, id, 3, 4);
    expect(changes.map(({ version, change }) => [version, change])).toEqual([
      [3, 'remove'],
      [3, 'add'],
      [4, 'remove'],
      [4, 'remove'],
    ]);
    // If another writer has removed a file, the table has changed since it was read.
    await expect(write([5n], [first?.id ?? ''])).rejects.toMatchObject({ code: 'ABORTED' });
    const call = await callOf();
    const more = [
      ...(await columnsOf(store, table)),
      { ...(await columnsOf(store, table))[0], name: 'm', position: 1 },
    ];
    await store.transact(async (tx: Tx) => {
      const chain = await chainById(tx, id);
      await changeTable(tx, call, chain as never, { operation: 'ADD COLUMNS', columns: more as never });
    });
    const changed = await tableOf(id);
    expect((await columnsOf(store, changed)).map(({ name }) => name)).toEqual(['n', 'm']);
    const old = await versionOf(store, id, 2);
    expect((await columnsIn(store, changed, old as never)).map(({ name }) => name)).toEqual(['n']);
  });

  it('each of several concurrent writes becomes its own version', async () => {
    const { table_id: id } = await create('busy', { columns: [{ name: 'n', type_name: 'LONG' }] });
    const table = await tableOf(id);
    const { store } = probe.jar;
    const columns = await columnsOf(store, table);
    const versions = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const [file] = await stageRows(probe.jar, columns, [[BigInt(index)]]);
        return (await store.transact((tx) => appendFile(tx, probe.jar, table, file as never, { by: 'me' }))).version;
      }),
    );
    expect(versions.sort((one, other) => one - other)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
    expect(await stateOf(store, id)).toMatchObject({ files: 12, rows: 12 });
  });

  it('rows of a partitioned table are files by their partition values', async () => {
    const columns = [
      { name: 'day', type_name: 'DATE', partition_index: 0 },
      { name: 'n', type_name: 'INT' },
    ];
    const { table_id: id } = await create('parted', { columns });
    const { store } = probe.jar;
    const call = await callOf();
    await writeRows(call, (await chainById(store, id)) as never, [
      [0, 1n],
      [1, 2n],
      [0, 3n],
      [null, 4n],
    ]);
    const files = await filesAt(store, id);
    expect(files.map(({ partitionValues, stats }) => [partitionValues.day, stats.numRecords])).toEqual(
      expect.arrayContaining([
        ['1970-01-01', 2],
        ['1970-01-02', 1],
        [null, 1],
      ]),
    );
    await writeRows(call, (await chainById(store, id)) as never, [[5, 5n]], { overwrite: true });
    expect(await stateOf(store, id)).toMatchObject({ version: 2, files: 1, rows: 1 });
  });

  it('an external table in a directory of a volume has the Parquet files of the directory', async () => {
    await good(ask('POST', VOLUMES, newVolume('landing')));
    const client = await volumeClient(bench);
    const typed = await create('typed', { columns: columnsSent });
    const columns = await columnsOf(probe.jar.store, await tableOf(typed.table_id));
    const { parquetOf } = await loadParquet();
    const directory = '/Volumes/main/default/landing/orders';
    await client.file('PUT', `${directory}/one.parquet`, await parquetOf(columns, [ROW, ROW]));
    await client.file('PUT', `${directory}/_log.parquet`, 'not data');
    await client.file('PUT', `${directory}/readme.txt`, 'not data');
    const made = await create('orders', { storage_location: `dbfs:${directory}/`, data_source_format: 'PARQUET' });
    expect(made.columns.map(({ name, type_name }: Record<string, string>) => [name, type_name])).toEqual(
      COLUMNS.map(([name, type]) => [name, type === 'ARRAY' ? 'STRING' : type]),
    );
    const { store } = probe.jar;
    const table = (await chainById(store, made.table_id)) as never;
    const [file] = await filesAt(store, made.table_id);
    for await (const group of readRows(store, file as never, columns)) expect(group).toEqual([ROW, ROW]);
    const call = await callOf();
    expect(await refreshTable(call, table)).toBeUndefined();
    await client.file('PUT', `${directory}/two.parquet`, await parquetOf(columns, [ROW]));
    await client.file('DELETE', `${directory}/one.parquet`);
    expect(await refreshTable(call, table)).toMatchObject({ version: 2, added: 1, removed: 1 });
    await client.file('PUT', `${directory}/broken.parquet`, 'PAR1 broken PAR1');
    await expect(refreshTable(call, table)).rejects.toThrow('broken.parquet cannot be read as a Parquet file');
    // The file belongs to the volume and stays when the table is dropped.
    await good(ask('DELETE', `${UC}/tables/main.default.orders`));
    await bench.jar.settled();
    expect((await client.file('GET', `${directory}/two.parquet`)).status).toBe(200);
  });

  it('the data of a managed table is dropped seven days after the table', async () => {
    const call = await callOf();
    const { store } = probe.jar;
    const { schema_id: schema } = await good(ask('GET', `${UC}/schemas/main.default`));
    const chain = await store.transact(async (tx) =>
      createTable(tx, call, (await chainById(tx, schema)) as never, {
        name: 'kept',
        type: 'MANAGED',
        columns: [],
        viewDefinition: 'unused',
      }),
    );
    const id = chain.target.id;
    expect(await good(ask('GET', `${UC}/tables/main.default.kept`))).toMatchObject({
      table_type: 'MANAGED',
      storage_location: expect.stringMatching(new RegExp(`/tables/${id}$`)),
    });
    const columns = [{ name: 'n', type_name: 'INT', position: 0 }] as never;
    const files = await stageRows(probe.jar, columns, [[1n]]);
    await store.transact((tx) =>
      replaceFiles(tx, probe.jar, chain.target, { operation: 'WRITE', by: 'me', add: files }),
    );
    await good(ask('DELETE', `${UC}/tables/main.default.kept`));
    await bench.jar.clock.advance('6d');
    await bench.jar.settled();
    expect(await store.count(tableFiles)).toBe(1);
    await bench.jar.clock.advance('25h');
    await bench.jar.settled();
    const left = await Promise.all(
      [tableFiles, tableStates, tableVersions, blobPieces].map((each) => store.count(each as never)),
    );
    expect(left).toEqual([0, 0, 0, 0]);
  });
};

onBothStores('data platform: the data of tables', tests, { services: [...SERVICES, probe.service] });
