import { basename } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { didYouMean } from '../../kernel/config/config.ts';
import { delimiterArgument } from '../datasets/csv-text.ts';
import { exportRows } from '../datasets/export.ts';
import { type DatasetAnswer, findDataset, findTable, tablesOf } from '../datasets/find.ts';
import { defaultDelimiter, type Format, formatOf } from '../datasets/format.ts';
import { importRows } from '../datasets/import.ts';
import { openInput } from '../datasets/input.ts';
import { checkMap } from '../datasets/match-columns.ts';
import { rowProgress, rowsText } from '../datasets/progress.ts';
import { queryCsv, queryJson, queryTable, queryText, runQuery } from '../datasets/query.ts';
import { readNdjson } from '../datasets/read-ndjson.ts';
import type { RowSource, Wanted } from '../datasets/rows.ts';
import { datasetList, datasetText } from '../datasets/show.ts';
import { usageError } from '../errors.ts';
import { addJarOptions, connect, type JarCommandOptions, print } from '../jar-command.ts';
import { wholeNumber } from '../values.ts';

const EXAMPLES = `
Examples:
  $ cloudjar datasets
  $ cloudjar datasets show Sales
  $ cloudjar datasets import products.csv --dataset Sales --table Product
  $ cloudjar datasets export products.parquet --dataset Sales --table Product
  $ cloudjar datasets query Sales "EVALUATE TOPN(5, Product, Product[Price])"`;

const ACTIONS = ['show', 'import', 'export', 'query'];
const DEFAULT_BATCH = 10_000;
const MOST_BATCH = 100_000;

interface DatasetOptions extends JarCommandOptions {
  readonly workspace?: string;
}

interface TransferOptions extends DatasetOptions {
  readonly dataset: string;
  readonly table?: string;
  readonly format?: string;
  readonly delimiter?: string;
  readonly quiet?: boolean;
}

interface ImportOptions extends TransferOptions {
  readonly replace?: boolean;
  readonly batch?: number;
  readonly skip?: number;
  readonly map?: ReadonlyMap<string, string>;
  readonly ignoreUnknown?: boolean;
}

interface QueryOptions extends DatasetOptions {
  readonly file?: string;
  readonly csv?: boolean;
}

export function declare(program: Command): void {
  const datasets = addJarOptions(program.command('datasets'))
    .description('list and query push datasets; import and export rows')
    .addHelpText('after', EXAMPLES)
    .allowExcessArguments()
    .action(async (options: JarCommandOptions, { args: [unknown] }: Command) => {
      if (unknown !== undefined) throw unknownAction(unknown);
      const answer = await connect(options).list<DatasetAnswer>('/_jar/datasets');
      print(options, answer, datasetList(answer.value));
    });

  action(datasets, 'show', 'show one dataset: tables, columns, measures, rows, and use of its limits')
    .argument('<dataset>', 'its id or its name')
    .option('--workspace <workspace>', 'id or name of the workspace, if several have a dataset of that name')
    .action(async (dataset: string, _own: unknown, command: Command) => {
      const options = command.optsWithGlobals<DatasetOptions>();
      const client = connect(options);
      const found = await findDataset(client, { dataset, workspace: options.workspace });
      const tables = found.isPending ? [] : await tablesOf(client, found.id);
      print(options, { ...found, tables }, datasetText(found, tables));
    });

  transfer(action(datasets, 'import', 'add the rows of a CSV, NDJSON or Parquet file to a table'))
    .argument('<file>', 'the file; - is standard input')
    .option('--replace', "remove the table's rows in the transaction that stores the first batch")
    .option(
      '--batch <rows>',
      `rows per transaction (default: ${DEFAULT_BATCH})`,
      wholeNumber({ from: 1, to: MOST_BATCH }),
    )
    .option('--skip <rows>', 'skip this many rows at the beginning, to continue an import', wholeNumber())
    .option('--map <column=header>', 'fill a column from a header with another name (may be repeated)', mapPart)
    .option('--ignore-unknown', 'ignore headers without a column, and columns without a header')
    .action(importFile);

  transfer(action(datasets, 'export', 'write the rows of a table to a CSV, NDJSON or Parquet file'))
    .argument('<file>', 'the file; - is standard output')
    .action(exportFile);

  action(datasets, 'query', 'run a DAX query, as the API executeQueries does')
    .argument('<dataset>', 'its id or its name')
    .argument('[query]', "the query, such as 'EVALUATE Product'; - is standard input")
    .option('--workspace <workspace>', 'id or name of the workspace, if several have a dataset of that name')
    .option('--file <path>', 'read the query from this file; - is standard input')
    .option('--csv', 'print CSV')
    .action(query);
}

function action(parent: Command, name: string, description: string): Command {
  return addJarOptions(parent.command(name)).allowExcessArguments(false).description(description);
}

