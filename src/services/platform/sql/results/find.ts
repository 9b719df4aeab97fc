import { sha256 } from '../../../../kernel/auth/index.ts';
import type { Reader } from '../../../../kernel/store/index.ts';
import { type QueryResult, queryResults, resultKey } from './collections.ts';

/** Texts that differ only in blanks, line ends or trailing semicolons are the same query. */
function normalised(statement: string): string {
  const text = statement.trimStart().replace(/\s+/g, ' ');
  let end = text.length;
  // Scans from the end: a regular expression would try every blank of the text as the start of the trailing ones.
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === ';')) end--;
  return text.slice(0, end);
}

export const digestOf = (statement: string): string => sha256(normalised(statement));

/** The result that was set for a saved query, otherwise the one for its text. */
export async function resultOf(
  reader: Reader,
  workspaceId: string,
  { queryId, statement }: { readonly queryId?: string | undefined; readonly statement: string },
): Promise<QueryResult | undefined> {
  const own = queryId && (await reader.get(queryResults, resultKey(workspaceId, queryId), 'none'));
  const found = own || (await reader.get(queryResults, resultKey(workspaceId, digestOf(statement)), 'none'));
  return found?.value;
}
