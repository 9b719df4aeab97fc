import { areComparable, DATA_TYPES } from './data-types.ts';
import { readFields } from './fields.ts';
import type { Mistakes } from './mistakes.ts';
import { checkUnique, type DraftTable, readEach, sameName } from './read-table.ts';
import { RELATIONSHIP_SHAPE } from './shapes.ts';
import type { Relationship } from './types.ts';

/** The parts of a table that relationships need. */
type Related = Pick<DraftTable, 'name' | 'columns'>;

export function readRelationships(
  list: readonly unknown[] | undefined,
  tables: readonly Related[],
  mistakes: Mistakes,
): readonly Relationship[] {
  const found = readEach(list, 'relationships', (each, at) => {
    const relationship = readFields(each, RELATIONSHIP_SHAPE, at, mistakes);
    return relationship && withEnds({ crossFilteringBehavior: 'OneDirection', ...relationship }, tables, at, mistakes);
  });
  checkUnique(found, 'relationships', 'relationship', mistakes);
  checkPaths(found, mistakes);
  return found;
}

/** The relationship with its table and column names in the spelling of the tables. */
function withEnds(
  relationship: Relationship,
  tables: readonly Related[],
  at: string,
  mistakes: Mistakes,
): Relationship | undefined {
  const { fromTable, fromColumn, toTable, toColumn } = relationship;
  const from = endOf(tables, fromTable, fromColumn, `${at}.from`, mistakes);
  const to = endOf(tables, toTable, toColumn, `${at}.to`, mistakes);
  if (!from || !to) return undefined;
  if (from.table === to.table) {
    mistakes.add(
      `${at}.toTable`,
      `The relationship '${relationship.name}' connects the table '${to.table}' with itself.`,
    );
    return undefined;
  }
  if (!areComparable(from.column.type, to.column.type)) {
    const types = `${DATA_TYPES[from.column.type]} and ${DATA_TYPES[to.column.type]}`;
    mistakes.add(
      `${at}.toColumn`,
      `The ends of the relationship '${relationship.name}' are ${types}, whose values are never equal.`,
    );
    return undefined;
  }
  return {
    ...relationship,
    fromTable: from.table,
    fromColumn: from.column.name,
    toTable: to.table,
    toColumn: to.column.name,
  };
}

function endOf(tables: readonly Related[], table: string, column: string, at: string, mistakes: Mistakes) {
  const found = tables.find(({ name }) => sameName(name, table));
  if (!found) {
    mistakes.add(`${at}Table`, `The dataset has no table '${table}'.`);
    return undefined;
  }
  const of = found.columns.find(({ name }) => sameName(name, column));
  if (of) return { table: found.name, column: of };
  mistakes.add(`${at}Column`, `The table '${found.name}' has no column '${column}'.`);
  return undefined;
}

/**
 * Filters flow from the one side to the many side. If two chains of relationships connect the same tables, or a chain forms a cycle, the
 * rows that a filter selects would be ambiguous.
 */
function checkPaths(relationships: readonly Relationship[], mistakes: Mistakes): void {
  const manySides = Map.groupBy(relationships, ({ toTable }) => toTable);
  for (const start of manySides.keys()) {
    const mistake = mistakeFrom(start, manySides);
    if (mistake === undefined) continue;
    mistakes.add('relationships', mistake);
    return;
  }
}

function mistakeFrom(start: string, manySides: ReadonlyMap<string, readonly Relationship[]>): string | undefined {
  const reached = new Set<string>();
  const waiting = [start];
  for (let table = waiting.pop(); table !== undefined; table = waiting.pop()) {
    for (const { fromTable, name } of manySides.get(table) ?? []) {
      if (fromTable === start) return `The relationship '${name}' closes a cycle through the table '${start}'.`;
      if (reached.has(fromTable))
        return `The relationship '${name}' creates a second filter path from '${start}' to '${fromTable}'.`;
      reached.add(fromTable);
      waiting.push(fromTable);
    }
  }
  return undefined;
}
