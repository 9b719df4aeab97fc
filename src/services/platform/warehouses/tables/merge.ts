import type { TableFile } from '../../catalog/tables/collections.ts';
import type { Column } from '../../catalog/tables/columns.ts';
import { bind, type Scope, scopeOf } from '../sql/bind.ts';
import { type Bound, type Column as BoundColumn, type Row, truth } from '../sql/bound.ts';
import { type Matching, matchingOf } from '../sql/join.ts';
import { Meter, type Steps, waitFor } from '../sql/meter.ts';
import { problems } from '../sql/problem.ts';
import { QueryRun } from '../sql/run-query.ts';
import { type Halt, inTurns } from '../sql/run-statement.ts';
import type { Assignment, Merge, MergeClause } from '../sql/statement-syntax.ts';
import type { Expression } from '../sql/syntax.ts';
import type { Table } from '../sql/table.ts';
import { checksOf, defaultFor, RowRules } from './assign.ts';
import { changeOf, columnsFor } from './change-rows.ts';
import { type Acting, shownName } from './find.ts';
import { columnNamed } from './insert.ts';
import { filesFor, rowsOfFile } from './scan.ts';
import { countsResult, type Effect, openTarget, stageFor, type Target, writing } from './write.ts';

/** `MERGE`: rows of a source update, delete and insert rows of a table. */
export async function merge(acting: Acting, statement: Merge, halt: Halt): Promise<Effect> {
  const target = await openTarget(acting, statement.target, 'MERGE', { reads: true });
  const meter = new Meter();
  const merging = new Merging(acting, target, statement, meter);
  const { rows, removed, counts } = await inTurns(merging.run(), meter, halt);
  if (rows.length === 0 && removed.length === 0) return { result: countsResult(counts) };
  const files = await stageFor(acting, target.snapshot.columns, rows);
  // Exclusive: rows added since then could match as well, so a merge sees all rows or starts again.
  const write = { operation: 'MERGE', files, remove: removed, exclusive: true };
  return writing(acting, target, write, counts);
}

interface Merged {
  /** Rows of rewritten files, and added rows. */
  readonly rows: readonly Row[];
  readonly removed: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

/** The effect on a row of the table: undefined leaves it unchanged; otherwise the row is replaced, or deleted if `row` is undefined. */
type Outcome = { readonly row: Row | undefined } | undefined;

/** A bound clause. */
interface Clause {
  readonly when: MergeClause['when'];
  readonly isUnconditional: boolean;
  readonly deletes: boolean;
  applies(input: Row): boolean;
  /** `row`: the row of the table. */
  made(row: Row, input: Row): Row | undefined;
}

interface Loaded {
  readonly table: Table;
  /** The file of each row. */
  readonly files: readonly TableFile[];
}

class Merging {
  readonly #acting: Acting;
  readonly #target: Target;
  readonly #statement: Merge;
  readonly #meter: Meter;
  readonly #counts = { num_affected_rows: 0, num_updated_rows: 0, num_deleted_rows: 0, num_inserted_rows: 0 };

  constructor(acting: Acting, target: Target, statement: Merge, meter: Meter) {
    this.#acting = acting;
    this.#target = target;
    this.#statement = statement;
    this.#meter = meter;
  }

