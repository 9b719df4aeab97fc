import { endOperation, type Origin, type Resource, recordOutcome, resources } from '../../../kernel/arm/index.ts';
import { type ContainerStatus, type EngineName, NO_STATUS } from '../../../kernel/engines/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { histories, type Runtime, removals, runtimes, type Transition } from '../collections.ts';
import { containerErrors } from '../errors.ts';
import { syncWork } from './sync-work.ts';

/** The caller who requests a deployment, and the operation that they poll. */
export interface Asked {
  readonly origin: Origin;
  readonly operation?: string;
  readonly isFromPool?: true;
}

/** Deploys a new group. The caller writes the resource, with the provisioning state of the returned runtime. */
export async function deployNew(
  tx: Tx,
  jar: Jar,
  group: { readonly key: string; readonly resourceId: string; readonly engine: EngineName },
  asked: Asked,
): Promise<Runtime> {
  const now = jar.clock.now();
  const runtime: Runtime = {
    uid: uuid(),
    resourceId: group.resourceId,
    engine: group.engine,
    wanted: 'Running',
    generation: 1,
    keepSandbox: false,
    transition: { kind: 'create', startedAt: now, ...asked },
    provisioningState: 'Pending',
    state: 'Pending',
    status: NO_STATUS,
  };
  await tx.put(runtimes, group.key, runtime);
  await tx.wake(syncWork(runtime.uid, group.key, now));
  return runtime;
}

/** Redeploys a group after a change, after a stop or for a restart. */
export async function redeploy(
  tx: Tx,
  jar: Jar,
  key: string,
  before: Runtime,
  kind: 'update' | 'start' | 'restart',
  asked: Asked,
): Promise<Runtime> {
  const now = jar.clock.now();
  const inPlace = before.wanted === 'Running' && before.status.sandbox === 'ready' && before.state !== 'Stopped';
  const fresh = !inPlace || (kind === 'update' && hasEnded(before));
  const runtime: Runtime = {
    ...before,
    wanted: 'Running',
    generation: before.generation + 1,
    keepSandbox: !fresh,
    transition: { kind, startedAt: now, ...asked },
    provisioningState: fresh ? 'Pending' : 'Updating',
    state: fresh ? 'Pending' : before.state,
  };
  await abandon(tx, before, now, kind);
  await tx.put(runtimes, key, runtime);
  await tx.wake(syncWork(runtime.uid, key, now));
  return runtime;
}

export async function stop(tx: Tx, jar: Jar, key: string, before: Runtime, asked: Asked): Promise<Runtime> {
  const now = jar.clock.now();
  const transition: Transition = { kind: 'stop', startedAt: now, ...asked };
  const runtime: Runtime = { ...before, wanted: 'Stopped', transition };
  await abandon(tx, before, now, 'stop');
  await tx.put(runtimes, key, runtime);
  await tx.wake(syncWork(runtime.uid, key, now));
  return runtime;
}

/** Called in the transaction that deletes the resource. Work then removes the group from its engine, however long that takes. */
export async function forgetGroup(tx: Tx, jar: Jar, key: string): Promise<Runtime | undefined> {
  const stored = await tx.get(runtimes, key);
  if (!stored) return undefined;
  const { uid, resourceId, engine } = stored.value;
  await abandon(tx, stored.value, jar.clock.now(), 'delete');
  await tx.delete(runtimes, key);
  await tx.delete(histories, key);
  await tx.put(removals, uid, { uid, resourceId, engine });
  await tx.wake(syncWork(uid, key, jar.clock.now()));
  return stored.value;
}

/** Cancels the running transition and its operation, so that clients that poll it get an end. */
async function abandon(tx: Tx, { transition }: Runtime, now: number, by: string): Promise<void> {
  if (!transition) return;
  const { kind, operation, origin } = transition;
  const error = { code: 'OperationPreempted', message: `The ${kind} was cancelled by a later ${by}.` };
  if (operation) await endOperation(tx, operation, { status: 'Canceled', error }, now);
  await recordOutcome(tx, origin, now, 'Canceled', error);
}

/** Ended by its restart policy, not by a stop. */
export const hasEnded = ({ state }: Runtime): boolean => state === 'Succeeded' || state === 'Failed';

/**
 * True if a change is in progress, so that other changes are refused. False while containers that cannot be started wait for the next
 * attempt: the real service would refuse a deletion for half an hour then, which helps nobody who has mistyped an image.
 */
export function isTransitioning({ transition, status, generation }: Runtime): boolean {
  if (!transition) return false;
  const waits = ({ retryAt }: ContainerStatus): boolean => retryAt !== undefined;
  return status.generation !== generation || ![...status.init, ...status.containers].some(waits);
}

export function refuseWhileTransitioning(name: string, runtime: Runtime | undefined): void {
  if (!runtime || !isTransitioning(runtime)) return;
  throw containerErrors.ContainerGroupTransitioning({ name, what: runtime.transition?.kind ?? '' });
}

/** Copies the provisioning state and the address from the runtime to the resource, where lists read them. */
export async function copyStateToResource(tx: Tx, key: string, runtime: Runtime): Promise<void> {
  const stored = await tx.get(resources, key);
  if (!stored) return;
  const shown = withRuntime(stored.value, runtime);
  if (shown !== stored.value) await tx.put(resources, key, shown);
}

function withRuntime(resource: Resource, { provisioningState, status }: Runtime): Resource {
  const address = resource.properties.ipAddress as { ip?: string } | undefined;
  const ip = status.ip;
  if (resource.properties.provisioningState === provisioningState && (!address || address.ip === ip)) return resource;
  const ipAddress = address && { ...address, ip };
  return {
    ...resource,
    properties: { ...resource.properties, provisioningState, ...(ipAddress && { ipAddress }) },
  };
}
