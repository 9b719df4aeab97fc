import type { Relationship, Table } from './catalogue.ts';
import { QueryError } from './errors.ts';

/**
 * A step from one table to another. `up` goes to the one side, `down` to the many side. Seen from the filtered table: filters always come
 * from the one side over an `up` step, and from the many side over a `down` step only if the relationship filters in both directions.
 */
export interface Step {
  readonly relationship: Relationship;
  readonly up: boolean;
}

export type Path = readonly Step[];

/** The search stops after this many paths between two tables. */
const MOST_PATHS = 1000;

/** Filter paths between tables; each is computed once. */
export class Paths {
  readonly #found = new Map<Table, Map<Table, Path | 'ambiguous' | undefined>>();
  readonly #expanded = new Map<Table, readonly Table[]>();

  /**
   * The path from the filtered `table` to the `source` of the filter. Returns undefined if the filter does not reach the table; throws if
   * the path is ambiguous.
   */
  between(table: Table, source: Table): Path | undefined {
    let known = this.#found.get(table);
    if (!known) {
      known = new Map();
      this.#found.set(table, known);
    }
    if (!known.has(source)) known.set(source, bestPath(table, source));
    const path = known.get(source);
    if (path === 'ambiguous') {
      throw new QueryError(
        `There are ambiguous paths between '${source.name}' and '${table.name}': more than one chain of relationships can carry a filter.`,
      );
    }
    return path;
  }

  /** The steps to a table on the one side, over any number of relationships. Returns undefined if it is not reachable. */
  upward(table: Table, target: Table): Path | undefined {
    if (table === target) return [];
    for (const relationship of table.parents) {
      const rest = this.upward(relationship.to.table, target);
      if (rest) return [{ relationship, up: true }, ...rest];
    }
    return undefined;
  }

  /** The table and all tables reachable over one-side steps. */
  expanded(table: Table): readonly Table[] {
    let tables = this.#expanded.get(table);
    if (!tables) {
      const found = new Set<Table>([table]);
      for (const each of found) for (const { to } of each.parents) found.add(to.table);
      tables = [...found];
      this.#expanded.set(table, tables);
    }
    return tables;
  }
}

function bestPath(table: Table, source: Table): Path | 'ambiguous' | undefined {
  if (table === source) return [];
  const paths = [...simplePaths(table, source, [], new Set([table]))].slice(0, MOST_PATHS);
  const best = paths.filter((path) => rank(path) === Math.min(...paths.map(rank)));
  return best.length > 1 ? 'ambiguous' : best[0];
}

function* simplePaths(at: Table, source: Table, path: Path, visited: Set<Table>): Generator<Path> {
  const steps = [
    ...at.parents.map((relationship) => ({ relationship, up: true, next: relationship.to.table })),
    ...at.children
      .filter(({ both }) => both)
      .map((relationship) => ({ relationship, up: false, next: relationship.from.table })),
  ];
  for (const { relationship, up, next } of steps) {
    if (visited.has(next)) continue;
    const longer = [...path, { relationship, up }];
    if (next === source) {
      yield longer;
      continue;
    }
    visited.add(next);
    yield* simplePaths(next, source, longer, visited);
    visited.delete(next);
  }
}

/**
 * Priority of a filter path: 1 only from one to many, 2 only from many to one, 3 from one to many and then back, 4 any other. A path starts
 * at the filtered table, so the filter flows from its end to its start.
 */
function rank(path: Path): number {
  if (path.every(({ up }) => up)) return 1;
  if (path.every(({ up }) => !up)) return 2;
  const turned = path.findIndex(({ up }) => up);
  return path.slice(turned).every(({ up }) => up) ? 3 : 4;
}
