import type { Reader } from '../../../../kernel/store/index.ts';
import { nameOf } from '../../access/standing.ts';
import { principalsOf } from '../../accounts/principals.ts';
import { type Actor, accountIn } from '../../jar.ts';
import { byId, type Chain, metastoreOf } from '../core/chain.ts';
import { doesNotExist } from '../core/errors.ts';
import { principalNamed } from '../core/operations.ts';
import { securableKey, securables } from '../core/securables.ts';

/** Shares are granted to recipients, everything else to principals of the account. */
const isShare = ({ target }: Chain): boolean => target.kind === 'share';

/** The id of the grantee. */
export async function granteeNamed(reader: Reader, call: Actor, chain: Chain, name: string): Promise<string> {
  if (!isShare(chain)) return principalNamed(reader, call, name);
  const key = securableKey(metastoreOf(chain).id, 'recipient', name);
  const found = (await reader.get(securables, key, 'none'))?.value;
  if (!found) throw doesNotExist('recipient', name);
  return found.id;
}

/** Names by id. A deleted principal is shown by its id; a deleted recipient has no grants. */
export async function granteeNames(
  call: Actor,
  chain: Chain,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { store } = call.jar;
  const names = new Map<string, string>();
  if (isShare(chain)) {
    for (const id of ids) {
      const recipient = await byId(store, id);
      if (recipient) names.set(id, recipient.name);
    }
    return names;
  }
  const found = await principalsOf(store, accountIn(call).id, ids);
  for (const id of ids) {
    const principal = found.get(id);
    names.set(id, principal ? nameOf(principal) : id);
  }
  return names;
}
