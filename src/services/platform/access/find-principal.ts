import { allOf, eq, type Reader } from '../../../kernel/store/index.ts';
import {
  type Principal,
  type PrincipalKind,
  principalPlace,
  principals,
  type Workspace,
} from '../accounts/collections.ts';

/**
 * The principal whom this name means in a workspace: a user by their user name, a service principal by its application id, a group by its name. The
 * kinds are tried in the order given; a group of the workspace comes before one of the account.
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
