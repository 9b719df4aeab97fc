import type { Reader, Tx } from '../../../kernel/store/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import { requireReachable, requireSight } from '../catalog/core/access.ts';
import { type Chain, findChain, fullNameOf } from '../catalog/core/chain.ts';
import { metastoreIn, metastoreNow } from '../catalog/core/metastore.ts';
import type { Securable } from '../catalog/core/securables.ts';
import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import { type CentralRoom, centralRooms, type RoomStatus } from './collections.ts';
import { localOf } from './kind.ts';

/** A clean room as one of its collaborators has it. */
export interface Room {
  readonly chain: Chain;
  /** Absent where all that is left is the securable. */
  readonly central: CentralRoom | undefined;
  /** The collaborator. */
  readonly alias: string;
}

export interface ActiveRoom extends Room {
  readonly central: CentralRoom;
}

export const statusOf = ({ central }: Pick<Room, 'central'>): RoomStatus => central?.status ?? 'DELETED';

/** Whatever its state is, and whoever asks. A transaction that changes it holds the securable before the central record, as a deletion does. */
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

/** One that the caller is shown: `BROWSE` is enough. */
export async function seeRoom(call: PlatformCall, name: string): Promise<Room> {
  const room = await findRoom(call.jar.store, await metastoreIn(call), name);
  requireSight(call, room.chain, { browse: true });
  requireReachable(call, room.chain);
  return room;
}

const REMEDIES: Readonly<Partial<Record<RoomStatus, string>>> = {
  DELETED: 'a collaborator has deleted it; it can only be deleted',
  FAILED: 'it could not be set up; it can only be deleted',
};

/** Throws unless the clean room can be used. */
export function requireActive(room: Room): ActiveRoom {
  const { central, chain } = room;
  const status = statusOf(room);
  if (central && status === 'ACTIVE') return { ...room, central };
  const remedy = REMEDIES[status] ?? 'it can be used once it is ACTIVE';
  throw errors.INVALID_STATE({ reason: `The clean room '${fullNameOf(chain)}' is ${status}: ${remedy}.` });
}

/** One that is active and that the caller is shown. */
export const seeActive = async (call: PlatformCall, name: string): Promise<ActiveRoom> =>
  requireActive(await seeRoom(call, name));

/** Changes something of an active clean room, whose central record is held meanwhile. `require` decides who may, before the body is read. */
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

/** Some clients wrap what they send in its name (`{"asset": {…}}`), others do not. */
export function unwrapped(body: unknown, name: string): unknown {
  const wrapped = isObject(body) && Object.hasOwn(body, name) ? body[name] : undefined;
  return wrapped === undefined || wrapped === null ? (body ?? {}) : wrapped;
}
