import type { Jar } from '../../kernel/service/index.ts';
import { workHandler } from '../../kernel/work/index.ts';
import { groupOperations } from './collections.ts';
import { FORGET } from './work.ts';

/** Deletes an operation one day after its end. */
export const forgetOperation = workHandler(FORGET, (item, { store }: Jar) =>
  store.transact(async (tx) => {
    await tx.delete(groupOperations, item.payload.key);
    await tx.complete(item);
  }),
);
