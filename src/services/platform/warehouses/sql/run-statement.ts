import { cellText } from './format.ts';
import { parseStatement } from './parser.ts';
import { problems } from './problem.ts';
import { QueryRun } from './run-query.ts';
import type { Session } from './session.ts';
import type { SqlType } from './types.ts';

export interface StatementResult {
  readonly columns: readonly { readonly name: string; readonly type: SqlType }[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** Runs a statement that needs no tables. Throws `SqlProblem`. */
export async function runStatement(
  text: string,
  session: Session,
  halt: () => boolean = () => false,
): Promise<StatementResult> {
  try {
    const { columns, rows } = await new QueryRun(session, halt).run(parseStatement(text));
    const types = columns.map(({ type }) => type);
    return {
      columns: columns.map(({ name, type }) => ({ name, type })),
      rows: rows.map((row) => row.map((value, index) => cellText(value, types[index] as SqlType))),
    };
  } catch (error) {
    // A chain of a hundred thousand operators, or a day after the last one.
    if (error instanceof RangeError) throw problems.tooMuch('it is nested too deeply, or a value is out of range');
    throw error;
  }
}
