import { armFacts, awaitOperation, type Operation, withPrefix } from '../../kernel/arm/index.ts';
import { type Answer, accepted } from '../../kernel/http/index.ts';
import { isoTime } from '../../kernel/time/index.ts';
import { armCode, type DataShareCall } from './jar.ts';
import { NAMESPACE } from './types.ts';

/** Each long-running operation of this provider has one URL, in the region of its resource. */
export function operationAddress(call: DataShareCall, { subscriptionId, location, id }: Operation): string {
  const { prefix, apiVersion } = armFacts(call);
  const provider = `/subscriptions/${subscriptionId}/providers/${withPrefix(NAMESPACE, prefix)}`;
  return `${call.origin}${provider}/locations/${location}/operationResults/${id}?api-version=${apiVersion}`;
}

/** 202 for a client that polls `Location`. */
export const accepted202 = (call: DataShareCall, operation: Operation): Answer =>
  accepted({ location: operationAddress(call, operation) });

/** Serves both polling protocols: 202 while the operation runs and 200 at its end, with a status document in the body. */
export const operationResult = armCode(['operationId'], {
  responses: { 200: 'Ended; the document has the result', 202: 'Still running' },
  async handle(call) {
    const operation = await awaitOperation(call, call.params.operationId);
    const { status, startTime, endTime, error } = operation;
    return {
      status: status === 'InProgress' ? 202 : 200,
      body: {
        startTime: isoTime(startTime),
        endTime: endTime === undefined ? null : isoTime(endTime),
        status,
        error: error ?? null,
      },
      ...(status === 'InProgress' && { headers: { location: operationAddress(call, operation) } }),
    };
  },
});
