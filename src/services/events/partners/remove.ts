import {
  type AnyArmCode,
  beginOperation,
  endOperation,
  idOf,
  mutate,
  operationHeaders,
  originOf,
  type ResourceHead,
  releaseResourceQuota,
  resources,
} from '../../../kernel/arm/index.ts';
import { accepted, noContent } from '../../../kernel/http/index.ts';
import { armCode } from '../jar.ts';
import { NAMESPACE, POLLING } from '../versions.ts';
import { lockTarget } from './lock.ts';

const PARAMS = ['subscriptionId', 'resourceGroupName', 'resourceName'] as const;

/**
 * DELETE that is complete when it is answered, with an empty body: 200, or 202 with an operation for clients that poll; 204 if the resource
 * does not exist.
 */
export const removeOf = (head: ResourceHead, status: 200 | 202): AnyArmCode =>
  armCode(PARAMS, {
    responses: { [status]: 'Deleted', 204: 'There is none' },
    async handle(call, arm) {
      const { jar } = call;
      const key = idOf(head, call.params, arm).toLowerCase();
      const operation = await mutate(call, async (tx) => {
        await lockTarget(tx, key);
        const resource = (await tx.get(resources, key))?.value;
        if (!resource) return undefined;
        const { subscriptionId, location = '' } = resource;
        const now = jar.clock.now();
        await head.onDelete?.(tx, resource, jar);
        await tx.delete(resources, key);
        await releaseResourceQuota(tx, jar, [resource]);
        if (status === 200) return 'done';
        const about = { subscriptionId, location, namespace: NAMESPACE, origin: originOf(call) };
        const begun = await beginOperation(tx, about, now);
        await endOperation(tx, begun.id, { status: 'Succeeded' }, now);
        return begun;
      });
      if (!operation) return noContent();
      if (operation === 'done') return { status };
      const headers = operationHeaders(call, operation, 'status', POLLING);
      const location = headers['azure-asyncoperation']?.replace(POLLING.segment, 'operationResults') ?? '';
      return accepted({ ...headers, location });
    },
  });
