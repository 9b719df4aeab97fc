import type { NewChange, Tx } from '../store/types.ts';
import { groupsUpFrom, isRootGroup } from './hierarchy.ts';
import { callPath } from './ids.ts';
import { type ArmCall, armFacts, armTraits } from './route.ts';

/** Who requested what. Stored with work that finishes later, so that its change record names the original request. */
export type Origin = {
  readonly operationName: string;
  readonly effect: 'write' | 'delete' | 'action';
  readonly resourceUri: string;
  readonly subscriptionId?: string;
  readonly tenantId: string;
  /** Name of the management group that the operation is about, or at whose scope it acts. */
  readonly managementGroup?: string;
  /**
   * Names of the groups above that one, nearest first. By default they are looked up when the record is written; passed if the group no
   * longer exists by then.
   */
  readonly managementGroups?: readonly string[];
  readonly correlationId: string;
  readonly caller: {
    readonly objectId: string;
    readonly name: string;
    readonly applicationId: string;
    readonly kind: string;
  };
  readonly claims: { readonly [name: string]: string };
  readonly httpRequest: {
    readonly clientRequestId: string;
    readonly clientIpAddress: string;
    readonly method: string;
    readonly url: string;
  };
};

export function originOf(call: ArmCall): Origin {
  const { action, effect } = armTraits(call);
  const { caller } = call;
  const clientRequestId = call.headers['x-ms-client-request-id'];
  const group = armFacts(call).managementGroup;
  const claims: Record<string, string> = {};
  for (const [name, value] of Object.entries(caller?.claims ?? {})) claims[name] = String(value);
  return {
    operationName: action,
    effect: effect === 'read' ? 'action' : effect,
    resourceUri: callPath(call),
    subscriptionId: armFacts(call).subscription?.subscriptionId,
    tenantId: caller?.tenantId ?? '',
    ...(group && { managementGroup: group.name }),
    correlationId: call.correlationId,
    caller: {
      objectId: caller?.objectId ?? '',
      name: caller?.name ?? '',
      applicationId: caller?.applicationId ?? '',
      kind: caller?.kind ?? 'user',
    },
    claims,
    httpRequest: {
      clientRequestId: typeof clientRequestId === 'string' ? clientRequestId : call.requestId,
      clientIpAddress: call.remoteAddress,
      method: call.method,
      url: call.origin + call.url,
    },
  };
}

export type Outcome = NewChange['outcome'];

/** Content of the change record of a management operation. */
export type ManagementRecord = Origin & {
  readonly resourceProvider: string;
  readonly status: Outcome;
  readonly error?: { readonly code: string; readonly message: string };
};

const SOURCE = 'management';

/** Throws if the change was written by another source, since a follower may receive changes of several sources. */
export function managementRecordOf({ source, data }: NewChange): ManagementRecord {
  if (source !== SOURCE) throw new Error(`a change of '${source}' is not a management operation`);
  return data as ManagementRecord;
}

/** Writes the change record of a management operation, in the transaction of the operation. */
export async function recordOutcome(
  tx: Tx,
  origin: Origin,
  at: number,
  outcome: Outcome,
  error?: { code: string; message: string },
): Promise<void> {
  const namespace = origin.operationName.split('/')[0] ?? '';
  const above = origin.managementGroups ?? (await groupsAbove(tx, origin));
  const data: ManagementRecord = {
    ...origin,
    ...(above && { managementGroups: above }),
    resourceProvider: namespace,
    status: outcome,
    ...(error && { error }),
  };
  await tx.change({ source: SOURCE, kind: origin.effect, subject: origin.resourceUri, outcome, at, data });
}

/** Stored with the record, because followers read it later, when groups may have been moved or deleted. */
async function groupsAbove(tx: Tx, { tenantId, managementGroup }: Origin): Promise<readonly string[] | undefined> {
  if (managementGroup === undefined) return undefined;
  if (isRootGroup(tenantId, managementGroup)) return [];
  const chain = await groupsUpFrom((collection, key) => tx.get(collection, key, 'none'), tenantId, managementGroup);
  return [...(chain ?? []).slice(1).map(({ name }) => name), tenantId];
}

/** Runs a management write: `body` and the change record commit together. */
export async function mutate<R>(call: ArmCall, body: (tx: Tx) => Promise<R>): Promise<R> {
  const origin = originOf(call);
  const result = await call.jar.store.transact(async (tx) => {
    const value = await body(tx);
    await recordOutcome(tx, origin, call.jar.clock.now(), 'Succeeded');
    return value;
  });
  armFacts(call).recorded = true;
  return result;
}
