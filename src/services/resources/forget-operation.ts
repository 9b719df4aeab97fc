import { FORGET_OPERATION, operations } from '../../kernel/arm/index.ts';
import type { Jar } from '../../kernel/service/index.ts';
import { workHandler } from '../../kernel/work/index.ts';

/** Deletes an operation, of any management service, when its polling period is over. */
export const forgetOperation = workHandler(FORGET_OPERATION, async (item, { store }: Jar) => {
  await store.transact(async (tx) => {
    await tx.delete(operations, item.payload.id);
    await tx.complete(item);
  });
});
