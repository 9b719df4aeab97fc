import { ApiError } from '../../../kernel/http/index.ts';
import { type Cell, DuplicateValueError, foldText } from '../../../kernel/store/index.ts';
import type { Table } from '../model/types.ts';
import type { Row } from '../rows/converters.ts';
import { bulkErrors } from './errors.ts';

/** The errors of a push in the control API's format: one sentence, with the row and column as the target. */
export function asRowMistake(error: unknown, table: Table, rows: readonly Row[] = []): unknown {
  if (!(error instanceof ApiError) || error.code !== 'BadRequest') return error;
  const [{ message, target } = { message: error.message, target: undefined }] = error.details;
  const { cause } = error;
  if (!(cause instanceof DuplicateValueError)) return bulkErrors.RowInvalid({ reason: message }, { target, cause });
  const place = table.columns.findIndex(({ storage }) => storage === cause.column);
  // Report the last row with the value: the first one may be valid.
  const number = rows.findLastIndex((row) => isSame(row[place] ?? null, cause.value));
  if (place < 0 || number < 0) return bulkErrors.RowInvalid({ reason: message }, { target, cause });
  return bulkErrors.RowInvalid(
    { reason: `Row ${number + 1}: ${message}` },
    { target: `rows[${number}].${table.columns[place]?.name}`, cause },
  );
}

/** Compares values as unique columns do: texts are equal if they fold to the same text. */
function isSame(a: Cell, b: Cell): boolean {
  if (a === null || b === null) return a === b;
  return typeof a === 'string' && typeof b === 'string' ? foldText(a) === foldText(b) : String(a) === String(b);
}
