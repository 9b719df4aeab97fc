import { ok } from '../../../kernel/http/index.ts';
import { etag } from '../../../kernel/ids/index.ts';
import { DuplicateValueError, type Tx, UnconvertibleError } from '../../../kernel/store/index.ts';
import { datasetNotFound, findDataset, tableOf } from '../access/find.ts';
import { checkRequestLimit } from '../access/request-limits.ts';
import { recordChange, tableSubject } from '../changes.ts';
import { datasets, tableKey, tableStates } from '../collections.ts';
import { contextOf } from '../context.ts';
import { type DatasetsCall, routeCode } from '../jar.ts';
import { COLUMNS } from '../limits.ts';
import { checkMeasures } from '../model/check-measures.ts';
import { areComparable, DATA_TYPES } from '../model/data-types.ts';
import { Mistakes, oneMistake } from '../model/mistakes.ts';
import { modelOf } from '../model/model-of.ts';
import { NO_MEASURES } from '../model/read-dataset.ts';
import { checkUnique, type DraftColumn, type DraftTable, readTable, sameName } from '../model/read-table.ts';
import { TableBody } from '../model/schema.ts';
import { definitionOf } from '../model/typed-table.ts';
import type { Column, Dataset, Relationship, Table } from '../model/types.ts';
import { jsonOf } from '../read-body.ts';
import { TableView, tableView } from './view.ts';

/** Replaces the columns and measures of a table. Columns that remain keep the values that the new type can hold. */
export const putTable = routeCode(['dataset', 'table'], {
  responses: { 200: TableView },
  jsonInBytes: TableBody,
  async handle(call) {
    const { jar, params } = call;
    const { id } = tableOwner(await findDataset(call, params.dataset), params.table);
    const draft = await readRequest(call);
    const table = await jar.store.transact(async (tx) => {
      const dataset = (await tx.get(datasets, id))?.value;
      if (!dataset) throw datasetNotFound(id);
      const changed = changedTable(dataset, tableOf(dataset, params.table), draft);
      await store(tx, withTable(dataset, changed), changed);
      const data = {
        tenantId: dataset.tenantId,
        dataset: id,
        table: changed.name,
        columns: changed.columns.map(({ name }) => name),
      };
      await recordChange(tx, jar, { kind: 'schema', subject: tableSubject(id, changed.name), data });
      return changed;
    });
    return ok({ ...contextOf(call, `datasets('${id}')/tables/$entity`), ...tableView(table) });
  },
});

/** Rejects an unknown table before the body is validated. */
function tableOwner(dataset: Dataset, table: string): Dataset {
  tableOf(dataset, table);
  return dataset;
}

async function readRequest(call: DatasetsCall): Promise<DraftTable> {
  const mistakes = new Mistakes();
  const draft = readTable(jsonOf(call, {}).value, '', mistakes);
  if (draft) {
    await checkRequestLimit(call, COLUMNS, draft.columns.length, 'columns', mistakes);
    if (draft.name !== call.params.table)
      mistakes.add('name', `'name' must be the name in the URL, '${call.params.table}': tables cannot be renamed.`);
    if (draft.rows.length > 0) mistakes.add('rows', "Rows are added by POST to '…/rows', not with the schema.");
  }
  mistakes.throwAny();
  // `readTable` returns undefined only together with a mistake.
  return draft as DraftTable;
}

function changedTable(dataset: Dataset, before: Table, draft: DraftTable): Table {
  const { rows: _rows, columns, ...rest } = draft;
  const changed: Table = { ...rest, storage: before.storage, schema: etag(), columns: withStorage(columns, before) };
  const mistakes = new Mistakes();
  for (const relationship of dataset.relationships) checkRelationship(dataset, relationship, changed, mistakes);
  const after = withTable(dataset, changed);
  checkUnique(
    after.tables.flatMap(({ measures }) => measures),
    'measures',
    'measure',
    mistakes,
  );
  if (dataset.mode === 'Streaming' && changed.measures.length > 0) mistakes.add('measures', NO_MEASURES);
  if (!mistakes.any) checkMeasures(modelOf(after), mistakes, changed.name);
  mistakes.throwAny();
  return changed;
}

/** A column with an existing name keeps its storage; a new column gets storage of its own. */
function withStorage(drafts: readonly DraftColumn[], { columns }: Table): readonly Column[] {
  let last = Math.max(...columns.map(({ storage }) => Number(storage.slice(1))));
  return drafts.map((draft) => {
    const known = columns.find(({ name }) => sameName(name, draft.name));
    return { ...draft, storage: known?.storage ?? `c${++last}` };
  });
}

function checkRelationship(dataset: Dataset, relationship: Relationship, changed: Table, mistakes: Mistakes): void {
  const { name, fromTable, fromColumn, toTable, toColumn } = relationship;
  const typeOf = (table: string, column: string) => {
    const { columns } = table === changed.name ? changed : tableOf(dataset, table);
    return columns.find((each) => sameName(each.name, column))?.type;
  };
  const from = typeOf(fromTable, fromColumn);
  const to = typeOf(toTable, toColumn);
  if (!from || !to)
    mistakes.add('columns', `The relationship '${name}' needs the column '${from ? toColumn : fromColumn}'.`);
  else if (!areComparable(from, to)) {
    const types = `${DATA_TYPES[from]} and ${DATA_TYPES[to]}`;
    mistakes.add('columns', `The ends of the relationship '${name}' would be ${types}, whose values are never equal.`);
  }
}

/** The spelling of column names may have changed; relationships follow the spelling of their tables. */
function withTable(dataset: Dataset, changed: Table): Dataset {
  const spelled = (table: string, column: string): string =>
    (table === changed.name && changed.columns.find(({ name }) => sameName(name, column))?.name) || column;
  return {
    ...dataset,
    tables: dataset.tables.map((table) => (table.storage === changed.storage ? changed : table)),
    relationships: dataset.relationships.map((relationship) => ({
      ...relationship,
      fromColumn: spelled(relationship.fromTable, relationship.fromColumn),
      toColumn: spelled(relationship.toTable, relationship.toColumn),
    })),
  };
}

async function store(tx: Tx, dataset: Dataset, changed: Table): Promise<void> {
  const key = tableKey(dataset.id, changed.storage);
  const state = await tx.get(tableStates, key);
  if (!state) throw datasetNotFound(dataset.id);
  try {
    await tx.tables.change(definitionOf(changed, dataset.relationships));
  } catch (error) {
    throw refusal(error, changed);
  }
  await tx.put(datasets, dataset.id, dataset);
  await tx.put(tableStates, key, { ...state.value, schema: changed.schema });
}

function refusal(error: unknown, { columns }: Table): unknown {
  if (!(error instanceof UnconvertibleError || error instanceof DuplicateValueError)) return error;
  const column = columns.find(({ storage }) => storage === error.column);
  const why =
    error instanceof UnconvertibleError
      ? `has values that ${column ? DATA_TYPES[column.type] : 'its new type'} cannot hold exactly`
      : 'is the one side of a relationship, and its values would no longer be unique';
  return oneMistake('columns', `The column '${column?.name}' ${why}. Delete the rows first.`);
}
