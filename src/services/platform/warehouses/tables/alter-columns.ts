import type { Tx } from '../../../../kernel/store/index.ts';
import type { Chain } from '../../catalog/core/chain.ts';
import { columnsOf } from '../../catalog/tables/column-store.ts';
import type { Column } from '../../catalog/tables/columns.ts';
import { constraintsOf } from '../../catalog/tables/constraints.ts';
import { changeTable, type TableChange } from '../../catalog/tables/create.ts';
import { discardFiles } from '../../catalog/tables/data/rows.ts';
import { isInVolume } from '../../catalog/tables/data/volume-files.ts';
import { hasData } from '../../catalog/tables/kind.ts';
import { type Bound, converted, type Row } from '../sql/bound.ts';
import { slot } from '../sql/grouping.ts';
import { Meter, type Steps, waitFor } from '../sql/meter.ts';
import { parseExpression } from '../sql/parser.ts';
import { problems } from '../sql/problem.ts';
import { bounded, type Halt, inTurns } from '../sql/run-statement.ts';
import type { Change } from '../sql/statement-syntax.ts';
import { commonType, typeText } from '../sql/types.ts';
import { someOf } from '../sql/walk.ts';
import { CHECK_PROPERTY, checksOf, defaultFor, RowRules } from './assign.ts';
import { type Acting, shownName } from './find.ts';
import { columnNamed } from './insert.ts';
import { propertiesOf } from './properties.ts';
import { Conflict } from './refusals.ts';
import { refuseFiltered, snapshotOf } from './relations.ts';
import { rowsOf } from './scan.ts';
import { changedColumn, columnOf, sqlTypeOf } from './types.ts';
import { type Effect, isSame, NO_RESULT, requireUnchanged, stageFor } from './write.ts';

/** Changes of a table's columns and row rules. Some check every row, and some rewrite every row. */

type ColumnsChange =
  | Extract<Change, { is: 'addColumns' | 'dropColumns' | 'renameColumn' | 'alterColumn' | 'addCheck' }>
  | (Extract<Change, { is: 'comment' }> & { readonly column: string });

export const isColumnChange = (change: Change): change is ColumnsChange =>
  ['addColumns', 'dropColumns', 'renameColumn', 'alterColumn', 'addCheck'].includes(change.is) ||
  (change.is === 'comment' && change.column !== undefined);

const START = { line: 1, column: 0 };

/** The planned effect of a change. */
interface Planned {
  readonly change: TableChange;
  /** Converts rows to the new columns. Absent: files stay unchanged. */
  readonly rows?: readonly Bound[];
  /** Rules that every row has to satisfy. */
  readonly rules?: {
    readonly columns: readonly Column[];
    readonly checks: ReturnType<typeof checksOf>;
    refuse(rows: number): Error;
  };
}

export async function prepareColumns(
  acting: Acting,
  change: ColumnsChange,
  find: (tx: Tx | undefined) => Promise<Chain>,
  halt: Halt,
): Promise<Effect> {
  const chain = await find(undefined);
  const columns = await columnsOf(acting.jar.store, chain.target);
  const plan = plannedFor(acting, chain, columns, change);
  if (!plan) return { result: NO_RESULT };
  const isRead = plan.rows !== undefined || plan.rules !== undefined;
  if (isRead && (!hasData(chain.target.fields) || isInVolume(chain.target)))
    throw problems.unsupported(`${shownName(chain)} is a view, or its rows come from elsewhere`);
  const snapshot = isRead ? await snapshotOf(acting, chain) : undefined;
  if (snapshot) refuseFiltered(chain, snapshot);
  const meter = new Meter();
  const rows = snapshot ? await inTurns(readAll(acting, snapshot, plan, meter), meter, halt) : [];
  const files = plan.rows ? await stageFor(acting, plan.change.columns ?? columns, rows) : undefined;
  return {
    result: NO_RESULT,
    apply: async (tx) => {
      const now = await find(tx);
      if (!isSame(chain.target, now.target)) throw new Conflict(shownName(chain));
      if (snapshot) await requireUnchanged(tx, { chain, snapshot });
      await changeTable(tx, acting, now, { ...plan.change, ...(files && { files }) });
    },
    discard: () => discardFiles(acting.jar, files ?? []),
  };
}

/** Reads every row; returns the converted rows if they have to be rewritten. */
function* readAll(
  acting: Acting,
  snapshot: Parameters<typeof rowsOf>[1],
  { rows, rules }: Planned,
  meter: Meter,
): Steps<readonly Row[]> {
  const needed = new Set(snapshot.columns.keys());
  const batches = rowsOf(acting.jar.store, snapshot, { needed, bounds: [] })[Symbol.asyncIterator]();
  const checked = rules && new RowRules(rules.columns, rules.checks, acting.session, meter);
  const made: Row[] = [];
  let broken = 0;
  for (let batch = yield* waitFor(() => batches.next()); !batch.done; batch = yield* waitFor(() => batches.next()))
    for (const row of batch.value) {
      meter.row();
      if (meter.isTurnOver) yield;
      if (checked?.isBroken(row)) broken++;
      if (!rows) continue;
      const after = rows.map((each) => each.of(row));
      meter.keep(after);
      made.push(after);
    }
  if (rules && broken > 0) throw rules.refuse(broken);
  return made;
}

