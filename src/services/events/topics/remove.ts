import {
  type AnyArmCode,
  idOf,
  type OperationHeaderOptions,
  type Resource,
  type ResourceHead,
  resources,
} from '../../../kernel/arm/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { acceptDeletion, DELETION_RESPONSES } from '../deletion.ts';
import { armCode, type EventsJar } from '../jar.ts';
import { POLLING } from '../versions.ts';

/** DELETE of a tracked resource of this provider, with everything that belongs to it. */
export const removeOf = (
  kind: ResourceHead,
  forget: (tx: Tx, resource: Resource, jar: EventsJar) => Promise<void>,
  polling: OperationHeaderOptions = POLLING,
): AnyArmCode =>
  armCode(['subscriptionId', 'resourceGroupName', 'resourceName'], {
    responses: DELETION_RESPONSES,
    handle: (call, arm) =>
      acceptDeletion(
        call,
        arm,
        async (tx) => {
          const key = idOf(kind, call.params, arm).toLowerCase();
          const resource = (await tx.get(resources, key))?.value;
          if (!resource) return undefined;
          await forget(tx, resource, call.jar);
          await tx.delete(resources, key);
          return { location: resource.location ?? 'global' };
        },
        polling,
      ),
  });
