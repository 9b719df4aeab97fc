import type { Resource } from '../../../kernel/arm/index.ts';
import { readAll, type Tx } from '../../../kernel/store/index.ts';
import { instancesOf, poolInstances } from './collections.ts';
import { fillWorkId } from './work.ts';

/** Called in the transaction that deletes the pool. Groups that were created from it stay. */
export async function forgetPool(tx: Tx, { id }: Resource): Promise<void> {
  const key = id.toLowerCase();
  const instances = await readAll(tx, poolInstances, { prefix: instancesOf(key) });
  for (const instance of instances) await tx.delete(poolInstances, instance.key);
  await tx.cancel(fillWorkId(key));
}
