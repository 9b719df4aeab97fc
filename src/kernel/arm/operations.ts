import { type Answer, accepted, type Call, noContent, ok } from '../http/route.ts';
import { uuid } from '../ids.ts';
import { collection } from '../store/collection.ts';
import type { Json, Tx } from '../store/types.ts';
import { gatewayErrors } from './errors.ts';
import { readThrough } from './read-through.ts';

/** Long-running operations: what clients poll after a 202, or after a 201 whose resource is not ready yet. */
export interface Operation {
  id: string;
  subscriptionId: string;
  namespace: string;
  location: string;
  status: 'InProgress' | 'Succeeded' | 'Failed' | 'Canceled';
  startTime: number;
  endTime?: number;
  percentComplete: number;
  /** The final body for those who poll `Location`. */
  result?: Json;
  error?: { code: string; message: string };
}

export const operations = collection<Operation>('arm.operations', { cached: true });

/** Finished operations can be asked about for this long. */
export const OPERATION_RETENTION_MS = 24 * 3_600_000;

export const FORGET_OPERATION = 'arm.forget-operation';

/**
 * How long a client is told to wait before it asks again. The real gateway says 15 seconds; a jar is done in milliseconds, and
 * clients that honour the header should not sleep through that.
 */
const RETRY_AFTER_SECONDS = 1;

export async function beginOperation(
  tx: Tx,
  start: Pick<Operation, 'subscriptionId' | 'namespace' | 'location'>,
  now: number,
): Promise<Operation> {
  const operation: Operation = { ...start, id: uuid(), status: 'InProgress', startTime: now, percentComplete: 0 };
  await tx.put(operations, operation.id, operation, { ifNoneMatch: '*' });
  return operation;
}

export async function progressOperation(tx: Tx, id: string, percentComplete: number): Promise<void> {
  const stored = await tx.get(operations, id);
  if (stored?.value.status === 'InProgress') await tx.put(operations, id, { ...stored.value, percentComplete });
}

/** Ends it, once; a later end is ignored. */
export async function endOperation(
  tx: Tx,
  id: string,
  end: Pick<Operation, 'status' | 'result' | 'error'>,
  now: number,
): Promise<void> {
  const stored = await tx.get(operations, id);
  if (stored?.value.status !== 'InProgress') return;
  const percentComplete = end.status === 'Succeeded' ? 100 : stored.value.percentComplete;
  await tx.put(operations, id, { ...stored.value, ...end, endTime: now, percentComplete });
  await tx.schedule({
    id: `forget:${id}`,
    kind: FORGET_OPERATION,
    dueAt: now + OPERATION_RETENTION_MS,
    payload: { id },
  });
}

/** `Azure-AsyncOperation` for the status document, `Location` for the final answer; both absolute. */
export function operationHeaders(
  call: Call,
  operation: Operation,
  which: 'location' | 'status' | 'both',
): Record<string, string> {
  const version = String(call.query['api-version'] ?? '');
  const base = `${call.origin}/subscriptions/${operation.subscriptionId}`;
  const status = `${base}/providers/${operation.namespace}/locations/${operation.location}/operations/${operation.id}?api-version=${version}`;
  const result = `${base}/operationresults/${operation.id}?api-version=${version}`;
  return {
    ...(which !== 'location' && { 'azure-asyncoperation': status }),
    ...(which !== 'status' && { location: result }),
    'retry-after': String(RETRY_AFTER_SECONDS),
  };
}

async function find(call: Call, id: string): Promise<Operation> {
  const stored = await readThrough(call.jar.store, operations, id.toLowerCase());
  if (stored?.value.subscriptionId.toLowerCase() !== call.params.subscriptionId?.toLowerCase()) {
    throw gatewayErrors.OperationNotFound({ operation: id });
  }
  return (stored as { value: Operation }).value;
}

export async function operationStatus(call: Call, id: string): Promise<Answer> {
  const operation = await find(call, id);
  const { status, startTime, endTime, percentComplete, error, result } = operation;
  const running = status === 'InProgress';
  return ok(
    {
      id: call.url.split('?', 1)[0],
      name: operation.id,
      status,
      startTime: new Date(startTime).toISOString(),
      ...(endTime !== undefined && { endTime: new Date(endTime).toISOString() }),
      percentComplete,
      ...(result !== undefined && { properties: result }),
      ...(error && { error }),
    },
    running ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : undefined,
  );
}

export async function operationResult(call: Call, id: string): Promise<Answer> {
  const operation = await find(call, id);
  if (operation.status === 'InProgress') return accepted(operationHeaders(call, operation, 'location'));
  if (operation.error) return { status: 409, body: { error: operation.error } };
  return operation.result === undefined
    ? { status: 200 }
    : operation.result === null
      ? noContent()
      : ok(operation.result);
}
