import { type Origin, recordOutcome } from '../../../kernel/arm/changes.ts';
import { type Resource, resources, type Subscription } from '../../../kernel/arm/collections.ts';
import { beginOperation, endOperation, type Operation } from '../../../kernel/arm/operations.ts';
import { armFacts } from '../../../kernel/arm/route.ts';
import type { Call } from '../../../kernel/http/route.ts';
import type { Json, Tx } from '../../../kernel/store/types.ts';
import type { LegacyWork } from '../../../kernel/whole-service.ts';
import { NAMESPACE } from '../versions.ts';
import { FINISH } from './work.ts';

interface Payload {
  readonly key: string;
  /** The resource that was written: one that was made anew under its name is another. */
  readonly createdAt: number;
  readonly operation: string;
  readonly origin: Origin;
}

interface Written {
  readonly key: string;
  readonly location: string;
  readonly createdAt: number;
  readonly origin: Origin;
}

/** A write that is answered as under way; the work that ends it is due at once. */
export async function beginWrite(
  tx: Tx,
  call: Call,
  { key, location, createdAt, origin }: Written,
): Promise<Operation> {
  const now = call.jar.clock.now();
  const { subscriptionId } = armFacts(call).subscription as Subscription;
  const operation = await beginOperation(tx, { subscriptionId, location, namespace: NAMESPACE }, now);
  const payload: Payload = { key, createdAt, operation: operation.id, origin };
  const id = `events-topic:${operation.id}`;
  await tx.schedule({ id, kind: FINISH, dueAt: now, payload: payload as unknown as Json });
  return operation;
}

/** State, operation and record of a write, at its end. */
export const finishWrite: Pick<LegacyWork, 'run'> = {
  run: (item, jar) =>
    jar.store.transact(async (tx) => {
      const { key, createdAt, operation, origin } = item.payload as unknown as Payload;
      const now = jar.clock.now();
      const resource = (await tx.get(resources, key))?.value;
      if (resource?.createdAt === createdAt) {
        if (isUnderWay(resource)) await tx.put(resources, key, succeeded(resource));
        await endOperation(tx, operation, { status: 'Succeeded' }, now);
        await recordOutcome(tx, origin, now, 'Succeeded');
      } else {
        const error = { code: 'OperationPreempted', message: 'The write was given up for a later delete.' };
        await endOperation(tx, operation, { status: 'Canceled', error }, now);
        await recordOutcome(tx, origin, now, 'Canceled', error);
      }
      await tx.complete(item);
    }),
};

const isUnderWay = ({ properties }: Resource): boolean => properties.provisioningState !== 'Succeeded';

const succeeded = (resource: Resource): Resource => ({
  ...resource,
  properties: { ...resource.properties, provisioningState: 'Succeeded' },
});
