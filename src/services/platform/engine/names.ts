import type { Reader } from '../../../kernel/store/index.ts';
import { nameOf } from '../access/standing.ts';
import { principalKey, principals } from '../accounts/collections.ts';
import type { ViewContext } from './kind.ts';

/** Names of these principals; deleted ones are shown by their ids. */
export async function namesOf(reader: Reader, accountId: string, ids: Iterable<string>): Promise<ViewContext> {
  const names = new Map<string, string>();
  for (const id of new Set(ids)) {
    const found = await reader.get(principals, principalKey(accountId, id), 'none');
    if (found) names.set(id, nameOf(found.value));
  }
  return { nameOf: (id) => names.get(id) ?? id };
}
