import { byName, type DatasetAnswer, type TableAnswer } from './find.ts';
import { counted } from './progress.ts';
import { textTable } from './text-table.ts';

/** One line per dataset. */
export function datasetList(listed: readonly DatasetAnswer[]): string {
  if (listed.length === 0) return 'there are no datasets';
  const datasets = byName(listed);
  return textTable([
    { title: 'name', cells: datasets.map(({ name }) => name) },
    { title: 'id', cells: datasets.map(({ id }) => id) },
    { title: 'workspace', cells: datasets.map(({ workspace, workspaceId }) => workspace || workspaceId) },
    { title: 'mode', cells: datasets.map(({ mode, isPending }) => (isPending ? `${mode} (being created)` : mode)) },
    { title: 'tables', cells: datasets.map(({ tables }) => counted(tables.length)), right: true },
    { title: 'rows', cells: datasets.map(({ rows }) => counted(rows)), right: true },
  ]).join('\n');
}

/** One dataset with its tables, their columns and measures, and the use of its limits. */
export function datasetText(dataset: DatasetAnswer, tables: readonly TableAnswer[]): string {
  const { name, id, workspace, workspaceId, mode, retention, configuredBy, createdAt, limits } = dataset;
  return [
    name,
    `  id         ${id}`,
    `  workspace  ${workspace} (${workspaceId})`,
    `  mode       ${mode}, retention ${retention}`,
    `  created    ${createdAt} by ${configuredBy}`,
    ...limitLines(limits),
    ...tables.flatMap(tableLines),
  ].join('\n');
}

function limitLines(limits: DatasetAnswer['limits']): string[] {
  const [, ...lines] = textTable([
    { title: '', cells: limits.map(() => '  limit    ') },
    { title: '', cells: limits.map(({ limit }) => limit) },
    { title: '', cells: limits.map(({ used }) => counted(used)), right: true },
    { title: '', cells: limits.map(({ maximum }) => `of ${counted(maximum)} used`) },
  ]);
  return lines;
}

function tableLines({ name, rows, columns, measures }: TableAnswer): string[] {
  const indented = textTable([
    { title: 'column', cells: columns.map((column) => column.name) },
    { title: 'type', cells: columns.map(({ dataType }) => dataType) },
  ]).map((line) => `  ${line}`);
  const defined = measures.map((measure) => `  measure ${measure.name} = ${measure.expression.replace(/\s+/g, ' ')}`);
  return ['', `table ${name}, ${counted(rows)} ${rows === 1 ? 'row' : 'rows'}`, ...indented, ...defined];
}
