import type { Relations } from './relations.ts';
import type { SqlType, SqlValue } from './types.ts';

/** What a statement finds around it. */
export interface Session {
  /** By the jar's clock, the same for all of the statement. */
  readonly now: number;
  readonly user: string;
  readonly catalog: string;
  readonly schema: string;
  /** By name, and those without one by their number. */
  readonly parameters: ReadonlyMap<string | number, Typed>;
  /** Absent: there are no tables. */
  readonly relations?: Relations;
}

export interface Typed {
  readonly type: SqlType;
  readonly value: SqlValue;
}
