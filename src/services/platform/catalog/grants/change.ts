import type { Reader, Tx } from '../../../../kernel/store/index.ts';
import { Sent } from '../../engine/sent.ts';
import { errors } from '../../errors.ts';
import { type Actor, callerIdentity, type PlatformCall } from '../../jar.ts';
import { holds, requireManager } from '../core/access.ts';
import { type Chain, findChain, metastoreOf } from '../core/chain.ts';
import { metastoreIn, metastoreNow } from '../core/metastore.ts';
import { record } from '../core/operations.ts';
import { GRANTABLE, type Privilege, type SecurableType, securableType, TITLES } from '../core/privileges.ts';
import { type Grant, keyOf, type Securable, securables } from '../core/securables.ts';
import { granteeNamed } from './grantees.ts';

const MOST_CHANGES = 1000;
const MOST_PRINCIPALS = 1000;

/** The type that a path names. */
export function grantableType(sent: string): SecurableType {
  const type = securableType(sent);
  if (type) return type;
  throw errors.INVALID_PARAMETER_VALUE({ reason: `'${sent.slice(0, 100)}' is not a type of securable.` });
}

/** Finds a securable by its name in a path. The type `function` includes models; a metastore is named by its id. */
export async function findGrantable(
  reader: Reader,
  metastore: Securable,
  type: SecurableType,
  name: string,
  lock: 'update' | 'none' = 'none',
): Promise<Chain> {
  if (type === 'metastore') {
    if (name !== metastore.id && name.toLowerCase() !== metastore.name)
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `'${name.slice(0, 100)}' is not the metastore of the current workspace (${metastore.id}).`,
      });
    return { target: metastore, above: [] };
  }
  if (type !== 'function') return findChain(reader, metastore, type, name, { lock });
  try {
    return await findChain(reader, metastore, 'function', name, { lock });
  } catch (error) {
    if (!isAbsent(error)) throw error;
    return findChain(reader, metastore, 'registered_model', name, { lock });
  }
}

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'FUNCTION_DOES_NOT_EXIST';

interface Wanted {
  readonly principal: string;
  readonly add: readonly Privilege[];
  readonly remove: readonly Privilege[];
}

/** The changes in a body, validated by the rules of the type. */
function wantedIn(body: unknown, type: SecurableType): readonly Wanted[] {
  const changes = new Sent(body).list('changes') ?? [];
  if (changes.length > MOST_CHANGES)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The field 'changes' must have at most ${MOST_CHANGES} entries.` });
  return changes.map((sent) => {
    const principal = sent.need('principal');
    const add = privilegesIn(sent, 'add', type);
    const remove = privilegesIn(sent, 'remove', type);
    if (add.some((each) => remove.includes(each)))
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `Duplicate privileges to add and delete for principal ${principal.slice(0, 200)}.`,
      });
    return { principal, add, remove };
  });
}

function privilegesIn(sent: Sent, field: string, type: SecurableType): readonly Privilege[] {
  const words = (sent.texts(field) ?? []).map((each) => each.toUpperCase().replaceAll(' ', '_'));
  const known = GRANTABLE[type];
  return words.map((word) => {
    const privilege = known.find((each) => each === word);
    if (privilege) return privilege;
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `Privilege ${word.slice(0, 100)} is not applicable to this entity [${TITLES[type]}]. Applicable privileges: ${known.join(', ')}.`,
    });
  });
}

/** Changes the grants on a securable, all or nothing. */
export async function changeGrants(call: PlatformCall, sentType: string, name: string): Promise<Chain> {
  const metastore = await metastoreIn(call);
  return call.jar.store.transact((tx) => changeGrantsIn(tx, call, metastore, { type: sentType, name }));
}

/** The same in a transaction. The changes come from the body of the call. */
export async function changeGrantsIn(
  tx: Tx,
  call: Actor,
  metastore: Securable,
  { type: sentType, name }: { readonly type: string; readonly name: string },
): Promise<Chain> {
  const type = grantableType(sentType);
  const now = await metastoreNow(tx, metastore, type === 'metastore' ? 'update' : 'share');
  const found = await findGrantable(tx, now, type, name, 'update');
  requireGranter(call, found);
  const target = { ...found.target, ...(await granted(tx, call, found)) };
  await tx.put(securables, keyOf(target), target);
  await record(tx, call, 'grant', { ...found, target });
  return { ...found, target };
}

/** Throws unless the caller manages the securable, or a privilege on the metastore lets the caller share securables of other owners. */
function requireGranter(call: Actor, chain: Chain): void {
  const metastore = { target: metastoreOf(chain), above: [] };
  if (chain.target.kind === 'share' && holds(callerIdentity(call), metastore, 'SET_SHARE_PERMISSION')) return;
  requireManager(call, chain);
}

async function granted(tx: Tx, call: Actor, chain: Chain): Promise<Pick<Securable, 'grants'>> {
  const { target } = chain;
  const grants = new Map<string, readonly Privilege[]>(
    (target.grants ?? []).map(({ principal, privileges }) => [principal, privileges]),
  );
  for (const { principal, add, remove } of wantedIn(call.body, target.kind)) {
    const id = await granteeNamed(tx, call, chain, principal);
    const kept = (grants.get(id) ?? []).filter((each) => !remove.includes(each));
    const all = [...new Set([...kept, ...add])].sort();
    if (all.length > 0) grants.set(id, all);
    else grants.delete(id);
  }
  if (grants.size > MOST_PRINCIPALS)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `A securable can have grants for at most ${MOST_PRINCIPALS} principals.`,
    });
  return { grants: [...grants].map(([principal, privileges]): Grant => ({ principal, privileges })) };
}
