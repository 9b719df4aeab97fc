import type { Jar } from '../../kernel/service/index.ts';
import { handleWork } from '../../kernel/work/index.ts';
import { groupOperations } from './collections.ts';
import { FORGET } from './work.ts';

/** Operations can be polled for a day after their end. */
export const forgetOperation = handleWork(FORGET, (item, { store }: Jar) =>
  store.transact(async (tx) => {
    await tx.delete(groupOperations, item.payload.key);
    await tx.complete(item);
  }),
);
