import { bind, type Scope } from './bind.ts';
import { alike, type Bound, type Column, type Row, truth } from './bound.ts';
import { keyOf, slot } from './grouping.ts';
import type { Meter, Steps } from './meter.ts';
import { problems, SqlProblem } from './problem.ts';
import type { Expression, JoinKind, Source } from './syntax.ts';
import type { Table } from './table.ts';
import { conjuncts, someOf } from './walk.ts';

type Join = Extract<Source, { is: 'join' }>;

/** Two expressions that must be equal for rows to match, one per side. */
interface Pair {
  readonly left: Bound;
  readonly right: Bound;
}

const PRESERVES_LEFT: ReadonlySet<JoinKind> = new Set(['left', 'full']);
const PRESERVES_RIGHT: ReadonlySet<JoinKind> = new Set(['right', 'full']);

/**
 * Joins two tables. Equality conditions use a hash of the right side; without such a condition every row of one side is compared with every
 * row of the other.
 */
export function* joined(
  join: Join,
  left: Table,
  right: Table,
  scopeOf: (columns: readonly Column[]) => Scope,
): Steps<Table> {
  const columns = [...left.columns, ...right.columns];
  const scope = scopeOf(columns);
  const using = usingNames(join, left, right);
  const pairs = using.length === 0 ? undefined : usingPairs(using, left, right);
  const matching = yield* matchingOf(join.on, left, right, scopeOf, pairs);
  const rows = yield* matched(join.kind, matching, scope.meter);
  if (join.kind === 'semi' || join.kind === 'anti') return { columns: left.columns, rows };
  return using.length === 0 ? { columns, rows } : yield* merged(using, join.kind, { columns, rows }, scope.meter);
}

/** Prepares the matching of the rows of two tables. */
export function* matchingOf(
  on: Expression | undefined,
  left: Table,
  right: Table,
  scopeOf: (columns: readonly Column[]) => Scope,
  using?: readonly Pair[],
): Steps<Matching> {
  const scope = scopeOf([...left.columns, ...right.columns]);
  const condition = on && truth(bind(on, scope));
  const pairs = using ?? pairsOf(on, left, right, scopeOf);
  const candidates = pairs.length === 0 ? () => right.rows.keys() : yield* hashed(pairs, right, scope.meter);
  return { left, right, condition, candidates };
}

export interface Matching {
  readonly left: Table;
  readonly right: Table;
  readonly condition: Bound | undefined;
  /** Rows of the right side that may match a row of the left. */
  candidates(row: Row): Iterable<number>;
}

function* matched(kind: JoinKind, { left, right, condition, candidates }: Matching, meter: Meter): Steps<Row[]> {
  const rows: Row[] = [];
  const width = left.columns.length + right.columns.length;
  const nothingLeft: Row = left.columns.map(() => null);
  const nothingRight: Row = right.columns.map(() => null);
  const found = PRESERVES_RIGHT.has(kind) ? new Set<number>() : undefined;
  const isPartial = kind === 'semi' || kind === 'anti';
  const add = (row: Row): void => {
    meter.keep(row);
    rows.push(row);
  };
  for (const one of left.rows) {
    let isMatched = false;
    meter.spend(1);
    if (meter.isTurnOver) yield;
    for (const index of candidates(one)) {
      meter.row();
      if (meter.isTurnOver) yield;
      meter.spend(width);
      const row = [...one, ...(right.rows[index] as Row)];
      if (condition && condition.of(row) !== true) continue;
      isMatched = true;
      found?.add(index);
      if (isPartial) break;
      add(row);
    }
    if (isPartial ? isMatched === (kind === 'semi') : !isMatched && PRESERVES_LEFT.has(kind))
      add(isPartial ? one : [...one, ...nothingRight]);
  }
  if (!found) return rows;
  for (const [index, other] of right.rows.entries()) {
    if (meter.isTurnOver) yield;
    if (!found.has(index)) add([...nothingLeft, ...other]);
  }
  return rows;
}

