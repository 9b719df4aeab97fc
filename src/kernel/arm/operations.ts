import type { ErrorDetail } from '../http/errors.ts';
import { type Answer, accepted, noContent, ok } from '../http/route.ts';
import { uuid } from '../ids/index.ts';
import { awaitCommit } from '../store/await-commit.ts';
import { collection } from '../store/collection.ts';
import { readCached } from '../store/read-cached.ts';
import type { Json, Tx } from '../store/types.ts';
import { defineWork } from '../work/kind.ts';
import type { Origin } from './changes.ts';
import { gatewayErrors } from './errors.ts';
import { subscriptionPath } from './ids.ts';
import { withPrefix } from './resource-view.ts';
import { type ArmCall, armFacts } from './route.ts';

/** Long-running operations: clients poll them after a 202, or after a 201 whose resource is not ready yet. */
export interface Operation {
  id: string;
  /** Absent for an operation that belongs to a tenant instead of a subscription. */
  subscriptionId?: string;
  tenantId?: string;
  namespace: string;
  location: string;
  status: 'InProgress' | 'Succeeded' | 'Failed' | 'Canceled';
  startTime: number;
  endTime?: number;
  percentComplete: number;
  /** Final body for clients that poll `Location`. */
  result?: Json;
  /**
   * Id of the resource that a provider's operation is about. Its status document then uses this as `id` and shows `step` and `properties`,
   * but neither the percentage nor the end time.
   */
  resourceId?: string;
  /** Provider-specific status while in progress, for example `Creating`. */
  step?: string;
  properties?: Json;
  error?: { code: string; message: string; details?: readonly ErrorDetail[] };
  /** False: no `Retry-After`, the client chooses the polling interval. */
  retryAfter?: false;
  /** The request that began it, for people; clients are not shown it. */
  requested?: Requested;
}

export interface Requested {
  /** `Vendor.Resources/subscriptions/resourceGroups/delete` */
  readonly operationName: string;
  /** The path of the request, without its query. */
  readonly resource: string;
  /** Name of the caller. */
  readonly by: string;
}

export const operations = collection<Operation>('arm.operations', { cached: true });

/** Time for which finished operations can be polled. */
export const OPERATION_RETENTION_MS = 24 * 3_600_000;

export const FORGET_OPERATION = defineWork<{ readonly id: string }>('arm.forget-operation', {
  title: 'Forgets a finished operation',
  subject: 'id',
});

/**
 * `Retry-After` of polls. The real gateway says 15 seconds; a jar finishes in milliseconds, and clients that honour the header should not
 * sleep so long.
 */
const RETRY_AFTER_SECONDS = 1;

/** Long polling: how long a poll waits for the end of a running operation. */
const HELD_MS = 1000;

export async function beginOperation(
  tx: Tx,
  {
    origin: { operationName, resourceUri: resource, caller },
    ...start
  }: Pick<
    Operation,
    'subscriptionId' | 'tenantId' | 'namespace' | 'location' | 'resourceId' | 'step' | 'properties' | 'retryAfter'
  > & {
    readonly origin: Origin;
  },
  now: number,
): Promise<Operation> {
  const operation: Operation = {
    ...start,
    id: uuid(),
    status: 'InProgress',
    startTime: now,
    percentComplete: 0,
    requested: { operationName, resource, by: caller.name },
  };
  await tx.put(operations, operation.id, operation, { ifNoneMatch: '*' });
  return operation;
}

export async function progressOperation(tx: Tx, id: string, percentComplete: number): Promise<void> {
  const stored = await tx.get(operations, id);
  if (stored?.value.status === 'InProgress') await tx.put(operations, id, { ...stored.value, percentComplete });
}

/** Updates the progress that polls show; ignored after the operation has ended. */
export async function describeOperation(
  tx: Tx,
  id: string,
  course: Pick<Operation, 'step' | 'properties'>,
): Promise<void> {
  const stored = await tx.get(operations, id);
  if (stored?.value.status === 'InProgress') await tx.put(operations, id, { ...stored.value, ...course });
}

/** Ends the operation; ignored if it has ended already. */
export async function endOperation(
  tx: Tx,
  id: string,
  end: Pick<Operation, 'status' | 'result' | 'properties' | 'error'>,
  now: number,
): Promise<void> {
  const stored = await tx.get(operations, id);
  if (stored?.value.status !== 'InProgress') return;
  const percentComplete = end.status === 'Succeeded' ? 100 : stored.value.percentComplete;
  await tx.put(operations, id, { ...stored.value, ...end, endTime: now, percentComplete });
  await tx.schedule(FORGET_OPERATION.at(now + OPERATION_RETENTION_MS, { id }, `forget:${id}`));
}

