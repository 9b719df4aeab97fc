import type { Tx } from '../../../kernel/store/index.ts';
import { byId } from '../catalog/core/chain.ts';
import type { SecurableKind } from '../catalog/core/kind.ts';
import type { Securable } from '../catalog/core/securables.ts';
import { textOf } from '../engine/json.ts';
import type { PlatformJar } from '../jar.ts';
import { type CentralRoom, centralRooms, type RoomStatus } from './collections.ts';
import { DROP_ROOM, dropId, provisionId } from './work.ts';

/** What a clean room in a metastore keeps beside its fields. */
export interface LocalRoom {
  /** The id of the central clean room. */
  readonly room: string;
  /** As which collaborator the metastore takes part. */
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

/** Clean rooms as their collaborators see them: one in the metastore of each. */
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

/** One collaborator has left: the clean room is over for all, and its record goes with the last of them. */
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

/** Where a metastore is removed before the clean room was ever set up, that has failed. */
async function statusAfter(tx: Tx, central: CentralRoom, { metastore }: Securable): Promise<RoomStatus> {
  if (central.status === 'PROVISIONING' && !(await byId(tx, metastore))) return 'FAILED';
  return central.status === 'FAILED' ? 'FAILED' : 'DELETED';
}
