import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exportRows } from '../../../src/cli/datasets/export.ts';
import { findDataset, findTable } from '../../../src/cli/datasets/find.ts';
import type { Format } from '../../../src/cli/datasets/format.ts';
import { importRows } from '../../../src/cli/datasets/import.ts';
import { openInput } from '../../../src/cli/datasets/input.ts';
import { rowProgress } from '../../../src/cli/datasets/progress.ts';
import { readCsv } from '../../../src/cli/datasets/read-csv.ts';
import { readNdjson } from '../../../src/cli/datasets/read-ndjson.ts';
import { readParquet } from '../../../src/cli/datasets/read-parquet.ts';
import { EVERY_TYPE, importLines } from '../../services/datasets/bulk/support.ts';
import { onAnyStore } from '../../support/jars.ts';
import { clientOf, createDataset, useFolder } from './support.ts';

const RUNS = process.env.CLOUDJAR_SOAK === '1' ? 500 : 60;
const LONGEST_TEXT = 4000;
const FIRST_DATE = new Date('1899-12-30T00:00:00.000Z');
const LAST_DATE = new Date('9999-12-31T23:59:59.990Z');

const decimalText = (units: bigint): string => {
  const digits = (units < 0n ? -units : units).toString().padStart(5, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
};

/** Values as JSON text, because JavaScript numbers keep fewer digits. */
const whole = fc.bigInt(-(2n ** 63n) + 1n, 2n ** 63n - 2n).map(String);
const decimal = fc.oneof(fc.bigInt(-(2n ** 63n) + 1n, 2n ** 63n - 2n), fc.bigInt(-99_999n, 99_999n)).map(decimalText);
const double = fc
  .double({
    noNaN: true,
    noDefaultInfinity: true,
    min: -Number.MAX_VALUE,
    max: Number.MAX_VALUE,
    maxExcluded: true,
    minExcluded: true,
  })
  .map((value) => JSON.stringify(value));
const flag = fc.boolean().map(String);
const at = fc
  .date({ min: FIRST_DATE, max: LAST_DATE, noInvalidDate: true })
  .map((date) => JSON.stringify(date.toISOString()));
const awkward = fc.constantFrom(
  '',
  ' ',
  '"',
  '""',
  ',',
  '\n',
  '\r',
  '\r\n',
  '\t',
  ';',
  '\ufeff',
  '\ufeffx',
  'null',
  'a"b',
  '\u2028',
  '=1+1',
  "'",
);
const text = fc
  .oneof(
    awkward,
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.array(awkward).map((all) => all.join('')),
  )
  .map((value) => JSON.stringify(value.toWellFormed().replaceAll('\0', '').slice(0, LONGEST_TEXT).toWellFormed()));

const KINDS: Readonly<Record<string, fc.Arbitrary<string>>> = { whole, double, decimal, flag, at, text };

const row = fc
  .record(Object.fromEntries(Object.entries(KINDS).map(([name, kind]) => [name, fc.option(kind, { nil: 'null' })])))
  .map((values) => `{${Object.entries(values).map(([name, value]) => `${JSON.stringify(name)}:${value}`)}}`);

const FORMATS: readonly Format[] = ['csv', 'ndjson', 'parquet'];
const DELIMITERS = [',', ';', '\t', '|', '-', '1', 'e', ' '];

onAnyStore('rows that are exported and imported', (bench) => {
  const folder = useFolder();
  const quiet = rowProgress({ write: () => {} }, true);
  let files = 0;

  it('are the same, whatever they hold and whatever the format', { timeout: 300_000 }, async () => {
    const dataset = await createDataset(bench, 'Trip', [
      EVERY_TYPE,
      { name: 'Alone', columns: [{ name: 'text', dataType: 'String' }] },
    ]);
    const client = clientOf(bench);
    const found = await findDataset(client, { dataset });

    const exported = async (name: string, format: Format, delimiter: string): Promise<string> => {
      files += 1;
      const file = join(folder, `${files}.${format}`);
      await exportRows(client.jar, found, await findTable(client, found, name), { file, format, delimiter }, quiet);
      return file;
    };
    const imported = async (name: string, file: string, format: Format, delimiter: string, batch: number) => {
      const table = await findTable(client, found, name);
      const wanted = { file, columns: table.columns, map: new Map(), ignoreUnknown: false, skip: 0 };
      const source =
        format === 'parquet'
          ? await readParquet(file, wanted)
          : format === 'csv'
            ? readCsv(await openInput(file), wanted, delimiter)
            : readNdjson(await openInput(file), wanted);
      return importRows({ client, dataset: found, table }, source, { file, batch, skip: 0, replace: true }, quiet);
    };

    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 20 }),
        fc.constantFrom(...FORMATS),
        fc.constantFrom(...DELIMITERS),
        fc.integer({ min: 1, max: 8 }),
        fc.constantFrom('Every', 'Alone'),
        async (rows, format, delimiter, batch, name) => {
          const lines = name === 'Every' ? rows : rows.map((line) => JSON.stringify({ text: JSON.parse(line).text }));
          const first = await importLines(
            bench,
            dataset,
            name,
            lines.map((line) => `${line}\n`).join(''),
            '?replace=true',
          );
          expect(first).toMatchObject({ status: 200, body: { stored: rows.length } });
          const before = readFileSync(await exported(name, 'ndjson', ','), 'utf8');
          const file = await exported(name, format, delimiter);
          expect(await imported(name, file, format, delimiter, batch)).toMatchObject({
            imported: rows.length,
            rows: rows.length,
          });
          expect(readFileSync(await exported(name, 'ndjson', ','), 'utf8')).toBe(before);
        },
      ),
      { numRuns: RUNS },
    );
  });
});