  *run(): Steps<Merged> {
    const run = new QueryRun(this.#acting.session, this.#meter);
    const source = yield* run.source(this.#statement.source);
    const { table, files } = yield* this.#loaded();
    const on = yield* run.settled(this.#statement.on);
    const matching = yield* matchingOf(on, table, source, (columns) => this.#scope(columns));
    const clauses = yield* this.#clauses(run, table, source);
    const found = new Set<number>();
    const outcomes = yield* this.#outcomes(matching, clauses, found);
    const added = yield* this.#added(source, table.columns.length, clauses, found);
    const removed = new Set(files.filter((_, index) => outcomes[index]).map(({ id }) => id));
    const kept: Row[] = [];
    for (const [index, row] of table.rows.entries()) {
      if (this.#meter.isTurnOver) yield;
      this.#meter.spend(1);
      if (!removed.has((files[index] as TableFile).id)) continue;
      const outcome = outcomes[index];
      const after = outcome ? outcome.row : row;
      if (after) kept.push(after);
    }
    return { rows: [...kept, ...added], removed: [...removed], counts: this.#counts };
  }

  #scope(columns: readonly BoundColumn[]): Scope {
    return scopeOf(this.#acting.session, this.#meter, columns);
  }

  /** All rows of the table. */
  *#loaded(): Steps<Loaded> {
    const { store } = this.#acting.jar;
    const { snapshot } = this.#target;
    const rows: Row[] = [];
    const files: TableFile[] = [];
    const found = filesFor(store, snapshot, [])[Symbol.asyncIterator]();
    for (let file = yield* waitFor(() => found.next()); !file.done; file = yield* waitFor(() => found.next())) {
      const { value } = file;
      const batches = rowsOfFile(store, value, snapshot.columns)[Symbol.asyncIterator]();
      for (let batch = yield* waitFor(() => batches.next()); !batch.done; batch = yield* waitFor(() => batches.next()))
        for (const row of batch.value) {
          this.#meter.row();
          this.#meter.keep(row);
          if (this.#meter.isTurnOver) yield;
          rows.push(row);
          files.push(value);
        }
    }
    return { table: { columns: columnsFor(this.#target, this.#statement.target), rows }, files };
  }

  *#clauses(run: QueryRun, table: Table, source: Table): Steps<readonly Clause[]> {
    const scope = this.#scope([...table.columns, ...source.columns]);
    const clauses: Clause[] = [];
    for (const clause of this.#statement.clauses) clauses.push(yield* this.#clause(run, clause, scope, source));
    return clauses;
  }

  *#clause(run: QueryRun, { when, and, action }: MergeClause, scope: Scope, source: Table): Steps<Clause> {
    const { columns } = this.#target.snapshot;
    const condition = and && truth(bind(yield* run.settled(and), scope));
    const common = {
      when,
      isUnconditional: and === undefined,
      deletes: action.is === 'delete',
      applies: (input: Row): boolean => !condition || condition.of(input) === true,
    };
    if (action.is === 'delete') return { ...common, made: () => undefined };
    const sets = action.all ? allOf(columns, source, columns.length) : yield* this.#settled(run, action.sets);
    const { chain } = this.#target;
    const table = shownName(chain);
    const rules = new RowRules(columns, checksOf(chain.target.fields.properties), this.#acting.session, this.#meter);
    const bound = (value: Expression): Bound => bind(value, scope);
    const made = action.is === 'update' ? changeOf(sets, columns, bound, table) : this.#inserting(sets, bound, table);
    return {
      ...common,
      made(row, input) {
        const after = made(row, input);
        rules.check(after);
        return after;
      },
    };
  }

  *#settled(run: QueryRun, sets: readonly Assignment[]): Steps<readonly Assignment[]> {
    const settled: Assignment[] = [];
    for (const set of sets) settled.push({ ...set, value: yield* run.settled(set.value) });
    return settled;
  }

  /** A new row: omitted columns get their defaults. */
  #inserting(sets: readonly Assignment[], bound: (value: Expression) => Bound, table: string) {
    const { columns } = this.#target.snapshot;
    const named = new Set(sets.map(({ column, at }) => columnNamed(columns, column.at(-1) as string, at).name));
    const defaults = columns.map((column) =>
      named.has(column.name) ? null : defaultFor(column, this.#acting.session, this.#meter, table).of([]),
    );
    const changed = changeOf(sets, columns, bound, table);
    return (_row: Row, input: Row): Row => changed(defaults, input);
  }

  /** The outcome of each row of the table. Adds the indexes of matched source rows to `found`. */
  *#outcomes(matching: Matching, clauses: readonly Clause[], found: Set<number>): Steps<readonly Outcome[]> {
    const { left, right, condition, candidates } = matching;
    const matched = clauses.filter(({ when }) => when === 'matched');
    const alone = clauses.filter(({ when }) => when === 'notMatchedBySource');
    const nothing: Row = right.columns.map(() => null);
    // Several matches are accepted if the only clause deletes the row unconditionally.
    const isTwiceFine = matched.length === 1 && matched[0]?.deletes === true && matched[0].isUnconditional;
    const outcomes: Outcome[] = [];
    for (const row of left.rows) {
      let isMatched = false;
      let outcome: Outcome;
      for (const index of candidates(row)) {
        this.#meter.row();
        if (this.#meter.isTurnOver) yield;
        const input = [...row, ...(right.rows[index] as Row)];
        if (condition && condition.of(input) !== true) continue;
        isMatched = true;
        found.add(index);
        const clause = matched.find((each) => each.applies(input));
        if (!clause) continue;
        if (outcome && !isTwiceFine) throw problems.manyMatches();
        outcome = { row: clause.made(row, input) };
      }
      if (!isMatched) {
        const input = [...row, ...nothing];
        const clause = alone.find((each) => each.applies(input));
        if (clause) outcome = { row: clause.made(row, input) };
      }
      this.#count(outcome);
      outcomes.push(outcome);
    }
    return outcomes;
  }

  #count(outcome: Outcome): void {
    if (!outcome) return;
    this.#counts.num_affected_rows++;
    if (outcome.row) {
      this.#meter.keep(outcome.row);
      this.#counts.num_updated_rows++;
    } else this.#counts.num_deleted_rows++;
  }

  *#added(source: Table, width: number, clauses: readonly Clause[], found: ReadonlySet<number>): Steps<readonly Row[]> {
    const inserting = clauses.filter(({ when }) => when === 'notMatched');
    const nothing: Row = Array.from({ length: width }, () => null);
    const rows: Row[] = [];
    for (const [index, row] of source.rows.entries()) {
      this.#meter.row();
      if (this.#meter.isTurnOver) yield;
      if (found.has(index)) continue;
      const input = [...nothing, ...row];
      const made = inserting.find((each) => each.applies(input))?.made(nothing, input);
      if (!made) continue;
      this.#meter.keep(made);
      rows.push(made);
    }
    this.#counts.num_inserted_rows += rows.length;
    this.#counts.num_affected_rows += rows.length;
    return rows;
  }
}

/** `SET *` and `INSERT *`: every column is set to the source column with the same name. */
function allOf(columns: readonly Column[], source: Table, width: number): readonly Assignment[] {
  const at = { line: 1, column: 0 };
  return columns.map(({ name }) => {
    const index = source.columns.findIndex((column) => column.name.toLowerCase() === name.toLowerCase());
    if (index < 0)
      throw problems.noColumn(
        `\`${name}\``,
        at,
        source.columns.slice(0, 5).map((column) => `\`${column.name}\``),
      );
    return { column: [name], value: { is: 'column', parts: [name], at, index: width + index }, at };
  });
}
