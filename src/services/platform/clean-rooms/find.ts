import type { Reader, Tx } from '../../../kernel/store/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import { requireReachable, requireVisible } from '../catalog/core/access.ts';
import { type Chain, findChain, fullNameOf } from '../catalog/core/chain.ts';
import { metastoreIn, metastoreNow } from '../catalog/core/metastore.ts';
import type { Securable } from '../catalog/core/securables.ts';
import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import { type CentralRoom, centralRooms, type RoomStatus } from './collections.ts';
import { localOf } from './kind.ts';

/** A clean room from the perspective of one collaborator. */
export interface Room {
  readonly chain: Chain;
  /** Absent if only the securable is left. */
  readonly central: CentralRoom | undefined;
  /** Alias of the collaborator. */
  readonly alias: string;
}

export interface ActiveRoom extends Room {
  readonly central: CentralRoom;
}

export const statusOf = ({ central }: Pick<Room, 'central'>): RoomStatus => central?.status ?? 'DELETED';

/**
 * Finds a clean room in any state, without checking the caller's access. A transaction that changes the clean room locks the securable
 * before the central record, like a deletion.
 */
export async function findRoom(
  reader: Reader,
  metastore: Securable,
  name: string,
  lock: 'none' | 'update' = 'none',
): Promise<Room> {
  const chain = await findChain(reader, metastore, 'clean_room', name, { lock });
  const { room, alias } = localOf(chain.target);
  return { chain, central: (await reader.get(centralRooms, room, lock))?.value, alias };
}

/** Finds a clean room that the caller may see: `BROWSE` is enough. */
export async function seeRoom(call: PlatformCall, name: string): Promise<Room> {
  const room = await findRoom(call.jar.store, await metastoreIn(call), name);
  requireVisible(call, room.chain, { browse: true });
  requireReachable(call, room.chain);
  return room;
}

const REMEDIES: Readonly<Partial<Record<RoomStatus, string>>> = {
  DELETED: 'a collaborator has deleted it; it can only be deleted',
  FAILED: 'it could not be set up; it can only be deleted',
};

/** Throws unless the clean room is active. */
export function requireActive(room: Room): ActiveRoom {
  const { central, chain } = room;
  const status = statusOf(room);
  if (central && status === 'ACTIVE') return { ...room, central };
  const remedy = REMEDIES[status] ?? 'it can be used when it is ACTIVE';
  throw errors.INVALID_STATE({ reason: `The clean room '${fullNameOf(chain)}' is ${status}: ${remedy}.` });
}

/** Finds an active clean room that the caller may see. */
export const seeActive = async (call: PlatformCall, name: string): Promise<ActiveRoom> =>
  requireActive(await seeRoom(call, name));

/** Changes an active clean room while its central record is locked. `require` checks the caller before the body is validated. */
export async function changeRoom<R>(
  call: PlatformCall,
  name: string,
  require: (chain: Chain) => void,
  change: (tx: Tx, room: ActiveRoom) => Promise<R>,
): Promise<R> {
  const metastore = await metastoreIn(call);
  return call.jar.store.transact(async (tx) => {
    const room = await findRoom(tx, await metastoreNow(tx, metastore), name, 'update');
    require(room.chain);
    requireReachable(call, room.chain, { writes: true });
    return change(tx, requireActive(room));
  });
}

/** Some clients wrap the body in a member (`{"asset": {…}}`), others do not. */
export function unwrapped(body: unknown, name: string): unknown {
  const wrapped = isObject(body) && Object.hasOwn(body, name) ? body[name] : undefined;
  return wrapped === undefined || wrapped === null ? (body ?? {}) : wrapped;
}