/** The equalities of a condition whose operands belong to different sides of the join. */
function pairsOf(
  on: Expression | undefined,
  left: Table,
  right: Table,
  scopeOf: (columns: readonly Column[]) => Scope,
): readonly Pair[] {
  const scopes = [scopeOf(left.columns), scopeOf(right.columns)] as const;
  const found: Pair[] = [];
  for (const each of conjuncts(on)) {
    if (each.is !== 'binary' || each.op !== '=') continue;
    for (const [one, other] of [
      [each.left, each.right],
      [each.right, each.left],
    ] as const) {
      const [first, second] = [boundIn(one, scopes[0]), boundIn(other, scopes[1])];
      if (!first || !second) continue;
      const [a, b] = alike([first, second], '=') as [Bound, Bound];
      found.push({ left: a, right: b });
      break;
    }
  }
  return found;
}

/** Undefined if the expression uses other columns, or no column. */
function boundIn(expression: Expression, scope: Scope): Bound | undefined {
  if (!someOf(expression, ({ is }) => is === 'column')) return undefined;
  try {
    return bind(expression, scope);
  } catch (error) {
    if (error instanceof SqlProblem && error.sqlState !== TOO_MUCH) return undefined;
    throw error;
  }
}

const TOO_MUCH = '54000';

function* hashed(pairs: readonly Pair[], right: Table, meter: Meter): Steps<(row: Row) => Iterable<number>> {
  const byKey = new Map<string, number[]>();
  const keyIn = (side: 'left' | 'right', row: Row): string | undefined => {
    const values = pairs.map((pair) => pair[side].of(row));
    // Null equals nothing.
    return values.includes(null) ? undefined : keyOf(values, meter);
  };
  for (const [index, row] of right.rows.entries()) {
    meter.spend(1);
    if (meter.isTurnOver) yield;
    const key = keyIn('right', row);
    if (key === undefined) continue;
    const known = byKey.get(key);
    if (known) known.push(index);
    else byKey.set(key, [index]);
  }
  return (row) => {
    const key = keyIn('left', row);
    return (key === undefined ? undefined : byKey.get(key)) ?? [];
  };
}

const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const visible = ({ columns }: Table): readonly Column[] => columns.filter(({ hidden }) => !hidden);

function usingNames({ using }: Join, left: Table, right: Table): readonly string[] {
  if (using !== 'natural') return using ?? [];
  const names = new Set(visible(right).map(({ name }) => name.toLowerCase()));
  return visible(left)
    .map(({ name }) => name)
    .filter((name) => names.has(name.toLowerCase()));
}

/** Index of the column with this name on one side. */
function placeIn({ columns }: Table, name: string, side: string): number {
  const places = columns.flatMap((column, index) => (sameName(column.name, name) && !column.hidden ? [index] : []));
  if (places.length !== 1) throw problems.noUsing(name, side);
  return places[0] as number;
}

function usingPairs(using: readonly string[], left: Table, right: Table): readonly Pair[] {
  return using.map((name) => {
    const [first, second] = [placeIn(left, name, 'left'), placeIn(right, name, 'right')];
    const sides = [
      slot((left.columns[first] as Column).type, first),
      slot((right.columns[second] as Column).type, second),
    ];
    const [a, b] = alike(sides, 'USING') as [Bound, Bound];
    return { left: a, right: b };
  });
}

/** `USING` shows each of its columns once, first in the result; both original columns are found with the names of their tables. */
function* merged(using: readonly string[], kind: JoinKind, { columns, rows }: Table, meter: Meter): Steps<Table> {
  const isHidden = new Set<number>();
  const places = using.map((name) => {
    const [first, second] = columns.flatMap((column, index) =>
      sameName(column.name, name) && !column.hidden ? [index] : [],
    ) as [number, number];
    isHidden.add(first).add(second);
    return kind === 'right' ? [second, first] : [first, second];
  });
  const shown = places.map(([first = 0]): Column => {
    const { name, type } = columns[first] as Column;
    return { name, type };
  });
  const made: Row[] = [];
  for (const row of rows) {
    if (meter.isTurnOver) yield;
    meter.spend(row.length);
    made.push([...places.map(([first = 0, second = 0]) => row[first] ?? row[second] ?? null), ...row]);
  }
  const rest = columns.map((column, index): Column => (isHidden.has(index) ? { ...column, hidden: true } : column));
  return { columns: [...shown, ...rest], rows: made };
}
