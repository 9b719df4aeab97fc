import type { Tx } from '../../../kernel/store/index.ts';
import { requireManager, requireReachable, requireVisible } from '../catalog/core/access.ts';
import { type Chain, chainById, findChain, fullNameOf } from '../catalog/core/chain.ts';
import { metastoreIn, metastoreNow } from '../catalog/core/metastore.ts';
import type { Securable } from '../catalog/core/securables.ts';
import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';

/** Objects that can be monitored, by type and id: tables and schemas of the workspace's metastore. */

const TYPES = ['schema', 'table'] as const;
type WatchedType = (typeof TYPES)[number];

function typeNamed(word: string): WatchedType {
  const type = TYPES.find((each) => each === word);
  if (type) return type;
  throw errors.INVALID_PARAMETER_VALUE({
    reason: `The type of an object must be one of ${TYPES.join(', ')}, not '${word.slice(0, 50)}'.`,
  });
}

const missing = (type: WatchedType, id: string) =>
  errors.RESOURCE_DOES_NOT_EXIST({ reason: `There is no ${type} with the id '${id.slice(0, 100)}'.` });

const isOf = ({ target }: Chain, type: WatchedType, metastore: Securable): boolean =>
  target.kind === type && target.metastore === metastore.id;

/** Finds an object that the caller may see. */
export async function findVisibleObject(call: PlatformCall, word: string, id: string): Promise<Chain> {
  const metastore = await metastoreIn(call);
  const type = typeNamed(word);
  const chain = await chainById(call.jar.store, id);
  if (!chain || !isOf(chain, type, metastore)) throw missing(type, id);
  requireVisible(call, chain);
  requireReachable(call, chain);
  return chain;
}

/** In a transaction: finds an object and locks it against removal and renaming. */
export async function lockObject(tx: Tx, metastore: Securable, word: string, id: string): Promise<Chain> {
  const type = typeNamed(word);
  const seen = await chainById(tx, id);
  if (!seen || !isOf(seen, type, metastore)) throw missing(type, id);
  const held = await findChain(tx, await metastoreNow(tx, metastore), type, fullNameOf(seen), { lock: 'share' });
  if (held.target.id !== id) throw missing(type, id);
  return held;
}

/** Runs an action on a monitored object in a transaction that locks it. The caller must manage the object. */
export async function withLockedObject<T>(
  call: PlatformCall,
  { object_type: type, object_id: id }: { readonly object_type: string; readonly object_id: string },
  action: (tx: Tx, chain: Chain, metastore: Securable) => Promise<T>,
): Promise<T> {
  const metastore = await metastoreIn(call);
  return call.jar.store.transact(async (tx) => {
    const chain = await lockObject(tx, metastore, type, id);
    requireVisible(call, chain);
    requireManager(call, chain);
    requireReachable(call, chain, { writes: true });
    return action(tx, chain, metastore);
  });
}
