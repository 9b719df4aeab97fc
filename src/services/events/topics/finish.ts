import {
  armFacts,
  beginOperation,
  endOperation,
  type Operation,
  type Origin,
  type Resource,
  recordOutcome,
  resources,
  type Subscription,
} from '../../../kernel/arm/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import type { EventsCall, EventsJar } from '../jar.ts';
import { NAMESPACE } from '../versions.ts';
import { FINISH } from './work.ts';

interface Written {
  readonly key: string;
  readonly location: string;
  readonly createdAt: number;
  readonly origin: Origin;
}

/** Begins a write that the answer shows as running; the work that ends it is due at once. */
export async function beginWrite(
  tx: Tx,
  call: EventsCall,
  { key, location, createdAt, origin }: Written,
): Promise<Operation> {
  const now = call.jar.clock.now();
  const { subscriptionId } = armFacts(call).subscription as Subscription;
  const about = { subscriptionId, location, namespace: NAMESPACE, origin };
  const operation = await beginOperation(tx, about, now);
  const written = { key, createdAt, operation: operation.id, origin };
  await tx.schedule(FINISH.at(now, written, `events-topic:${operation.id}`));
  return operation;
}

/** Ends a write: its state, its operation and its change record. */
export const finishWrite = workHandler(FINISH, (item, jar: EventsJar) =>
  jar.store.transact(async (tx) => {
    const { key, createdAt, operation, origin } = item.payload;
    const now = jar.clock.now();
    const resource = (await tx.get(resources, key))?.value;
    if (resource?.createdAt === createdAt) {
      if (isUnderWay(resource)) await tx.put(resources, key, succeeded(resource));
      await endOperation(tx, operation, { status: 'Succeeded' }, now);
      await recordOutcome(tx, origin, now, 'Succeeded');
    } else {
      const error = { code: 'OperationPreempted', message: 'The write was cancelled by a later delete.' };
      await endOperation(tx, operation, { status: 'Canceled', error }, now);
      await recordOutcome(tx, origin, now, 'Canceled', error);
    }
    await tx.complete(item);
  }),
);

const isUnderWay = ({ properties }: Resource): boolean => properties.provisioningState !== 'Succeeded';

const succeeded = (resource: Resource): Resource => ({
  ...resource,
  properties: { ...resource.properties, provisioningState: 'Succeeded' },
});