export interface OperationHeaderOptions {
  /** The api-version for polling; by default that of the call. */
  readonly apiVersion?: string;
  /** False omits `Retry-After` for the first poll. */
  readonly retryAfter?: boolean;
  /** Path segment for operations in the provider's URLs; `operations` by default. */
  readonly segment?: string;
  /** The URL has the id in upper case, as with some providers; polls accept any case. */
  readonly isUpperCase?: boolean;
  /** URLs of global operations have no location. */
  readonly globalIsBare?: boolean;
}

/** `Azure-AsyncOperation` is the URL of the status document, `Location` that of the final response; both are absolute. */
export function operationHeaders(
  call: ArmCall,
  operation: Operation,
  which: 'location' | 'status' | 'both',
  {
    apiVersion,
    retryAfter = true,
    segment = 'operations',
    isUpperCase = false,
    globalIsBare = false,
  }: OperationHeaderOptions = {},
): Record<string, string> {
  const version = apiVersion ?? armFacts(call).apiVersion;
  const { subscriptionId } = operation;
  const base = `${call.origin}${subscriptionId === undefined ? '' : subscriptionPath(subscriptionId)}`;
  const namespace = withPrefix(operation.namespace, armFacts(call).prefix);
  const id = isUpperCase ? operation.id.toUpperCase() : operation.id;
  const place = globalIsBare && operation.location === 'global' ? '' : `/locations/${operation.location}`;
  const status = `${base}/providers/${namespace}${place}/${segment}/${id}?api-version=${version}`;
  const result = `${base}/operationresults/${operation.id}?api-version=${version}`;
  return {
    ...(which !== 'location' && { 'azure-asyncoperation': status }),
    ...(which !== 'status' && { location: result }),
    ...(retryAfter && { 'retry-after': String(RETRY_AFTER_SECONDS) }),
  };
}

/** Returns the operation, and waits briefly for its end: a client that is told to wait loses a second or two. */
export async function awaitOperation(call: ArmCall, id: string): Promise<Operation> {
  let operation = await find(call, id);
  if (operation.status !== 'InProgress') return operation;
  const { store, closing } = call.jar;
  const waiting = { store, collection: operations, ms: HELD_MS, signals: [closing, call.signal] };
  await awaitCommit(waiting, async () => {
    operation = await find(call, id);
    return operation.status !== 'InProgress';
  });
  return operation;
}

async function find(call: ArmCall, id: string): Promise<Operation> {
  const stored = await readCached(call.jar.store, operations, id.toLowerCase());
  if (!stored || !isOwn(call, stored.value)) throw gatewayErrors.OperationNotFound({ operation: id });
  return stored.value;
}

/** Whether the operation belongs to the subscription in the path, or to the caller's tenant if the path has no subscription. */
function isOwn({ params, caller }: ArmCall, { subscriptionId, tenantId }: Operation): boolean {
  if (subscriptionId?.toLowerCase() !== params.subscriptionId?.toLowerCase()) return false;
  return subscriptionId !== undefined || (tenantId !== undefined && tenantId === caller?.tenantId);
}

export async function operationStatus(call: ArmCall, id: string): Promise<Answer> {
  const operation = await awaitOperation(call, id);
  const { status, resourceId, step, startTime, endTime, percentComplete, error, result } = operation;
  const running = status === 'InProgress';
  const properties = operation.properties ?? result;
  return ok(
    {
      id: resourceId === undefined ? call.url.split('?', 1)[0] : withPrefix(resourceId, armFacts(call).prefix),
      ...(resourceId === undefined && { name: operation.id }),
      status: running ? (step ?? status) : status,
      startTime: new Date(startTime).toISOString(),
      ...(resourceId === undefined && {
        ...(endTime !== undefined && { endTime: new Date(endTime).toISOString() }),
        percentComplete,
      }),
      ...(properties !== undefined && { properties }),
      ...(error && { error }),
    },
    running && operation.retryAfter !== false ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : undefined,
  );
}

export async function operationResult(call: ArmCall, id: string): Promise<Answer> {
  const operation = await awaitOperation(call, id);
  if (operation.status === 'InProgress') {
    const { retryAfter } = operation;
    return accepted(operationHeaders(call, operation, 'location', retryAfter === false ? { retryAfter } : {}));
  }
  if (operation.error) return { status: 409, body: { error: operation.error } };
  return operation.result === undefined
    ? { status: 200 }
    : operation.result === null
      ? noContent()
      : ok(operation.result);
}
