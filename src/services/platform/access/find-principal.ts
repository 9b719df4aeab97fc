import { allOf, eq, type Reader } from '../../../kernel/store/index.ts';
import {
  type Principal,
  type PrincipalKind,
  principalPlace,
  principals,
  type Workspace,
} from '../accounts/collections.ts';

/**
 * Finds the principal with this name in a workspace: a user by user name, a service principal by application id, a group by name. The kinds
 * are tried in the given order; a group of the workspace takes precedence over a group of the account.
 */
export async function findByLogin(
  reader: Pick<Reader, 'query'>,
  { id, accountId }: Pick<Workspace, 'id' | 'accountId'>,
  kinds: readonly PrincipalKind[],
  name: string,
): Promise<Principal | undefined> {
  const places = kinds.flatMap((kind) => [
    ...(kind === 'group' ? [principalPlace(accountId, kind, id)] : []),
    principalPlace(accountId, kind),
  ]);
  for (const place of places) {
    const filter = allOf(eq('place', place), eq('login', name.toLowerCase()));
    const found = (await reader.query(principals, { filter, limit: 1 })).items[0]?.value;
    if (found) return found;
  }
  return undefined;
}
