import {
  beginOperation,
  endOperation,
  type Operation,
  operationHeaders,
  originOf,
  recordOutcome,
} from '../../../kernel/arm/index.ts';
import { accepted, noContent } from '../../../kernel/http/index.ts';
import { armCode } from '../jar.ts';
import { NAMESPACE, POLLING } from '../versions.ts';
import { ownerOf, PARAMS, placeOf } from './place.ts';
import { removeSubscription } from './remove.ts';
import { heldSubscription } from './transitions.ts';

/** It is gone with the answer; the operation is there for clients that poll. */
export const remove = armCode(PARAMS, {
  responses: { 202: 'Accepted', 204: 'There is none' },
  async handle(call, arm) {
    const { jar } = call;
    const place = placeOf(call, arm);
    const origin = originOf(call);
    const operation = await jar.store.transact(async (tx): Promise<Operation | undefined> => {
      const subscription = await heldSubscription(tx, place.key);
      if (!subscription) return undefined;
      const now = jar.clock.now();
      await removeSubscription(tx, jar, subscription);
      const { location } = subscription;
      const begun = await beginOperation(tx, { ...ownerOf(arm), namespace: NAMESPACE, location }, now);
      await endOperation(tx, begun.id, { status: 'Succeeded' }, now);
      await recordOutcome(tx, origin, now, 'Succeeded');
      return begun;
    });
    arm.recorded = true;
    if (!operation) return noContent();
    const headers = operationHeaders(call, operation, 'status', POLLING);
    return accepted({
      ...headers,
      location: headers['azure-asyncoperation']!.replace(POLLING.segment, 'operationResults'),
    });
  },
});
