import type { Relations } from './relations.ts';
import type { SqlType, SqlValue } from './types.ts';

/** The context of a statement. */
export interface Session {
  /** Time of the jar's clock, constant within the statement. */
  readonly now: number;
  readonly user: string;
  readonly catalog: string;
  readonly schema: string;
  /** By name, or by number for positional parameters. */
  readonly parameters: ReadonlyMap<string | number, Typed>;
  /** Absent: no tables are available. */
  readonly relations?: Relations;
}

export interface Typed {
  readonly type: SqlType;
  readonly value: SqlValue;
}
