import { createWriteStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { withJar } from '../../support/jars.ts';
import { runCli } from '../cli.ts';
import { createDataset, datasetsCli, useFolder } from './support.ts';

const ROWS = process.env.CLOUDJAR_SOAK === '1' ? 1_000_000 : 100_000;
const TEXT = 'a text that makes a row long, so that all rows together are more than the heap can have; '.repeat(5);
/** Megabytes. The rows take more than this as values and JSON, so that reading the whole file into memory fails. */
const HEAP = 64;
const LEAST_BYTES = 45_000_000;

const TABLE = {
  name: 'Long',
  columns: [
    { name: 'id', dataType: 'Int64' },
    { name: 'text', dataType: 'String' },
  ],
};

function* lines(): Generator<string> {
  yield 'id,text\n';
  for (let from = 0; from < ROWS; from += 1000) {
    let text = '';
    for (let id = from; id < from + 1000; id++) text += `${id},"${TEXT}${id}"\n`;
    yield text;
  }
}

withJar((bench) => {
  const cwd = useFolder();
  const datasets = datasetsCli(bench, () => ({ cwd, nodeArgs: [`--max-old-space-size=${HEAP}`] }));

  it('a file larger than the heap goes in and out of a table in every format', { timeout: 600_000 }, async () => {
    await createDataset(bench, 'Large', [TABLE]);
    await pipeline(Readable.from(lines()), createWriteStream(join(cwd, 'large.csv')));
    expect(statSync(join(cwd, 'large.csv')).size).toBeGreaterThan(LEAST_BYTES);
    const check = async (): Promise<void> => {
      const query = `EVALUATE ROW("rows", COUNTROWS(Long), "ids", DISTINCTCOUNT(Long[id]), "sum", SUM(Long[id]), "texts", SUMX(Long, LEN(Long[text])))`;
      const { stdout } = await runCli(['datasets', 'query', 'Large', query, '--json', '--url', bench.jar.url], {
        env: { CLOUDJAR_ADMIN_KEY: bench.jar.adminKey },
      });
      const digits = String(ROWS).length - 1;
      // The total length of ids with one digit, with two, and so on.
      const ids = Array.from({ length: digits }, (_, i) => (i + 1) * (10 ** (i + 1) - (i === 0 ? 0 : 10 ** i)));
      const texts = ROWS * TEXT.length + ids.reduce((sum, each) => sum + each, 0);
      expect(JSON.parse(stdout)).toEqual([
        { '[rows]': ROWS, '[ids]': ROWS, '[sum]': (ROWS * (ROWS - 1)) / 2, '[texts]': texts },
      ]);
    };
    for (const [from, to] of [
      ['large.csv', 'large.parquet'],
      ['large.parquet', 'large.ndjson'],
      ['large.ndjson', 'again.csv'],
    ] as const) {
      const imported = await datasets('import', from, '--dataset', 'Large', '--replace', '--json');
      expect(imported).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(imported.stdout)).toMatchObject({ imported: ROWS, rows: ROWS });
      await check();
      expect(await datasets('export', to, '--dataset', 'Large')).toMatchObject({ code: 0, stderr: '' });
    }
    expect(statSync(join(cwd, 'again.csv')).size).toBe(statSync(join(cwd, 'large.csv')).size);
  });
});
