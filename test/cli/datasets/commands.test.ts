import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { good, person } from '../../services/datasets/support.ts';
import { onBothStores } from '../../support/jars.ts';
import { spawnCli } from '../cli.ts';
import { createDataset, datasetsCli, PRODUCT, useFolder } from './support.ts';

const CSV = `Id,Name,Price,Since
1,"Adjustable, ""Race""",12.5,2014-07-30
9007199254740993,"two
lines",922337203685477.5806,7/30/2014 1:05 PM
3,"",,
`;

const EXPORTED = `Id,Name,Price,Since
1,"Adjustable, ""Race""",12.5,2014-07-30T00:00:00
9007199254740993,"two
lines",922337203685477.5806,2014-07-30T13:05:00
3,"",,
`;

onBothStores('cloudjar datasets', (bench) => {
  const cwd = useFolder();
  const datasets = datasetsCli(bench, () => ({ cwd }));
  const file = (name: string): string => join(cwd, name);
  let count = 0;
  /** A new file name. */
  const fresh = (extension: string): string => {
    count += 1;
    return `file-${count}.${extension}`;
  };

  const put = (extension: string, content: string | Buffer): string => {
    const name = fresh(extension);
    writeFileSync(file(name), content);
    return name;
  };

  beforeEach(() => bench.jar.reset());

  it('lists datasets with their workspace, mode, tables and rows', async () => {
    expect(await datasets()).toEqual({ code: 0, stdout: 'there are no datasets\n', stderr: '' });
    const id = await createDataset(bench);
    await datasets('import', put('csv', CSV), '--dataset', 'Sales');
    expect((await datasets()).stdout).toBe(
      [
        'name   id                                    workspace     mode  tables  rows',
        `Sales  ${id}  My workspace  Push       1     3`,
        '',
      ].join('\n'),
    );
    expect(JSON.parse((await datasets('--json')).stdout).value).toMatchObject([{ id, name: 'Sales', rows: 3 }]);
  });

  it('shows one dataset by its id or its name, in any case', async () => {
    const id = await createDataset(bench);
    const shown = await datasets('show', 'sales');
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    for (const text of [id, 'table Product, 0 rows', 'Price   Decimal', 'measure Total = SUM(Product[Price])'])
      expect(shown.stdout).toContain(text);
    expect((await datasets('show', id.toUpperCase())).stdout).toBe(shown.stdout);
    expect(JSON.parse((await datasets('show', id, '--json')).stdout)).toMatchObject({
      id,
      tables: [{ name: 'Product', rows: 0, columns: PRODUCT.columns }],
    });
  });

  it('a name that several workspaces have needs the workspace', async () => {
    const ask = await person(bench);
    const first = (await good(ask('POST', 'groups', { name: 'First' }))).id;
    const second = (await good(ask('POST', 'groups', { name: 'Second' }))).id;
    const one = await createDataset(bench, 'Sales', [PRODUCT], first);
    const two = await createDataset(bench, 'Sales', [PRODUCT], second);
    const both = await datasets('show', 'Sales');
    expect(both.code).toBe(1);
    for (const text of [
      "there are 2 datasets 'Sales'",
      `${one} in workspace 'First'`,
      `${two} in workspace 'Second'`,
      '--workspace',
    ])
      expect(both.stderr).toContain(text);
    expect((await datasets('show', 'Sales', '--workspace', 'second')).stdout).toContain(two);
    expect((await datasets('show', 'Sales', '--workspace', first)).stdout).toContain(one);
    expect((await datasets('show', 'Sales', '--workspace', 'Third')).stderr).toBe(
      "cloudjar: there is no dataset 'Sales' in workspace 'Third'; there is one in 'First', 'Second'\n",
    );
    expect((await datasets('show', 'Sale')).stderr).toBe(
      "cloudjar: there is no dataset 'Sale' (did you mean Sales?)\n",
    );
  });

  it.each(['csv', 'ndjson', 'jsonl', 'parquet'])(
    'what is exported as .%s is the same after an import',
    async (extension) => {
      await createDataset(bench);
      const imported = await datasets('import', put('csv', CSV), '--dataset', 'Sales', '--table', 'product');
      expect(imported).toEqual({
        code: 0,
        stdout: '3 rows imported into Sales, Product; the table has 3 rows\n',
        stderr: '',
      });
      const name = fresh(extension);
      expect(await datasets('export', name, '--dataset', 'Sales')).toEqual({
        code: 0,
        stdout: `3 rows of Sales, Product written to ${name}\n`,
        stderr: '',
      });
      expect(existsSync(`${file(name)}.part`)).toBe(false);
      expect((await datasets('export', name, '--dataset', 'Sales')).stderr).toBe(
        `cloudjar: ${name} already exists; remove it, or choose another file\n`,
      );
      const again = await datasets('import', name, '--dataset', 'Sales', '--replace', '--json');
      expect(JSON.parse(again.stdout)).toMatchObject({ imported: 3, removed: 3, rows: 3, batches: 1, skipped: 0 });
      const out = fresh('csv');
      await datasets('export', out, '--dataset', 'Sales');
      expect(readFileSync(file(out), 'utf8')).toBe(EXPORTED);
    },
  );

  it('columns are matched by name, by name in another case, and by --map', async () => {
    await createDataset(bench);
    const other = put('tsv', 'NAME\tsince\tUnit price\tid\tnote\nx\t\t1\t2\tignored\n');
    const refused = await datasets('import', other, '--dataset', 'Sales');
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: `cloudjar: ${other}: no column of the table is named 'Unit price', 'note', and the file has no header for 'Price'; match them with --map 'Price=Unit price', or ignore them with --ignore-unknown; nothing was stored\n`,
    });
    const mapped = ['--map', 'Price=Unit price', '--ignore-unknown'];
    expect((await datasets('import', other, '--dataset', 'Sales', ...mapped)).code).toBe(0);
    const lines = put('ndjson', '{"ID":5,"Unit price":7.5,"note":1}\n\n{"name":"y"}\n');
    expect((await datasets('import', lines, '--dataset', 'Sales', ...mapped)).code).toBe(0);
    const out = fresh('ndjson');
    await datasets('export', out, '--dataset', 'Sales');
    expect(
      readFileSync(file(out), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { Id: 2, Name: 'x', Price: 1, Since: null },
      { Id: 5, Name: null, Price: 7.5, Since: null },
      { Id: null, Name: 'y', Price: null, Since: null },
    ]);
  });

  it('batches are stored one after the other, and --skip continues an import', async () => {
    await createDataset(bench);
    const rows = Array.from({ length: 25 }, (_, i) => `{"Id":${i}}`);
    const all = put('ndjson', rows.join('\n'));
    const done = await datasets('import', all, '--dataset', 'Sales', '--batch', '10', '--skip', '3', '--json');
    expect(JSON.parse(done.stdout)).toMatchObject({ imported: 22, skipped: 3, batches: 3, rows: 22 });
    rows[17] = '{"Id":"many"}';
    const wrong = put('ndjson', rows.join('\n'));
    const stopped = await datasets('import', wrong, '--dataset', 'Sales', '--batch', '10', '--replace');
    expect(stopped).toEqual({
      code: 1,
      stdout: '',
      stderr: `cloudjar: ${wrong}, line 18, column 'Id' (Int64): expected a whole number between -9223372036854775807 and 9223372036854775806, got "many"; 10 rows are stored; continue with --skip 10 and without --replace\n`,
    });
    const rest = await datasets('import', all, '--dataset', 'Sales', '--skip', '10');
    expect(rest.stdout).toBe('15 rows imported into Sales, Product; the table has 25 rows\n');
    const { stdout } = await datasets('query', 'Sales', 'EVALUATE ROW("n", DISTINCTCOUNT(Product[Id]))', '--json');
    expect(JSON.parse(stdout)).toEqual([{ '[n]': 25 }]);
  });

  it('rows come from standard input and go to standard output', async () => {
    await createDataset(bench);
    const at = ['--dataset', 'Sales', '--url', bench.jar.url];
    const env = { CLOUDJAR_ADMIN_KEY: bench.jar.adminKey };
    const imported = await spawnCli(['datasets', 'import', '-', '--format', 'csv', ...at], { env, input: CSV }).result;
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    for (const [format, expected] of [
      ['csv', EXPORTED],
      ['ndjson', expect.stringMatching(/^\{"Id":1,.*\n\{"Id":9007199254740993,.*\n\{"Id":3,.*\n$/)],
    ] as const)
      expect(await datasets('export', '-', '--format', format, '--dataset', 'Sales')).toEqual({
        code: 0,
        stdout: expected,
        stderr: '',
      });
  });

  it('a query shows a table, JSON or CSV', async () => {
    await createDataset(bench);
    await datasets('import', put('csv', CSV), '--dataset', 'Sales');
    const query =
      'EVALUATE SELECTCOLUMNS(Product, "id", Product[Id], "name", Product[Name], "price", Product[Price]) ORDER BY [id]';
    expect((await datasets('query', 'Sales', query)).stdout).toBe(
      [
        '            [id]  [name]                           [price]',
        '               1  Adjustable, "Race"                  12.5',
        '               3',
        '9007199254740993  two\\nlines          922337203685477.5806',
        '',
        '3 rows',
        '',
      ].join('\n'),
    );
    expect((await datasets('query', 'Sales', query, '--json')).stdout).toBe(
      '[{"[id]":1,"[name]":"Adjustable, \\"Race\\"","[price]":12.5},{"[id]":3,"[name]":"","[price]":null},{"[id]":9007199254740993,"[name]":"two\\nlines","[price]":922337203685477.5806}]\n',
    );
    expect((await datasets('query', 'Sales', query, '--csv')).stdout).toBe(
      '[id],[name],[price]\n1,"Adjustable, ""Race""",12.5\n3,"",\n9007199254740993,"two\nlines",922337203685477.5806\n',
    );
    const saved = put('dax', '\ufeffEVALUATE ROW("a", 1)');
    expect((await datasets('query', 'Sales', '--file', saved)).stdout).toBe('[a]\n  1\n\n1 row\n');
    const twice = await datasets('query', 'Sales', 'EVALUATE ROW("a", 1) EVALUATE ROW("b", 1)', '--json');
    expect(twice).toEqual({
      code: 0,
      stdout: '[{"[a]":1}]\n',
      stderr: 'cloudjar: More than one result table in a query.\n',
    });
  });

  it('a mistake in a query is shown with a caret below its place', async () => {
    await createDataset(bench);
    const { code, stderr } = await datasets('query', 'Sales', 'EVALUATE\n\tFILTER(Prodct, 1)');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^cloudjar: line 2, column 9: .*Prodct.*\n {3}FILTER\(Prodct, 1\)\n {10}\^\n$/);
    const far = `EVALUATE ROW(${Array.from({ length: 60 }, (_, i) => `"c${i}", ${i}`).join(', ')}, "last", Nothing[here])`;
    const [, line = '', caret = ''] = (await datasets('query', 'Sales', far)).stderr.split('\n');
    expect(line.slice(caret.indexOf('^'))).toMatch(/^Nothing\[here\]/);
    expect(line.length).toBeLessThan(110);
  });
});
