import { Type } from 'typebox';
import {
  gatewayErrors,
  isGuid,
  normalLocation,
  REGIONS,
  type Subscription,
  subscriptions,
} from '../../../kernel/arm/index.ts';
import { ok, type Route } from '../../../kernel/http/index.ts';
import { armRoute, type Call } from '../../../kernel/service/index.ts';
import { readCached } from '../../../kernel/store/index.ts';
import { gatewayApiErrors } from '../errors.ts';
import { physicalZones, ZONES } from '../locations/zones.ts';

const MOST_SUBSCRIPTIONS = 100;

const text = Type.String();
const Peer = Type.Object({ subscriptionId: text, availabilityZone: text });

/** Reports which zones of other subscriptions are the same physical zones as those of this subscription. */
export const zonePeerRoutes: readonly Route[] = [
  armRoute({
    method: 'POST',
    path: '/subscriptions/{subscriptionId}/providers/Vendor.Resources/checkZonePeers',
    operation: 'Subscriptions_CheckZonePeers',
    summary: 'Compares the availability zones of subscriptions in a region',
    action: 'Vendor.Resources/checkZonePeers/action',
    // A read: a subscription with a read-only lock may call it.
    effect: 'read',
    body: Type.Object({ location: text, subscriptionIds: Type.Array(text) }),
    responses: {
      200: Type.Object({
        subscriptionId: text,
        location: text,
        availabilityZonePeers: Type.Array(Type.Object({ availabilityZone: text, peers: Type.Array(Peer) })),
      }),
    },
    async handle(call, arm) {
      const { subscriptionId } = arm.subscription as Subscription;
      const location = zonedRegion(call.body.location);
      const others = await peersOf(call, call.body.subscriptionIds);
      const own = physicalZones(subscriptionId, location);
      const availabilityZonePeers = ZONES.map((zone) => ({
        availabilityZone: zone,
        peers: others.map((other) => {
          const theirs = [...physicalZones(other, location)].find(([, physical]) => physical === own.get(zone));
          return { subscriptionId: other, availabilityZone: theirs?.[0] ?? zone };
        }),
      }));
      return ok({ subscriptionId, location, availabilityZonePeers });
    },
  }),
];

function zonedRegion(sent: string): string {
  const name = normalLocation(sent);
  if (REGIONS.some((region) => region.name === name && region.zones)) return name;
  const locations = REGIONS.flatMap((region) => (region.zones ? [region.name] : [])).join(',');
  throw gatewayApiErrors.LocationWithoutZones({ location: sent, locations }, { target: 'location' });
}

/** Clients write ids or `subscriptions/{id}`. A subscription of another tenant gets the same error as a missing one. */
async function peersOf({ jar, caller }: Pick<Call, 'jar' | 'caller'>, sent: readonly string[]): Promise<string[]> {
  const target = 'subscriptionIds';
  if (sent.length > MOST_SUBSCRIPTIONS)
    throw gatewayApiErrors.TooManySubscriptions({ count: sent.length, maximum: MOST_SUBSCRIPTIONS }, { target });
  const ids: string[] = [];
  for (const each of sent) {
    const subscription = each.replace(/^\/?subscriptions\//i, '');
    if (!isGuid(subscription)) throw gatewayErrors.InvalidSubscriptionId({ subscription }, { target });
    const found = (await readCached(jar.store, subscriptions, subscription.toLowerCase()))?.value;
    if (!found || found.tenantId !== caller?.tenantId)
      throw gatewayErrors.SubscriptionNotFound({ subscription }, { target });
    ids.push(found.subscriptionId);
  }
  return ids;
}
