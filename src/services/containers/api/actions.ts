import {
  type ArmFacts,
  beginOperation,
  gatewayErrors,
  groupPath,
  type Operation,
  operationHeaders,
  originOf,
  type Resource,
  resources,
} from '../../../kernel/arm/index.ts';
import { type Answer, accepted, noContent } from '../../../kernel/http/index.ts';
import { awaitCommit, type Tx } from '../../../kernel/store/index.ts';
import { type Runtime, runtimes } from '../collections.ts';
import { armCode, type ContainersCall } from '../jar.ts';
import {
  copyStateToResource,
  hasEnded,
  isTransitioning,
  redeploy,
  refuseWhileTransitioning,
  stop,
} from '../runtime/transitions.ts';
import { recentlyDeletedError } from './recently-deleted.ts';
import { NAMESPACE, OPERATION_POLLING, CONTAINER_GROUP_TYPE as TYPE } from './versions.ts';

/** The answer to a stop waits until the group is stopped; after this long the answer is 202. */
const LONGEST_WAIT_FOR_STOP_MS = 60_000;

interface Found {
  readonly key: string;
  readonly resource: Resource;
  readonly runtime: Runtime;
}

const GROUP_PARAMS = ['resourceGroupName', 'containerGroupName'] as const;

type GroupCall = ContainersCall<Readonly<Record<(typeof GROUP_PARAMS)[number], string>>>;

export const start = armCode(GROUP_PARAMS, {
  async handle(call, arm): Promise<Answer> {
    const operation = await act(call, arm, async (tx, { key, resource, runtime }) => {
      if (isUp(runtime)) return undefined;
      refuseWhileTransitioning(resource.name, runtime);
      return deploy(tx, call, { key, resource, runtime }, 'start');
    });
    return operation ? accepted(operationHeaders(call, operation, 'location', OPERATION_POLLING)) : noContent();
  },
});

export const restart = armCode(GROUP_PARAMS, {
  async handle(call, arm): Promise<Answer> {
    const operation = await act(call, arm, async (tx, found) => {
      refuseWhileTransitioning(found.resource.name, found.runtime);
      return deploy(tx, call, found, 'restart');
    });
    return noContent(operationHeaders(call, operation, 'status', OPERATION_POLLING));
  },
});

export const stopGroup = armCode(GROUP_PARAMS, {
  async handle(call, arm): Promise<Answer> {
    const going = await act(call, arm, async (tx, { key, resource, runtime }) => {
      if (isDown(runtime)) return undefined;
      refuseWhileTransitioning(resource.name, runtime);
      const operation = await begin(tx, call, resource);
      const { generation } = await stop(tx, call.jar, key, runtime, {
        origin: originOf(call),
        operation: operation.id,
      });
      return { key, generation, operation };
    });
    if (!going) return noContent();
    const { store, closing } = call.jar;
    const waiting = { store, collection: runtimes, ms: LONGEST_WAIT_FOR_STOP_MS, signals: [closing, call.signal] };
    const isDone = await awaitCommit(waiting, async () => {
      const now = (await store.get(runtimes, going.key))?.value;
      return now?.generation !== going.generation || isDown(now);
    });
    if (isDone) return noContent();
    return accepted(operationHeaders(call, going.operation, 'location', OPERATION_POLLING));
  },
});

const isDown = (runtime: Runtime): boolean =>
  runtime.transition === undefined && (runtime.wanted === 'Stopped' || hasEnded(runtime));

/** True if the group runs or is being started. */
function isUp(runtime: Runtime): boolean {
  const { wanted, transition } = runtime;
  if (wanted !== 'Running') return false;
  if (!transition) return !hasEnded(runtime);
  return transition.kind === 'create' || transition.kind === 'start' || !isTransitioning(runtime);
}

/** Runs `body` in one transaction. The change record of an action that continues after the answer is written when the action ends. */
async function act<R>(call: GroupCall, arm: ArmFacts, body: (tx: Tx, found: Found) => Promise<R>): Promise<R> {
  const result = await call.jar.store.transact(async (tx) => body(tx, await find(tx, call, arm)));
  arm.recorded = true;
  return result;
}

async function find(tx: Tx, call: GroupCall, arm: ArmFacts): Promise<Found> {
  const { resourceGroupName, containerGroupName: name } = call.params;
  const group = arm.group?.name ?? resourceGroupName;
  const key = `${groupPath(arm.subscription?.subscriptionId ?? '', group)}/providers/${TYPE}/${name}`.toLowerCase();
  // No shared lock: two callers that hold one and then both write would deadlock.
  const resource = (await tx.get(resources, key))?.value;
  const runtime = (await tx.get(runtimes, key))?.value;
  if (!resource || !runtime) {
    throw (await recentlyDeletedError(tx, key, name)) ?? gatewayErrors.ResourceNotFound({ type: TYPE, name, group });
  }
  return { key, resource, runtime };
}

async function deploy(tx: Tx, call: GroupCall, found: Found, kind: 'start' | 'restart'): Promise<Operation> {
  const { key, resource, runtime } = found;
  const operation = await begin(tx, call, resource);
  const asked = { origin: originOf(call), operation: operation.id };
  await copyStateToResource(tx, key, await redeploy(tx, call.jar, key, runtime, kind, asked));
  return operation;
}

function begin(tx: Tx, call: GroupCall, { id, subscriptionId, location = '' }: Resource): Promise<Operation> {
  const about = { subscriptionId, location, namespace: NAMESPACE, resourceId: id, retryAfter: false } as const;
  return beginOperation(tx, { ...about, origin: originOf(call) }, call.jar.clock.now());
}
