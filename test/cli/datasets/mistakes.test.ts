import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { beforeAll, describe, expect, it } from 'vitest';
import { withJar } from '../../support/jars.ts';
import { createDataset, datasetsCli, PRODUCT, useFolder } from './support.ts';

const parquet = (columnData: Parameters<typeof parquetWriteBuffer>[0]['columnData']): Buffer =>
  Buffer.from(parquetWriteBuffer({ columnData }));

const HEADER = 'Id,Name,Price,Since\n';

withJar((bench) => {
  const cwd = useFolder();
  const datasets = datasetsCli(bench, () => ({ cwd }));

  beforeAll(async () => {
    await createDataset(bench);
    await createDataset(bench, 'Two', [PRODUCT, { ...PRODUCT, name: 'Other', measures: [] }]);
  });

  const importing = (name: string, content: string | Buffer, ...more: readonly string[]) => {
    writeFileSync(join(cwd, name), content);
    return datasets('import', name, '--dataset', 'Sales', ...more);
  };

  describe('a file with a mistake is told by its line, and stores nothing', () => {
    it.each([
      ['wrong.csv', `${HEADER}1,a,,\n2,b,cheap,\n`, `line 3, column 'Price' (Decimal): expected a number between`],
      ['date.csv', `${HEADER}1,"a\nb",,\n2,b,,30/30/2014\n`, `line 4, column 'Since' (DateTime): expected a date`],
      ['short.csv', `${HEADER}1,a\n`, 'line 2: the line has 2 values, and the header has 4'],
      ['delimiter.csv', 'Id;Name;Price;Since\n1;a;;\n', "no column of the table is named 'Id;Name;Price;Since'"],
      ['open.csv', `${HEADER}1,"a,,\n`, 'line 2: a quote is not closed'],
      ['closed.csv', `${HEADER}1,"a"b,,\n`, 'line 2: a closing quote must be followed by'],
      ['within.csv', `${HEADER}1,a"b,,\n`, 'line 2: an unquoted value contains a quote'],
      ['empty.csv', '', 'empty.csv is empty; its first line must have the names of the columns'],
      ['twice.csv', 'Id,Id\n1,2\n', "the header 'Id' occurs twice"],
      ['latin.csv', Buffer.from(`${HEADER}1,caf\xe9,,\n`, 'latin1'), 'line 2: this is not UTF-8'],
      ['latin.ndjson', Buffer.from('{"Id":1}\n{"Name":"caf\xe9"}\n', 'latin1'), 'line 2: this is not UTF-8'],
      ['wrong.ndjson', '{"Id":1}\n\n{"Id":true}\n', "line 3, column 'Id' (Int64): expected a whole number"],
      ['infinite.ndjson', '{"Price":1e999}\n', "line 1, column 'Price' (Decimal): expected a number"],
      ['key.ndjson', '{"Id":1}\n{"Idd":1}\n', "line 2: no column of the table is named 'Idd'"],
      ['both.ndjson', '{"Id":1,"id":2}\n', "line 1: 'Id' and 'id' both match the column 'Id'"],
      ['broken.ndjson', '{"Id":1}\n{"Id":\n', 'line 2: this is not JSON'],
      [
        'list.ndjson',
        '[\n{"Id":1}\n]\n',
        "line 1: a row must be a JSON object, but this is the start of a list; jq -c '.[]'",
      ],
      ['number.jsonl', '1\n', 'line 1: a row must be a JSON object'],
      ['no.parquet', 'PAR1 and nothing else', 'no.parquet cannot be read as Parquet'],
      [
        'wrong.parquet',
        parquet([
          { name: 'Id', data: ['1', 'many'] },
          { name: 'Name', data: ['a', 'b'] },
          { name: 'Price', data: [1, 2] },
          { name: 'Since', data: [new Date(0), null] },
        ]),
        `row 2, column 'Id' (Int64): expected a whole number`,
      ],
      ['headers.parquet', parquet([{ name: 'Id', data: [1] }]), "the file has no header for 'Name', 'Price', 'Since'"],
    ])('%s', async (name, content, message) => {
      const { code, stdout, stderr } = await importing(name, content);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(message);
      expect(stderr).toMatch(/^cloudjar: [^\n]*; nothing was stored\n$/);
      expect(JSON.parse((await datasets('show', 'Sales', '--json')).stdout).rows).toBe(0);
    });
  });

  describe('a mistake on the command line', () => {
    const at = ['--dataset', 'Sales'];
    it.each([
      [['import', 'x.csv'], 'datasets import needs --dataset <dataset>, such as cloudjar datasets import products.csv'],
      [['import', 'x.txt', ...at], 'the name x.txt does not tell the format; add --format csv, ndjson or parquet'],
      [['import', '-', ...at], 'standard input and output have no file name; add --format csv, ndjson or parquet'],
      [['import', 'x.csv', '--format', 'xls', ...at], "--format must be csv, ndjson or parquet, not 'xls'"],
      [['import', '-', '--format', 'parquet', ...at], 'Parquet cannot be read from a pipe'],
      [['import', 'missing.csv', ...at], 'missing.csv cannot be read: ENOENT'],
      [['import', '.', '--format', 'csv', ...at], '. is a folder, not a file'],
      [['import', 'x.csv', '--batch', '0', ...at], "--batch must be a whole number from 1 to 100000, not '0'"],
      [['import', 'x.csv', '--batch', 'many', ...at], "--batch must be a whole number from 1 to 100000, not 'many'"],
      [['import', 'x.csv', '--replace', '--skip', '5', ...at], '--skip continues an import and --replace starts over'],
      [
        ['import', 'x.csv', '--map', 'Price', ...at],
        "--map must be a column and the header that fills it, such as 'Price=Unit price', not 'Price'",
      ],
      [['import', 'x.csv', '--map', 'Prize=a', ...at], "the table has no column 'Prize'; its columns are 'Id', 'Name'"],
      [['import', 'x.csv', '--delimiter', ';;', ...at], "';;' is not a delimiter"],
      [['import', 'x.ndjson', '--delimiter', ';', ...at], '--delimiter is for CSV files, and this one is ndjson'],
      [['export', '-', '--format', 'csv', '--json', ...at], '--json and the rows would both go to standard output'],
      [['import', 'x.csv', '--dataset', 'Two'], "choose the table with --table: Two has 'Product', 'Other'"],
      [['import', 'x.csv', '--dataset', ''], 'the dataset is empty'],
      [['query', 'Sales'], 'the query is missing'],
      [['query', 'Sales', 'EVALUATE Product', '--file', 'q.dax'], 'give either a query or --file'],
      [['query', 'Sales', '--file', 'missing.dax'], 'missing.dax cannot be read'],
      [['query', 'Sales', 'EVALUATE Product', '--csv', '--json'], '--csv and --json exclude each other'],
      [['imprt'], "unknown command 'datasets imprt' (did you mean datasets import?)"],
    ])('%j', async (args, message) => {
      const { code, stdout, stderr } = await datasets(...args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(message);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    });

    it('--map of a header that the file does not have', async () => {
      const { code, stderr } = await importing('map.csv', `${HEADER}1,,,\n`, '--map', 'Price=Cost');
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: "cloudjar: --map Price=Cost: map.csv has no header 'Cost'; nothing was stored\n",
      });
    });
  });

  it('missing datasets and tables are named, with the existing ones', async () => {
    expect((await importing('a.csv', HEADER, '--table', 'Products')).stderr).toBe(
      "cloudjar: there is no table 'Products': Sales has 'Product'\n",
    );
    expect((await datasets('export', 'b.csv', '--dataset', 'Nothing')).stderr).toBe(
      "cloudjar: there is no dataset 'Nothing' (cloudjar datasets lists them)\n",
    );
    expect((await datasets('export', 'no/such/b.csv', '--dataset', 'Sales')).stderr).toMatch(
      /^cloudjar: no\/such\/b\.csv was not written: ENOENT/,
    );
  });
});
