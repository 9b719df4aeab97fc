import type { Tx } from '../../../kernel/store/index.ts';
import { byId } from '../catalog/core/chain.ts';
import type { SecurableKind } from '../catalog/core/kind.ts';
import type { Securable } from '../catalog/core/securables.ts';
import { textOf } from '../engine/json.ts';
import type { PlatformJar } from '../jar.ts';
import { type CentralRoom, centralRooms, type RoomStatus } from './collections.ts';
import { DROP_ROOM, dropId, provisionId } from './work.ts';

/** `extra` of a clean room's securable. */
export interface LocalRoom {
  /** The id of the central clean room. */
  readonly room: string;
  /** The alias of the metastore's collaborator. */
  readonly alias: string;
  /** The id of the output catalog. */
  readonly outputCatalog?: string;
}

export const localOf = ({ extra = {} }: Pick<Securable, 'extra'>): LocalRoom => {
  const outputCatalog = textOf(extra.outputCatalog);
  return {
    room: textOf(extra.room) ?? '',
    alias: textOf(extra.alias) ?? '',
    ...(outputCatalog !== undefined && { outputCatalog }),
  };
};

/** Clean rooms as securables: one in the metastore of each collaborator. */
export const CLEAN_ROOMS: SecurableKind = {
  type: 'clean_room',
  above: 'metastore',
  idField: 'id',
  limits: ['clean-rooms'],
  creates: 'CREATE_CLEAN_ROOM',
  renames: false,
  fields: { comment: { type: 'string', most: 65_536 } },
  changes: ['comment'],
  hooks: { removed: leaveRoom },
};

/**
 * Called when a collaborator deletes its clean room: the clean room ends for all collaborators, and its record is removed with the last of
 * them.
 */
async function leaveRoom(tx: Tx, { clock }: PlatformJar, local: Securable): Promise<void> {
  const { room, alias } = localOf(local);
  const central = (await tx.get(centralRooms, room))?.value;
  if (!central) return;
  const now = clock.now();
  const collaborators = central.collaborators.map((each) =>
    each.alias === alias ? { ...each, hasLeft: true as const } : each,
  );
  if (collaborators.every(({ hasLeft }) => hasLeft)) await tx.delete(centralRooms, room);
  else
    await tx.put(centralRooms, room, {
      ...central,
      collaborators,
      status: await statusAfter(tx, central, local),
      updatedAt: now,
    });
  if (isOver(central)) return;
  await tx.cancel(provisionId(room));
  await tx.schedule(DROP_ROOM.at(now, { room }, dropId(room)));
}

const isOver = ({ status }: CentralRoom): boolean => status === 'DELETED' || status === 'FAILED';

/** If a metastore is removed while the clean room is being set up, the setup has failed. */
async function statusAfter(tx: Tx, central: CentralRoom, { metastore }: Securable): Promise<RoomStatus> {
  if (central.status === 'PROVISIONING' && !(await byId(tx, metastore))) return 'FAILED';
  return central.status === 'FAILED' ? 'FAILED' : 'DELETED';
}
