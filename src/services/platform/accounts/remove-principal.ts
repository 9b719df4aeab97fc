import type { Jar } from '../../../kernel/service/index.ts';
import { deleteSome, eq, SLICE, type Tx } from '../../../kernel/store/index.ts';
import { freeCount } from '../limits/take.ts';
import { endSecrets } from '../oidc/principal-secrets.ts';
import { removeTokens } from './assign.ts';
import {
  entitlements,
  memberships,
  type Principal,
  principalKey,
  principals,
  removedKey,
  removedObjects,
  ruleSetKey,
  ruleSets,
} from './collections.ts';

/** Deletes a principal with all its data in the account and in its workspaces. The caller holds the account lock. */
export async function removePrincipal(tx: Tx, jar: Pick<Jar, 'limits' | 'clock'>, principal: Principal): Promise<void> {
  const { accountId, id, kind, objectId } = principal;
  const own = `${accountId}/${id}`;
  while ((await deleteSome(tx, memberships, { filter: eq('member', own) })) >= SLICE);
  if (kind === 'group') while ((await deleteSome(tx, memberships, { filter: eq('group', own) })) >= SLICE);
  while ((await deleteSome(tx, entitlements, { filter: eq('principal', own) })) >= SLICE);
  await removeTokens(tx, jar, { accountId, principal: id });
  await endSecrets(tx, jar, principal);
  await tx.delete(ruleSets, ruleSetKey({ accountId, principal: id }));
  await tx.delete(principals, principalKey(accountId, id));
  await freeCount(tx, jar, { row: kind === 'group' ? 'groups' : 'principals', scope: [accountId] });
  if (objectId === undefined) return;
  await tx.put(removedObjects, removedKey(accountId, objectId), { removedAt: jar.clock.now() });
}
