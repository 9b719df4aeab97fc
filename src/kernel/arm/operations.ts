import type { ErrorDetail } from '../http/errors.ts';
import { type Answer, accepted, noContent, ok } from '../http/route.ts';
import { uuid } from '../ids/index.ts';
import { awaitCommit } from '../store/await-commit.ts';
import { collection } from '../store/collection.ts';
import { readThrough } from '../store/read-through.ts';
import type { Json, Tx } from '../store/types.ts';
import { defineWork } from '../work/kind.ts';
import { gatewayErrors } from './errors.ts';
import { subscriptionPath } from './ids.ts';
import { withPrefix } from './resource-view.ts';
import { type ArmCall, armFacts } from './route.ts';

/** Long-running operations: what clients poll after a 202, or after a 201 whose resource is not ready yet. */
export interface Operation {
  id: string;
  /** Absent for what is in no subscription: such an operation belongs to a tenant. */
  subscriptionId?: string;
  tenantId?: string;
  namespace: string;
  location: string;
  status: 'InProgress' | 'Succeeded' | 'Failed' | 'Canceled';
  startTime: number;
  endTime?: number;
  percentComplete: number;
  /** The final body for those who poll `Location`. */
  result?: Json;
  /**
   * What it is about. The status document of a provider's operation names the resource as its `id`, and tells of its course in
   * `step` and `properties` rather than in percent, and never when it has ended.
   */
  resourceId?: string;
  /** How far it is, in the provider's own word, while it is in progress: `Creating`. */
  step?: string;
  properties?: Json;
  error?: { code: string; message: string; details?: readonly ErrorDetail[] };
  /** False: the provider leaves the pace of polls to the client. */
  retryAfter?: false;
}

export const operations = collection<Operation>('arm.operations', { cached: true });

/** Finished operations can be asked about for this long. */
export const OPERATION_RETENTION_MS = 24 * 3_600_000;

export const FORGET_OPERATION = defineWork<{ readonly id: string }>('arm.forget-operation');

/**
 * How long a client is told to wait before it asks again. The real gateway says 15 seconds; a jar is done in milliseconds, and
 * clients that honour the header should not sleep through that.
 */
const RETRY_AFTER_SECONDS = 1;

/** How long the answer to a poll is held back while the operation is under way. */
const HELD_MS = 1000;

export async function beginOperation(
  tx: Tx,
  start: Pick<
    Operation,
    'subscriptionId' | 'tenantId' | 'namespace' | 'location' | 'resourceId' | 'step' | 'properties' | 'retryAfter'
  >,
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

/** Tells those who poll how far it is; after its end nothing is told any more. */
export async function describeOperation(
  tx: Tx,
  id: string,
  course: Pick<Operation, 'step' | 'properties'>,
): Promise<void> {
  const stored = await tx.get(operations, id);
  if (stored?.value.status === 'InProgress') await tx.put(operations, id, { ...stored.value, ...course });
}

/** Ends it, once; a later end is ignored. */
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
  /** The api-version to poll with; the caller's own unless given. */
  readonly apiVersion?: string;
  /** False leaves the pace of the first poll to the client. */
  readonly retryAfter?: boolean;
  /** How the provider's addresses call an operation; `operations` unless given. */
  readonly segment?: string;
  /** Its id is in upper case in them, as some providers have it; any case will do to poll it. */
  readonly isUpperCase?: boolean;
  /** The addresses of global operations have no location. */
  readonly globalIsBare?: boolean;
}

/** `Azure-AsyncOperation` for the status document, `Location` for the final answer; both absolute. */
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

/** The operation, at its end if that comes soon: a client that is told to wait loses a whole second or two. */
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
  const stored = await readThrough(call.jar.store, operations, id.toLowerCase());
  if (!stored || !isOwn(call, stored.value)) throw gatewayErrors.OperationNotFound({ operation: id });
  return stored.value;
}

/** Of the subscription in the path, or of the caller's tenant where the path has none. */
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