function plannedFor(
  acting: Acting,
  chain: Chain,
  columns: readonly Column[],
  change: ColumnsChange,
): Planned | undefined {
  switch (change.is) {
    case 'addColumns':
      return addColumns(acting, chain, columns, change);
    case 'dropColumns':
      return dropColumns(chain, columns, change);
    case 'renameColumn': {
      const column = columnNamed(columns, change.from, START);
      refuseUsed(chain, column);
      if (columns.some(({ name }) => same(name, change.to))) throw problems.sameField(change.to, shownName(chain));
      const renamed = columns.map((each) => (each === column ? changedColumn(each, { name: change.to }) : each));
      return { change: { operation: 'RENAME COLUMN', columns: renamed }, rows: slots(columns) };
    }
    case 'alterColumn':
      return alterColumn(acting, chain, columns, change);
    case 'comment': {
      const column = columnNamed(columns, change.column, START);
      return {
        change: { operation: 'CHANGE COLUMN', columns: replacedBy(columns, column, { comment: change.comment ?? '' }) },
      };
    }
    case 'addCheck':
      return addCheck(chain, columns, change);
  }
}

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const slots = (columns: readonly Column[]): readonly Bound[] =>
  columns.map((column, index) => slot(sqlTypeOf(column), index));

const replacedBy = (
  columns: readonly Column[],
  column: Column,
  change: Parameters<typeof changedColumn>[1],
): readonly Column[] => columns.map((each) => (each === column ? changedColumn(each, change) : each));

function addColumns(
  acting: Acting,
  chain: Chain,
  columns: readonly Column[],
  { columns: added, ifNotExists }: Extract<Change, { is: 'addColumns' }>,
): Planned | undefined {
  const all = [...columns];
  for (const definition of added) {
    if (!definition.nullable) throw problems.unsupported('ADD COLUMN cannot add a column that is NOT NULL');
    if (all.some(({ name }) => same(name, definition.name))) {
      if (ifNotExists) continue;
      throw problems.sameField(definition.name, shownName(chain));
    }
    const column = columnOf(definition, all.length);
    defaultFor(column, acting.session, new Meter(), shownName(chain));
    all.push(column);
  }
  return all.length === columns.length ? undefined : { change: { operation: 'ADD COLUMNS', columns: all } };
}

function dropColumns(
  chain: Chain,
  columns: readonly Column[],
  { names, ifExists }: Extract<Change, { is: 'dropColumns' }>,
): Planned | undefined {
  const dropped = new Set<Column>();
  for (const name of names) {
    if (ifExists && !columns.some((column) => same(column.name, name))) continue;
    const column = columnNamed(columns, name, START);
    refuseUsed(chain, column);
    if (column.partition_index !== undefined)
      throw problems.dependentColumn(column.name, 'the partitions of the table');
    dropped.add(column);
  }
  if (dropped.size === 0) return undefined;
  const kept = columns.filter((column) => !dropped.has(column));
  if (kept.length === 0) throw problems.unsupported('a table keeps at least one column');
  const places = kept.map((column) => slot(sqlTypeOf(column), columns.indexOf(column)));
  return {
    change: { operation: 'DROP COLUMNS', columns: kept.map((column, position) => ({ ...column, position })) },
    rows: places,
  };
}

function alterColumn(
  acting: Acting,
  chain: Chain,
  columns: readonly Column[],
  { name, to }: Extract<Change, { is: 'alterColumn' }>,
): Planned {
  const column = columnNamed(columns, name, START);
  const operation = 'CHANGE COLUMN';
  if (to.is === 'comment')
    return { change: { operation, columns: replacedBy(columns, column, { comment: to.comment }) } };
  if (to.is === 'default') {
    const changed = replacedBy(columns, column, { default: to.default } as Parameters<typeof changedColumn>[1]);
    defaultFor(changed[columns.indexOf(column)] as Column, acting.session, new Meter(), shownName(chain));
    return { change: { operation, columns: changed } };
  }
  if (to.is === 'nullable') {
    const changed = replacedBy(columns, column, { nullable: to.nullable });
    if (to.nullable) return { change: { operation, columns: changed } };
    const refuse = () => problems.nullsBefore(column.name, shownName(chain));
    return { change: { operation, columns: changed }, rules: { columns: changed, checks: [], refuse } };
  }
  const from = sqlTypeOf(column);
  const common = commonType(from, to.type);
  const isWider = common && typeText(common) === typeText(to.type) && from.kind !== 'STRING';
  if (!isWider || column.partition_index !== undefined)
    throw problems.columnType(column.name, typeText(from), typeText(to.type));
  const rows = columns.map((each, index) => {
    const value = slot(sqlTypeOf(each), index);
    return each === column ? converted(value, to.type) : value;
  });
  return { change: { operation, columns: replacedBy(columns, column, { type: to.type }) }, rows };
}

function addCheck(
  chain: Chain,
  columns: readonly Column[],
  { name, check }: Extract<Change, { is: 'addCheck' }>,
): Planned {
  const key = name.toLowerCase();
  if (checksOf(chain.target.fields.properties).some((each) => each.name === key)) throw problems.sameConstraint(name);
  const properties = { ...propertiesOf(chain), [`${CHECK_PROPERTY}${key}`]: check };
  const free = columns.map((column) => ({ ...column, nullable: true }));
  const refuse = (rows: number) => problems.violatedBefore(name, shownName(chain), rows);
  return {
    change: { operation: 'ADD CONSTRAINT', properties },
    rules: { columns: free, checks: [{ name: key, text: check }], refuse },
  };
}

/** A column that constraints use cannot be changed. */
function refuseUsed(chain: Chain, { name }: Column): void {
  for (const check of checksOf(chain.target.fields.properties)) {
    const expression = bounded(() => parseExpression(check.text));
    if (someOf(expression, (part) => part.is === 'column' && same(part.parts.at(-1) ?? '', name)))
      throw problems.dependentColumn(name, `the CHECK constraint ${check.name}`);
  }
  const key = constraintsOf(chain.target).find(({ columns = [] }) => columns.some((each) => same(each, name)));
  if (key) throw problems.dependentColumn(name, `the constraint ${key.name}`);
}
