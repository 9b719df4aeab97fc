import {
  endOperation,
  type ResourceGroup,
  recordOutcome,
  releaseResourceQuota,
  reserveResourceQuota,
  resourceGroups,
  resources,
  type Subscription,
  subscriptions,
} from '../../../kernel/arm/index.ts';
import { ApiError } from '../../../kernel/http/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx, WorkItem } from '../../../kernel/store/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { freeCounted, takeCounted } from '../counted.ts';
import { moveErrors } from './errors.ts';
import { type MovePlan, planMove } from './plan.ts';
import { MOVE_RESOURCES, type Move } from './work.ts';

/** A move is one transaction: after a crash it starts again, and no reader sees a partial move. */
export const moveResources = workHandler(MOVE_RESOURCES, async (item, jar: Jar) => {
  const { payload } = item;
  await jar.resourceHooks.readyToMove();
  try {
    await jar.store.transact(async (tx) => {
      if (payload.validateOnly) await validate(tx, payload, jar);
      else await move(tx, payload, jar);
      await finish(tx, item, payload, jar);
    });
  } catch (error) {
    // A refusal ends the operation; any other error is retried.
    if (!(error instanceof ApiError)) throw error;
    await jar.store.transact((tx) => finish(tx, item, payload, jar, error));
  }
});

async function validate(tx: Tx, payload: Move, jar: Jar): Promise<void> {
  const { problems } = await planOf(tx, payload, jar);
  if (problems.length > 0) throw moveErrors.ResourceMoveValidationFailed({}, { details: problems });
}

async function move(tx: Tx, payload: Move, jar: Jar): Promise<void> {
  const { moves, problems } = await planOf(tx, payload, jar);
  if (problems.length > 0) throw moveErrors.ResourceMoveFailed({ count: problems.length }, { details: problems });
  await releaseResourceQuota(
    tx,
    jar,
    moves.map(({ from }) => from),
  );
  for (const { from, to } of moves) {
    const { location = '', name } = to;
    if (from.subscriptionId !== to.subscriptionId) {
      await freeCounted(tx, from, jar);
      await takeCounted(tx, jar, to.type, { subscription: to.subscriptionId.toLowerCase(), region: location, name });
    }
    await reserveResourceQuota(tx, jar, to);
    await tx.delete(resources, from.id.toLowerCase());
    await tx.put(resources, to.id.toLowerCase(), { ...to, changedAt: jar.clock.now() });
  }
  for (const each of moves) await jar.resourceHooks.onMove(tx, each);
}

async function planOf(tx: Tx, { source, target, resources: ids }: Move, jar: Jar): Promise<MovePlan> {
  const from = await groupAt(tx, source);
  const to = await groupAt(tx, target);
  const sourceSubscription = from && (await subscriptionOf(tx, from));
  const targetSubscription = to && (await subscriptionOf(tx, to));
  // A group that was deleted in the meantime has no resources and cannot receive any.
  if (!sourceSubscription || !targetSubscription) throw moveErrors.ResourceMoveFailed({ count: ids.length });
  return planMove(tx, jar, { source: from, sourceSubscription, target: to, targetSubscription, resources: ids });
}

const subscriptionOf = async (tx: Tx, { subscriptionId }: ResourceGroup): Promise<Subscription | undefined> =>
  (await tx.get(subscriptions, subscriptionId.toLowerCase(), 'share'))?.value;

const groupAt = async (tx: Tx, key: string): Promise<ResourceGroup | undefined> =>
  (await tx.get(resourceGroups, key))?.value;

/** Ends the operation and unlocks both groups. */
async function finish(tx: Tx, item: WorkItem<unknown>, payload: Move, jar: Jar, error?: ApiError): Promise<void> {
  const { operation, origin, source, target, validateOnly } = payload;
  const now = jar.clock.now();
  if (!validateOnly) for (const key of [source, target].sort()) await release(tx, key, operation);
  const { code = '', message = '', details = [] } = error ?? {};
  const failure = { code, message, ...(details.length > 0 && { details }) };
  const end = error
    ? ({ status: 'Failed', error: failure } as const)
    : ({ status: 'Succeeded', result: null } as const);
  await endOperation(tx, operation, end, now);
  await recordOutcome(tx, origin, now, error ? 'Failed' : 'Succeeded', error && { code, message });
  await tx.complete(item);
}

async function release(tx: Tx, key: string, operation: string): Promise<void> {
  const group = await groupAt(tx, key);
  if (group?.move !== operation) return;
  const { move: _ended, ...kept } = group;
  await tx.put(resourceGroups, key, kept);
}
