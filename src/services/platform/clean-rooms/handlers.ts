import { deletionSteps } from '../../../kernel/store/index.ts';
import { runInSteps, workHandler } from '../../../kernel/work/index.ts';
import type { PlatformJar } from '../jar.ts';
import { approvalRules, revisionContents, revisions, roomAssets } from './collections.ts';
import { provision } from './rooms.ts';
import { expireRun } from './running/expire.ts';
import { finishNotebook } from './running/finish.ts';
import { slotsHaveChanged } from './running/slots-changed.ts';
import { DROP_ROOM, PROVISION_ROOM } from './work.ts';

const provisionRoom = workHandler(PROVISION_ROOM, (item, jar: PlatformJar) =>
  jar.store.transact(async (tx) => {
    await tx.complete(item);
    await provision(tx, jar, item.payload.room);
  }),
);

/** Removes the content of a deleted clean room, which can no longer be found by name. Records of runs expire separately. */
const dropRoom = workHandler(DROP_ROOM, async (item, jar: PlatformJar, halt) => {
  const query = { prefix: `${item.payload.room}/` };
  const finish = async (): Promise<boolean> => {
    await jar.store.transact((tx) => tx.complete(item));
    return false;
  };
  await runInSteps(item, jar, halt, [
    deletionSteps(jar.store, revisionContents, { ...query, limit: 20 }),
    deletionSteps(jar.store, revisions, query),
    deletionSteps(jar.store, roomAssets, query),
    deletionSteps(jar.store, approvalRules, query),
    finish,
  ]);
});

export const CLEAN_ROOM_HANDLERS = [provisionRoom, dropRoom, finishNotebook, expireRun, slotsHaveChanged];
