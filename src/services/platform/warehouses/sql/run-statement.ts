import { nextTurn } from '../../../../kernel/time/index.ts';
import { cellText } from './format.ts';
import { Meter, type Steps } from './meter.ts';
import { parseQuery } from './parser.ts';
import { problems } from './problem.ts';
import { QueryRun } from './run-query.ts';
import type { Session } from './session.ts';
import type { Query } from './syntax.ts';
import type { Table } from './table.ts';
import type { SqlType } from './types.ts';

export interface StatementResult {
  readonly columns: readonly { readonly name: string; readonly type: SqlType }[];
  readonly rows: readonly (readonly (string | null)[])[];
}

export type Halt = () => boolean | Promise<boolean>;

/** Runs a query. Yields to other work of the jar, and checks `halt` each time to see whether to stop. Throws `SqlProblem`. */
export const runStatement = async (text: string, session: Session, halt?: Halt): Promise<StatementResult> =>
  runQuery(
    bounded(() => parseQuery(text)),
    session,
    halt,
  );

export async function runQuery(query: Query, session: Session, halt?: Halt): Promise<StatementResult> {
  const meter = new Meter();
  return inTurns(asTexts(query, session, meter), meter, halt);
}

/** Runs work step by step, with other work of the jar in between. */
export async function inTurns<T>(steps: Steps<T>, meter: Meter, halt: Halt = () => false): Promise<T> {
  for (;;) {
    const { done, value } = bounded(() => steps.next());
    if (done) return value;
    await (value ? value() : new Promise<void>((resolve) => nextTurn(resolve)));
    if (await halt()) throw problems.tooMuch('it was cancelled');
    meter.beginTurn();
  }
}

/** The same synchronously, for callers that cannot await. The bounds of the meter have to be narrow. */
export function runAtOnce(text: string, session: Session, meter: Meter): Table {
  meter.read(text);
  const steps = new QueryRun(session, meter).run(bounded(() => parseQuery(text)));
  for (;;) {
    const { done, value } = bounded(() => steps.next());
    if (done) return value;
    if (value) throw problems.unsupported('tables cannot be read here');
    meter.beginTurn();
  }
}

function* asTexts(query: Query, session: Session, meter: Meter): Steps<StatementResult> {
  const { columns, rows } = yield* new QueryRun(session, meter).run(query);
  const types = columns.map(({ type }) => type);
  const texts: (readonly (string | null)[])[] = [];
  for (const row of rows) {
    if (meter.isTurnOver) yield;
    meter.spend(row.length);
    texts.push(row.map((value, index) => cellText(value, types[index] as SqlType)));
  }
  return { columns: columns.map(({ name, type }) => ({ name, type })), rows: texts };
}

export function bounded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    // For example a chain of a hundred thousand operators, or a date after the last representable one.
    if (error instanceof RangeError) throw problems.tooMuch('it is nested too deeply, or a value is out of range');
    throw error;
  }
}
