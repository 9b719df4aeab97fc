import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, parquetWrite } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { readParquet } from '../../../src/cli/datasets/read-parquet.ts';
import { useFolder } from './support.ts';

type Options = Omit<Parameters<typeof parquetWrite>[0], 'writer'>;

describe('Parquet', () => {
  const folder = useFolder();
  let files = 0;

  const written = (options: Options): string => {
    const writer = new ByteWriter();
    parquetWrite({ ...options, writer });
    files += 1;
    const file = join(folder, `${files}.parquet`);
    writeFileSync(file, writer.getBytes());
    return file;
  };

  async function rowsOf(file: string, names: readonly string[], skip = 0): Promise<{ at: number; json: string }[]> {
    const columns = names.map((name) => ({ name, dataType: 'String' }));
    const { chunks } = await readParquet(file, { file: 'f', columns, map: new Map(), ignoreUnknown: false, skip });
    const rows = [];
    for await (const chunk of chunks) rows.push(...chunk);
    return rows;
  }

  /** The values of one column as JSON. */
  async function valuesOf(element: Omit<SchemaElement, 'name'>, data: readonly unknown[]): Promise<string[]> {
    const schema = [
      { name: 'root', num_children: 1 },
      { ...element, name: 'v' },
    ];
    const file = written({ schema, columnData: [{ name: 'v', data: data as never }], statistics: false });
    return (await rowsOf(file, ['v'])).map(({ json }) => json.replace(/^\{"v":|^\{|\}$/g, ''));
  }

  it.each<[string, Omit<SchemaElement, 'name'>, readonly unknown[], readonly string[]]>([
    ['INT64', { type: 'INT64' }, [9007199254740993n, -1n], ['9007199254740993', '-1']],
    ['INT32 with blanks', { type: 'INT32', repetition_type: 'OPTIONAL' }, [1, null, 2], ['1', '', '2']],
    ['DOUBLE', { type: 'DOUBLE' }, [0.1, 1e300], ['0.1', '1e+300']],
    ['BOOLEAN', { type: 'BOOLEAN' }, [true, false], ['true', 'false']],
    [
      'DECIMAL in INT32',
      { type: 'INT32', converted_type: 'DECIMAL', scale: 2, precision: 9 },
      [1250n, -5n],
      ['12.50', '-0.05'],
    ],
    [
      'DECIMAL in INT64',
      { type: 'INT64', converted_type: 'DECIMAL', scale: 4, precision: 18 },
      [123456789012345678n],
      ['12345678901234.5678'],
    ],
    [
      'DECIMAL in bytes',
      { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, converted_type: 'DECIMAL', scale: 3, precision: 38 },
      [-12345678901234567890123n, 0n],
      ['-12345678901234567890.123', '0.000'],
    ],
    ['DECIMAL without places', { type: 'INT64', converted_type: 'DECIMAL', scale: 0, precision: 18 }, [7n], ['7']],
    ['DATE', { type: 'INT32', converted_type: 'DATE' }, [new Date('2014-07-30')], ['"2014-07-30T00:00:00.000000000"']],
    [
      'TIMESTAMP of microseconds',
      { type: 'INT64', converted_type: 'TIMESTAMP_MICROS' },
      [1_406_678_400_123_456n],
      ['"2014-07-30T00:00:00.123456000"'],
    ],
    [
      'TIMESTAMP of nanoseconds',
      { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' } },
      [-1n],
      ['"1969-12-31T23:59:59.999999999"'],
    ],
    ['UTF8', { type: 'BYTE_ARRAY', converted_type: 'UTF8' }, ['\ufeffž"', ''], ['"\ufeffž\\""', '""']],
    ['bytes that are text', { type: 'BYTE_ARRAY' }, [Buffer.from('plain')], ['"plain"']],
    ['JSON', { type: 'BYTE_ARRAY', converted_type: 'JSON' }, [{ a: 1 }], ['"{\\"a\\":1}"']],
    [
      'UUID',
      { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } },
      ['2325db89-7bd8-415d-b322-1c379bb6e9fa'],
      ['"2325db89-7bd8-415d-b322-1c379bb6e9fa"'],
    ],
  ])('%s', async (_name, element, data, expected) => {
    expect(await valuesOf({ repetition_type: 'REQUIRED', ...element }, data)).toEqual(expected);
  });

  it('values that no table can have are told with their row', async () => {
    await expect(
      valuesOf({ type: 'DOUBLE', repetition_type: 'REQUIRED' }, [1, Number.POSITIVE_INFINITY]),
    ).rejects.toThrow("f, row 2, column 'v': a table cannot store the number Infinity");
    await expect(valuesOf({ type: 'BYTE_ARRAY', repetition_type: 'REQUIRED' }, [Buffer.from([0xff])])).rejects.toThrow(
      "f, row 1, column 'v': these 1 bytes are not UTF-8 text",
    );
  });

  it('lists and records are refused', async () => {
    const schema: SchemaElement[] = [
      { name: 'root', num_children: 1 },
      { name: 'v', num_children: 1, repetition_type: 'OPTIONAL' },
      { name: 'part', type: 'INT32', repetition_type: 'OPTIONAL' },
    ];
    const file = written({ schema, columnData: [{ name: 'v', data: [{ part: 1 }] }] });
    await expect(rowsOf(file, ['v'])).rejects.toThrow("the column 'v' contains lists or records");
  });

  it.each([
    ['UNCOMPRESSED', undefined],
    ['SNAPPY', undefined],
    ['GZIP', gzipSync],
    ['ZSTD', zstdCompressSync],
    ['BROTLI', brotliCompressSync],
  ] as const)('compressed by %s', async (codec, compress) => {
    const data = Array.from({ length: 500 }, (_, i) => `row ${i % 7}`);
    const compressors = compress ? { [codec]: (bytes: Uint8Array) => new Uint8Array(compress(bytes)) } : {};
    const file = written({ columnData: [{ name: 'v', data, type: 'STRING' }], codec, compressors });
    expect((await rowsOf(file, ['v'])).map(({ json }) => JSON.parse(json).v)).toEqual(data);
  });

  it('a codec that is not supported is named', async () => {
    const compressors = { LZ4: (bytes: Uint8Array) => bytes };
    const file = written({ columnData: [{ name: 'v', data: ['a'] }], codec: 'LZ4', compressors });
    await expect(rowsOf(file, ['v'])).rejects.toThrow('f is compressed with LZ4; rewrite it with snappy');
  });

  it('row groups are read one after the other, and those that are skipped are only counted', async () => {
    const data = Array.from({ length: 2500 }, (_, i) => i);
    const file = written({ columnData: [{ name: 'v', data, type: 'INT32' }], rowGroupSize: 1000 });
    const rows = await rowsOf(file, ['v'], 1200);
    expect(rows.map(({ at }) => at)).toEqual(data.map((i) => i + 1));
    expect(rows[999]?.json).toBe('');
    expect(rows[1000]?.json).toBe('{"v":1000}');
  });
});