function transfer(command: Command): Command {
  return command
    .requiredOption('--dataset <dataset>', 'the id or the name of the dataset')
    .option('--table <table>', 'the table (default: the only table of the dataset)')
    .option('--workspace <workspace>', 'id or name of the workspace, if several have a dataset of that name')
    .option('--format <format>', 'csv, ndjson or parquet (default: by the file name)')
    .option('--delimiter <character>', 'separator of values in a CSV file: one character, or tab')
    .option('--quiet', 'no progress on the terminal');
}

async function importFile(file: string, _own: unknown, command: Command): Promise<void> {
  const options = command.optsWithGlobals<ImportOptions>();
  const { skip = 0, batch = DEFAULT_BATCH, replace = false, map = new Map(), ignoreUnknown = false } = options;
  if (replace && skip > 0)
    throw usageError('--skip continues an import and --replace starts over; give only one of them');
  const format = formatOf(file, options.format);
  const delimiter = delimiterOf(file, format, options);
  const client = connect(options);
  const dataset = await findDataset(client, options);
  const table = await findTable(client, dataset, options.table);
  checkMap(map, table.columns);
  const name = file === '-' ? 'stdin' : file;
  const wanted: Wanted = { file: name, columns: table.columns, map, ignoreUnknown, skip };
  const source = await openSource(file, format, wanted, delimiter);
  const progress = rowProgress(process.stderr, options.quiet);
  const done = await importRows({ client, dataset, table }, source, { file: name, batch, skip, replace }, progress);
  const removed = replace ? ` in place of ${rowsText(done.removed)}` : '';
  const text = `${rowsText(done.imported)} imported into ${dataset.name}, ${table.name}${removed}; the table has ${rowsText(done.rows)}`;
  print(options, { dataset: dataset.id, table: table.name, ...done }, text);
}

/** The libraries of a format are loaded only for files of that format. */
async function openSource(file: string, format: Format, wanted: Wanted, delimiter: string): Promise<RowSource> {
  if (format === 'parquet') return (await import('../datasets/read-parquet.ts')).readParquet(file, wanted);
  const input = await openInput(file);
  if (format === 'ndjson') return readNdjson(input, wanted);
  return (await import('../datasets/read-csv.ts')).readCsv(input, wanted, delimiter);
}

async function exportFile(file: string, _own: unknown, command: Command): Promise<void> {
  const options = command.optsWithGlobals<TransferOptions>();
  const format = formatOf(file, options.format);
  const delimiter = delimiterOf(file, format, options);
  if (file === '-' && options.json)
    throw usageError('--json and the rows would both go to standard output; name a file');
  const client = connect(options);
  const dataset = await findDataset(client, options);
  const table = await findTable(client, dataset, options.table);
  const progress = rowProgress(process.stderr, options.quiet || (file === '-' && process.stdout.isTTY));
  const done = await exportRows(client.jar, dataset, table, { file, format, delimiter }, progress);
  if (file === '-') return;
  const text = `${rowsText(done.rows)} of ${dataset.name}, ${table.name} written to ${basename(file)}`;
  print(options, { dataset: dataset.id, table: table.name, file, format, ...done }, text);
}

function delimiterOf(file: string, format: Format, { delimiter }: TransferOptions): string {
  if (delimiter === undefined) return defaultDelimiter(file);
  if (format !== 'csv') throw usageError(`--delimiter is for CSV files, and this one is ${format}`);
  return delimiterArgument(delimiter);
}

async function query(name: string, typed: string | undefined, _own: unknown, command: Command): Promise<void> {
  const options = command.optsWithGlobals<QueryOptions>();
  if (options.csv && options.json) throw usageError('--csv and --json exclude each other');
  const text = await queryText(typed, options.file);
  const client = connect(options);
  const { id } = await findDataset(client, { dataset: name, workspace: options.workspace });
  const answer = await runQuery(client, id, text);
  for (const note of answer.notes) process.stderr.write(`cloudjar: ${note}\n`);
  if (options.json) process.stdout.write(`${queryJson(answer)}\n`);
  else process.stdout.write(options.csv ? queryCsv(answer) : `${queryTable(answer)}\n`);
}

function mapPart(typed: string, before: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  const at = typed.indexOf('=');
  if (at <= 0) throw new InvalidArgumentError("a column and the header that fills it, such as 'Price=Unit price'");
  return new Map([...before, [typed.slice(0, at), typed.slice(at + 1)]]);
}

function unknownAction(typed: string): Error {
  const near = didYouMean(typed, ACTIONS);
  const hint = near ? `did you mean datasets ${near}?` : `there are ${ACTIONS.join(', ')}`;
  return usageError(`unknown command 'datasets ${typed}' (${hint})`);
}
