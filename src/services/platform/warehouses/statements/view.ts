import { knownOrigin } from '../../../../kernel/auth/index.ts';
import { encodeSkipToken } from '../../../../kernel/http/index.ts';
import { shortId } from '../../../../kernel/ids/index.ts';
import { isoTime, MINUTE_MS } from '../../../../kernel/time/index.ts';
import { type JsonMembers, omitAbsent } from '../../../../kernel/values/index.ts';
import type { PlatformCall } from '../../jar.ts';
import { chunkKey, type Statement, statementChunks, statementKey } from './collections.ts';

export const LINKS = 'sql statement results';
const LINK_MS = 15 * MINUTE_MS;

/** Content of a link to a part of a result. */
export interface LinkPlace {
  readonly key: string;
  readonly chunk: number;
  readonly until: number;
  /** Makes every link unique, even at the same instant. */
  readonly link: string;
}

/** Wire form of a statement, with the first part of its result. */
export async function statementView(call: PlatformCall, statement: Statement): Promise<JsonMembers> {
  const { id, state, error } = statement;
  const status = omitAbsent({
    state,
    error: error && { error_code: error.code, message: error.message },
    sql_state: error?.sqlState,
  });
  if (state !== 'SUCCEEDED') return { statement_id: id, status };
  return {
    statement_id: id,
    status,
    manifest: manifestOf(statement),
    result: (statement.chunks ?? []).length === 0 ? {} : await chunkView(call, statement, 0),
  };
}

function manifestOf({ format, columns = [], chunks = [], isTruncated = false }: Statement): JsonMembers {
  let offset = 0;
  const parts = chunks.map(({ rows, bytes }, chunk_index) => {
    const part = { chunk_index, row_offset: offset, row_count: rows, byte_count: bytes };
    offset += rows;
    return part;
  });
  return omitAbsent({
    format,
    schema: { column_count: columns.length, ...(columns.length > 0 && { columns }) },
    total_chunk_count: chunks.length,
    chunks: parts.length === 0 ? undefined : parts,
    total_row_count: offset,
    total_byte_count: chunks.reduce((sum, { bytes }) => sum + bytes, 0),
    truncated: isTruncated,
  });
}

/** A part of a result: its rows, or a link to them. */
export async function chunkView(call: PlatformCall, statement: Statement, index: number): Promise<JsonMembers> {
  const { id, workspaceId, chunks = [], disposition } = statement;
  const { rows = 0, bytes = 0 } = chunks[index] ?? {};
  const key = statementKey(workspaceId, id);
  const next = index + 1 < chunks.length ? index + 1 : undefined;
  const place = omitAbsent({
    chunk_index: index,
    row_offset: chunks.slice(0, index).reduce((sum, chunk) => sum + chunk.rows, 0),
    row_count: rows,
    byte_count: bytes,
    next_chunk_index: next,
    next_chunk_internal_link: next === undefined ? undefined : `/api/2.0/sql/statements/${id}/result/chunks/${next}`,
  });
  if (disposition === 'INLINE') {
    const found = (await call.jar.store.get(statementChunks, chunkKey(key, index)))?.value;
    return { ...place, data_array: found?.rows ?? [] };
  }
  // A link needs no other credential: people who may only read do not get it.
  if (call.caller?.readOnly) return { external_links: [place] };
  const until = call.jar.clock.now() + LINK_MS;
  const token = encodeSkipToken(call.jar.vault, LINKS, {
    key,
    chunk: index,
    until,
    link: shortId(),
  } satisfies LinkPlace);
  const external_link = `${knownOrigin(call)}/api/2.0/sql/external-links/${token}`;
  return { external_links: [{ ...place, external_link, expiration: isoTime(until) }] };
}
