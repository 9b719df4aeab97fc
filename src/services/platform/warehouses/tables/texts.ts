import type { StatementResult } from '../sql/run-statement.ts';
import { simple } from '../sql/types.ts';

/** A result with only text columns. */
export const textResult = (
  names: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): StatementResult => ({ columns: names.map((name) => ({ name, type: simple('STRING') })), rows });
