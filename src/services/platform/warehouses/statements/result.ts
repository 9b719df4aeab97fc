import { nextTurn } from '../../../../kernel/time/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import type { StatementResult } from '../sql/run-statement.ts';
import { type SqlType, typeText } from '../sql/types.ts';
import type { Statement, StatementChunk } from './collections.ts';
import { MOST_INLINE_BYTES } from './request.ts';

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

/** Number of cells that are processed before other work runs. */
const CELLS_OF_A_TURN = 10_000;
const BYTES_OF_A_CELL = 64;

/** The result within the limits of the request, in chunks. Stops early if it is too large to be inline. */
export async function shaped(
  { columns, rows }: StatementResult,
  { rowLimit, byteLimit, disposition }: Statement,
): Promise<Shaped> {
  const chunks: { rows: (readonly (string | null)[])[]; bytes: number }[] = [];
  let bytes = 0;
  let cells = 0;
  let isTruncated = false;
  for (const [index, row] of rows.entries()) {
    const size = bytesOf(row);
    cells += 1 + row.length + size / BYTES_OF_A_CELL;
    if (cells > CELLS_OF_A_TURN) {
      await new Promise<void>((resolve) => nextTurn(resolve));
      cells = 0;
    }
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
    if (disposition === 'INLINE' && bytes > MOST_INLINE_BYTES) break;
  }
  return { columns: columns.map(columnView), chunks, bytes, isTruncated };
}

/** Clients accept only the published names, which do not include these types. */
const TYPE_NAMES: Readonly<Partial<Record<SqlType['kind'], string>>> = {
  TIMESTAMP_NTZ: 'TIMESTAMP',
  VARIANT: 'STRING',
};

const columnView = (
  { name, type }: { readonly name: string; readonly type: SqlType },
  position: number,
): JsonMembers => ({
  name,
  position,
  type_name: TYPE_NAMES[type.kind] ?? type.kind,
  type_text: typeText(type),
  ...(type.kind === 'INTERVAL' && { type_interval_type: type.units }),
  ...(type.kind === 'DECIMAL' && { type_precision: type.precision, type_scale: type.scale }),
});
