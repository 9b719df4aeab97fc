import {
  type ArmFacts,
  beginOperation,
  endOperation,
  type Operation,
  type OperationHeaderOptions,
  operationHeaders,
  originOf,
  recordOutcome,
} from '../../kernel/arm/index.ts';
import { type Answer, accepted, noContent } from '../../kernel/http/index.ts';
import type { Tx } from '../../kernel/store/index.ts';
import type { EventsCall } from './jar.ts';
import { ownerOf } from './subscriptions/place.ts';
import { NAMESPACE, POLLING } from './versions.ts';

/** Responses of routes that use `acceptDeletion`. */
export const DELETION_RESPONSES = { 202: 'Accepted', 204: 'There is none' } as const;

/**
 * Answers a deletion that is complete when it is answered: 202 with the addresses of its operation and its result, for clients that poll,
 * or 204 if the resource does not exist. `remove` returns the location of the deleted resource.
 */
export async function acceptDeletion(
  call: EventsCall,
  arm: ArmFacts,
  remove: (tx: Tx) => Promise<{ readonly location: string } | undefined>,
  polling: OperationHeaderOptions = POLLING,
): Promise<Answer> {
  const { jar } = call;
  const origin = originOf(call);
  const operation = await jar.store.transact(async (tx): Promise<Operation | undefined> => {
    const deleted = await remove(tx);
    if (!deleted) return undefined;
    const now = jar.clock.now();
    const { location } = deleted;
    const about = { ...ownerOf(arm), namespace: NAMESPACE, location, origin };
    const begun = await beginOperation(tx, about, now);
    await endOperation(tx, begun.id, { status: 'Succeeded' }, now);
    await recordOutcome(tx, origin, now, 'Succeeded');
    return begun;
  });
  arm.recorded = true;
  if (!operation) return noContent();
  const headers = operationHeaders(call, operation, 'status', polling);
  const status = headers['azure-asyncoperation'] ?? '';
  return accepted({ ...headers, location: status.replace(POLLING.segment, 'operationResults') });
}
