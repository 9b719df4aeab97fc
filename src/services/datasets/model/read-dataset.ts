import { omitAbsent } from '../../../kernel/values/index.ts';
import { below, readFields } from './fields.ts';
import type { Mistakes } from './mistakes.ts';
import { checkUnique, type DraftTable, readEach, readTable } from './read-table.ts';
import { readRelationships } from './relationships.ts';
import { CONNECTION_SHAPE, DATASET_SHAPE, DATASOURCE_SHAPE } from './shapes.ts';
import { DATASET_MODES, type DatasetMode, type Datasource, type Relationship } from './types.ts';

/** A dataset as parsed from a request. */
export interface DraftDataset {
  readonly name: string;
  readonly mode: DatasetMode;
  readonly tables: readonly DraftTable[];
  readonly relationships: readonly Relationship[];
  readonly datasources: readonly Datasource[];
}

export const NO_MEASURES = 'A streaming dataset has no measures; use the mode PushStreaming.';

/** Adds every mistake and returns undefined if the body is not a valid CreateDatasetRequest. */
export function readDataset(body: unknown, mistakes: Mistakes): DraftDataset | undefined {
  const dataset = readFields(body, DATASET_SHAPE, '', mistakes);
  if (!dataset) return undefined;
  const mode = readMode(dataset.defaultMode ?? 'Push', mistakes);
  const tables = readEach(dataset.tables, 'tables', (each, at) => readTable(each, at, mistakes));
  if (dataset.tables.length === 0) mistakes.add('tables', "'tables' must have at least one table.");
  checkUnique(tables, 'tables', 'table', mistakes);
  checkMeasureNames(tables, mistakes);
  // If a table is invalid, relationships to it would wrongly be reported as having a missing table.
  const isWhole = tables.length === dataset.tables.length;
  const relationships = isWhole ? readRelationships(dataset.relationships, tables, mistakes) : [];
  const datasources = readEach(dataset.datasources, 'datasources', (each, at) => readDatasource(each, at, mistakes));
  if (mode === 'Streaming') checkStreaming(tables, relationships, mistakes);
  if (mistakes.any || !mode) return undefined;
  return { name: dataset.name, mode, tables, relationships, datasources };
}

function readMode(mode: string, mistakes: Mistakes): DatasetMode | undefined {
  const pushed = DATASET_MODES.find((each) => each === mode);
  if (!pushed) {
    const why = 'a live connection to an analysis service cannot be created by this operation';
    mistakes.add('defaultMode', `'${mode}': ${why}; use one of ${DATASET_MODES.join(', ')}.`);
  }
  return pushed;
}

/** Measures are referenced by name only, so names must be unique across tables. */
function checkMeasureNames(tables: readonly DraftTable[], mistakes: Mistakes): void {
  const all = tables.flatMap(({ measures }) => measures);
  checkUnique(all, 'tables', 'measure', mistakes);
}

/** Rows of a streaming dataset are only shown live and cannot be queried. */
function checkStreaming(
  tables: readonly DraftTable[],
  relationships: readonly Relationship[],
  mistakes: Mistakes,
): void {
  if (relationships.length > 0)
    mistakes.add('relationships', 'A streaming dataset has no relationships; use the mode PushStreaming.');
  for (const [i, { measures }] of tables.entries()) {
    if (measures.length > 0) mistakes.add(`tables[${i}].measures`, NO_MEASURES);
  }
}

function readDatasource(value: unknown, at: string, mistakes: Mistakes): Datasource | undefined {
  const datasource = readFields(value, DATASOURCE_SHAPE, at, mistakes);
  if (!datasource) return undefined;
  const { connectionDetails, ...rest } = datasource;
  if (!connectionDetails) return rest;
  const details = readFields(connectionDetails, CONNECTION_SHAPE, below(at, 'connectionDetails'), mistakes);
  if (!details) return undefined;
  const { ___domain, domain = ___domain, ...others } = details;
  return { ...rest, connectionDetails: omitAbsent({ ...others, domain }) };
}
