import type { Compiler } from './compiler.ts';
import { hasKey, type Join, type Relation, type RelationColumn } from './relation.ts';
import { present } from './sentinels.ts';

/** A column of a scan that must equal a column of the relation that the scan is grouped for. */
export interface LeafKey {
  readonly index: number;
  readonly column: RelationColumn;
}

interface LeafSql {
  readonly tail: string;
  readonly keys: readonly LeafKey[];
  readonly aggregate: string;
  /** Aliases with greater numbers belong to this leaf. */
  readonly since: number;
}

/**
 * Computes aggregates of a table for all rows of a relation at once: the table is grouped by the columns on which the rows filter it, and
 * joined to them. A row without a match gets NULL, that is, blank, as for an aggregate of no rows. One scan replaces one scan per row.
 */
export class GroupJoin implements Join {
  readonly alias: string;
  readonly signature: string;
  /** True if every column of the relation is a key, so that all rows of the relation with aggregates are in the grouped scan. */
  readonly isFull: boolean;
  readonly #relation: Relation;
  readonly #leaf: LeafSql;
  readonly #own: readonly string[];
  readonly #aggregates: string[] = [];

  constructor(compiler: Compiler, relation: Relation, leaf: LeafSql, { signature, own, shared }: Normal) {
    this.alias = compiler.aliases.next('g');
    this.signature = signature;
    this.isFull = new Set(leaf.keys.map(({ index }) => index)).size === relation.columns.length;
    this.#relation = relation;
    this.#leaf = leaf;
    this.#own = own.slice(0, shared);
  }

  /** The column of an aggregate that was written for an equal scan with other aliases. */
  column({ aggregate, own }: Normal): string {
    const shared = this.#own.length;
    const sql = aggregate.replace(/@(\d+)/g, (_, digits: string) => {
      const index = Number(digits);
      return index < shared ? this.#own[index]! : own[index]!;
    });
    let index = this.#aggregates.indexOf(sql);
    if (index < 0) index = this.#aggregates.push(sql) - 1;
    return `${this.alias}.a_${index}`;
  }

  /** The grouped scan. With `values` it also selects the columns of the relation, as `v_0`, `k_0` and so on. */
  statement({ values }: { readonly values: boolean }): string {
    const { keys, tail } = this.#leaf;
    const columns = keys.flatMap(({ index, column }, i) => {
      const { key, value, type } = column;
      const joined = `${present(key, type)} AS j_${i}`;
      if (!values) return [joined];
      return hasKey(column)
        ? [joined, `min(${value}) AS v_${index}, ${key} AS k_${index}`]
        : [joined, `${key} AS v_${index}`];
    });
    const aggregates = this.#aggregates.map((sql, i) => `${sql} AS a_${i}`);
    const grouping = [...new Set(keys.map(({ column }) => column.key))].join(', ');
    return `SELECT ${[...columns, ...aggregates].join(', ')}${tail} GROUP BY ${grouping}`;
  }

  on(): string {
    const conditions = this.#leaf.keys.map(({ index }, i) => {
      const { key, type } = this.#relation.columns[index]!;
      return `${this.alias}.j_${i} = ${present(key, type)}`;
    });
    return conditions.join(' AND ');
  }

  sql(): string {
    return `LEFT JOIN (${this.statement({ values: false })}) ${this.alias} ON ${this.on()}`;
  }
}

/** Joins an aggregate to a relation. Equal scans are joined once. */
export function groupOn(compiler: Compiler, relation: Relation, leaf: LeafSql): { group: GroupJoin; column: string } {
  const normal = normalized(leaf);
  const known = relation.source.joins.find((join) => join instanceof GroupJoin && join.signature === normal.signature);
  if (known instanceof GroupJoin) return { group: known, column: known.column(normal) };
  const group = new GroupJoin(compiler, relation, leaf, normal);
  relation.source.join(group);
  return { group, column: group.column(normal) };
}

interface Normal {
  readonly signature: string;
  readonly aggregate: string;
  /** The aliases behind `@0`, `@1` and so on: first those of the scan, then those used only by the aggregate. */
  readonly own: readonly string[];
  readonly shared: number;
}

/** Replaces the aliases that differ between otherwise equal scans. */
function normalized({ tail, keys, aggregate, since }: LeafSql): Normal {
  const own: string[] = [];
  const rename = (sql: string): string =>
    sql.replace(/\b([a-z]\d+)(\.|(?=\s|\)|$))/g, (all, alias: string, dot: string) => {
      if (Number(alias.slice(1)) <= since) return all;
      let index = own.indexOf(alias);
      if (index < 0) index = own.push(alias) - 1;
      return `@${index}${dot}`;
    });
  const signature = rename([tail, ...keys.map(({ index, column }) => `${index} ${column.key}`)].join('\n'));
  const shared = own.length;
  return { signature, aggregate: rename(aggregate), own, shared };
}
