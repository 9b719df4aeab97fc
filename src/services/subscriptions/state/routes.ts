import { Type } from 'typebox';
import { readBody } from '../../../kernel/arm/body/index.ts';
import { mutate, queryValue, resources, type Subscription, subscriptions } from '../../../kernel/arm/index.ts';
import { ok, type Route } from '../../../kernel/http/index.ts';
import { eq, type Tx } from '../../../kernel/store/index.ts';
import { subscriptionErrors } from '../errors.ts';
import { fields, requiredName, wording } from '../fields.ts';
import { armRoute, type SubscriptionsCall } from '../jar.ts';
import { NAMESPACE } from '../names.ts';
import { VERSIONS } from '../version-table.ts';
import { requestCancellation, requestEnabling } from './transitions.ts';

const Changed = Type.Object({ subscriptionId: Type.String() });
const RENAME_BODY = fields.object({ subscriptionName: requiredName() });

/** Common part of the three routes. They concern the subscription itself, so they work while it is disabled. */
const common = (name: 'cancel' | 'enable' | 'rename') =>
  ({
    method: 'POST',
    action: `${NAMESPACE}/${name}/action`,
    resourceType: `${NAMESPACE}/${name}`,
    versions: VERSIONS.of(name),
    ofSubscription: true,
    responses: { 200: Changed },
  }) as const;

const SCOPE = `/subscriptions/{subscriptionId}/providers/${NAMESPACE}` as const;

export const stateRoutes: readonly Route[] = [
  armRoute({
    ...common('cancel'),
    endsSubscription: true,
    path: `${SCOPE}/cancel`,
    operation: 'Subscription_Cancel',
    summary: 'Cancels a subscription; its state follows by the clock',
    async handle(call, arm) {
      const ignoresResources = queryValue(call, 'ignoreresourcecheck')?.toLowerCase() === 'true';
      return change(call, arm.subscription, async (tx, subscription) => {
        requireActive(subscription);
        if (!ignoresResources) await requireNoResources(tx, subscription);
        await requestCancellation(tx, call, subscription);
      });
    },
  }),
  armRoute({
    ...common('enable'),
    path: `${SCOPE}/enable`,
    operation: 'Subscription_Enable',
    summary: 'Enables a cancelled subscription; its state follows by the clock',
    handle: (call, arm) =>
      change(call, arm.subscription, async (tx, subscription) => {
        const { state, subscriptionId } = subscription;
        if (state === 'Deleted')
          throw subscriptionErrors.SubscriptionNotActive({ subscription: subscriptionId, state });
        await requestEnabling(tx, call, subscription);
      }),
  }),
  armRoute({
    ...common('rename'),
    path: `${SCOPE}/rename`,
    operation: 'Subscription_Rename',
    summary: 'Renames a subscription',
    body: RENAME_BODY.schema(),
    handle(call, arm) {
      const reading = readBody(RENAME_BODY, call.body, { context: { aliases: call.jar.config.namespace }, wording });
      reading.mistakes.throwAny();
      const { subscriptionName: displayName } = reading.value;
      return change(call, arm.subscription, async (tx, subscription, key) => {
        await tx.put(subscriptions, key, { ...subscription, displayName });
      });
    },
  }),
];

/** Runs a change on the subscription as read in the transaction. */
async function change(
  call: SubscriptionsCall,
  found: Subscription | undefined,
  action: (tx: Tx, subscription: Subscription, key: string) => Promise<void>,
) {
  const id = found?.subscriptionId ?? '';
  await mutate(call, async (tx) => {
    const key = id.toLowerCase();
    const current = (await tx.get(subscriptions, key))?.value;
    if (!current) throw subscriptionErrors.SubscriptionNotFound({ subscription: id });
    await action(tx, current, key);
  });
  return ok({ subscriptionId: id });
}

const ACTIVE: ReadonlySet<Subscription['state']> = new Set(['Enabled', 'PastDue']);

function requireActive({ subscriptionId: subscription, state }: Subscription): void {
  if (!ACTIVE.has(state)) throw subscriptionErrors.SubscriptionNotActive({ subscription, state });
}

async function requireNoResources(tx: Tx, { subscriptionId: subscription }: Subscription): Promise<void> {
  const count = await tx.count(resources, { filter: eq('subscription', subscription.toLowerCase()) });
  if (count > 0) throw subscriptionErrors.SubscriptionHasResources({ subscription, count });
}
