import type { JsonMembers } from '../../../../kernel/values/index.ts';
import type { StatementResult } from '../sql/run-statement.ts';
import { type SqlType, typeText } from '../sql/types.ts';
import type { Statement, StatementChunk } from './collections.ts';

const CHUNK_BYTES = 1024 * 1024;

export interface Chunk extends StatementChunk {
  readonly bytes: number;
}

export interface Shaped {
  readonly columns: readonly JsonMembers[];
  readonly chunks: readonly Chunk[];
  readonly bytes: number;
  readonly isTruncated: boolean;
}

const bytesOf = (row: readonly (string | null)[]): number =>
  row.reduce((sum, cell) => sum + (cell === null ? 4 : Buffer.byteLength(cell)) + 3, 2);

/** The result within the limits of the request, in parts. */
export function shaped({ columns, rows }: StatementResult, { rowLimit, byteLimit }: Statement): Shaped {
  const chunks: { rows: (readonly (string | null)[])[]; bytes: number }[] = [];
  let bytes = 0;
  let isTruncated = false;
  for (const [index, row] of rows.entries()) {
    const size = bytesOf(row);
    isTruncated =
      (rowLimit !== undefined && index >= rowLimit) || (byteLimit !== undefined && bytes + size > byteLimit);
    if (isTruncated) break;
    let last = chunks.at(-1);
    if (!last || last.bytes + size > CHUNK_BYTES) {
      last = { rows: [], bytes: 0 };
      chunks.push(last);
    }
    last.rows.push(row);
    last.bytes += size;
    bytes += size;
  }
  return { columns: columns.map(columnView), chunks, bytes, isTruncated };
}

const columnView = (
  { name, type }: { readonly name: string; readonly type: SqlType },
  position: number,
): JsonMembers => ({
  name,
  position,
  type_name: type.kind === 'TIMESTAMP_NTZ' ? 'TIMESTAMP' : type.kind,
  type_text: typeText(type),
  ...(type.kind === 'DECIMAL' && { type_precision: type.precision, type_scale: type.scale }),
});
