import { type ArmFacts, mayUseGroup, refusedAtGroup, withPrefix } from '../../kernel/arm/index.ts';
import { type Answer, type ApiError, accepted, ok } from '../../kernel/http/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import { awaitCommit, readCached, type Tx } from '../../kernel/store/index.ts';
import { DAY_MS } from '../../kernel/time/index.ts';
import { tenantOf } from './access.ts';
import { type GroupOperation, groupOperations, type OperationKind, operationKey } from './collections.ts';
import { groupErrors } from './errors.ts';
import { ancestorsOf, findGroup } from './tree.ts';
import { isOldVersion, NAMESPACE } from './types.ts';
import { groupView, headOf, preciseTime } from './view.ts';
import { FORGET, forgetItem } from './work.ts';

/** Creations and deletions continue after their answer. Clients poll them by group name, so a group has one operation of each kind. */

/** Maximum time that the answer to a poll is held back while the operation runs. */
const HELD_MS = 1000;

/** The real service sends 10. The jar finishes in milliseconds, and clients that honour the header should not sleep that long. */
const RETRY_AFTER_SECONDS = 1;

const isUnfinished = ({ status }: GroupOperation): boolean => status === 'NotStarted' || status === 'Running';

export async function beginOperation(
  tx: Tx,
  kind: OperationKind,
  start: Pick<GroupOperation, 'tenantId' | 'name' | 'by'>,
): Promise<string> {
  const key = operationKey(start.tenantId, kind, start.name);
  await tx.cancel(forgetItem(key));
  await tx.put(groupOperations, key, { ...start, status: 'NotStarted' });
  return key;
}

/** True while a group is being created or deleted. */
export async function isUnderWay(tx: Tx, kind: OperationKind, tenantId: string, name: string): Promise<boolean> {
  const stored = await tx.get(groupOperations, operationKey(tenantId, kind, name), 'none');
  return stored !== undefined && isUnfinished(stored.value);
}

/** Throws if the group is being created or deleted. */
export async function refuseUnderWay(tx: Tx, tenantId: string, name: string): Promise<void> {
  if (await isUnderWay(tx, 'create', tenantId, name)) throw groupErrors.Conflict__Creating({ group: name });
  if (await isUnderWay(tx, 'delete', tenantId, name)) throw groupErrors.Conflict__Deleting({ group: name });
}

export async function startOperation(tx: Tx, key: string): Promise<void> {
  const stored = await tx.get(groupOperations, key);
  if (stored?.value.status === 'NotStarted') await tx.put(groupOperations, key, { ...stored.value, status: 'Running' });
}

type End = Pick<GroupOperation, 'status' | 'made' | 'error'>;

export async function endOperation(tx: Tx, key: string, end: End, now: number): Promise<void> {
  const stored = await tx.get(groupOperations, key);
  if (!stored) return;
  await tx.put(groupOperations, key, { ...stored.value, ...end });
  await tx.schedule(FORGET.at(now + DAY_MS, { key }, forgetItem(key)));
}

export const failedWith = ({ status, code, message }: ApiError): End => ({
  status: 'Failed',
  error: { status, code, message },
});

/** The addresses of the status and of the result, with the api-version of the request. */
function pollHeaders(call: Pick<Call, 'origin'>, arm: ArmFacts, kind: OperationKind, name: string) {
  const base = `${call.origin}/providers/${withPrefix(NAMESPACE, arm.prefix)}/operationResults/${kind}`;
  const group = `managementGroups/${name}?api-version=${arm.apiVersion}`;
  return {
    ...(!isOldVersion(arm.apiVersion) && { 'azure-asyncoperation': `${base}/asyncOperation/status/${group}` }),
    location: `${base}/${group}`,
    'retry-after': String(RETRY_AFTER_SECONDS),
  };
}

/** The 202 answer to the request that started the operation. */
export const begunAnswer = (call: Pick<Call, 'origin'>, arm: ArmFacts, kind: OperationKind, name: string): Answer =>
  accepted(pollHeaders(call, arm, kind, name), { ...headOf(name, arm), status: 'NotStarted' });

type PollCall = Call<{ readonly groupId: string }>;

/** Always 200: the body has the status. */
export async function pollStatus(call: PollCall, arm: ArmFacts, kind: OperationKind): Promise<Answer> {
  const operation = await findEnded(call, kind);
  const headers = isUnfinished(operation) ? pollHeaders(call, arm, kind, operation.name) : undefined;
  return ok(operationView(call, operation), headers);
}

/** 202 while the operation runs; then the group, or the error of the operation. */
export async function pollResult(call: PollCall, arm: ArmFacts, kind: OperationKind): Promise<Answer> {
  const operation = await findEnded(call, kind);
  const view = isOldVersion(arm.apiVersion) ? await oldView(call, arm, operation) : operationView(call, operation);
  if (isUnfinished(operation)) return accepted(pollHeaders(call, arm, kind, operation.name), view);
  const { error } = operation;
  if (!error) return ok(view);
  const { status, code, message } = error;
  return { status, body: { error: { code, message, details: null } } };
}

/** Returns the operation; waits up to `HELD_MS` for its end. */
async function findEnded(call: PollCall, kind: OperationKind): Promise<GroupOperation> {
  const { store, closing } = call.jar;
  const { groupId: group } = call.params;
  const key = operationKey(tenantOf(call), kind, group);
  const find = async (): Promise<GroupOperation> => {
    const found = (await readCached(store, groupOperations, key))?.value;
    await requireInterest(call, found);
    if (!found) throw groupErrors.NotFound__Operation({ group });
    return found;
  };
  let operation = await find();
  if (!isUnfinished(operation)) return operation;
  await awaitCommit({ store, collection: groupOperations, ms: HELD_MS, signals: [closing, call.signal] }, async () => {
    operation = await find();
    return !isUnfinished(operation);
  });
  return operation;
}

/** Group names can be guessed, so an operation is visible only to its caller and to principals who may read the group. */
async function requireInterest(call: PollCall, operation: GroupOperation | undefined): Promise<void> {
  if (operation !== undefined && operation.by === call.caller?.objectId) return;
  const { groupId } = call.params;
  if (!(await mayUseGroup(call, groupId, 'read'))) throw refusedAtGroup(call, groupId);
}

/**
 * Older api-versions poll the group itself, with the status of the operation; when it has ended, the answer includes the group's place in
 * the tree.
 */
async function oldView(call: PollCall, arm: ArmFacts, { name, tenantId, status, made }: GroupOperation) {
  const head = { ...headOf(name, arm), status };
  const { store } = call.jar;
  const group = made && (await findGroup(store, tenantId, name));
  return group ? { ...head, properties: groupView(group, await ancestorsOf(store, group), arm).properties } : head;
}

function operationView(call: Pick<Call, 'path'>, { name, status, tenantId, made, by, error }: GroupOperation) {
  return {
    id: call.path,
    name,
    status,
    ...(made && {
      properties: {
        tenantId,
        displayName: made.displayName,
        details: { version: made.version, updatedTime: preciseTime(made.updatedAt), updatedBy: by },
      },
    }),
    ...(error && { error: { code: error.code, message: error.message } }),
  };
}
