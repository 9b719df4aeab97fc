import { createHash } from 'node:crypto';

/** All orders in which a subscription's zones can map to the physical zones of a region. */
const ORDERS = ['123', '132', '213', '231', '312', '321'] as const;

export const ZONES = ['1', '2', '3'] as const;
export type Zone = (typeof ZONES)[number];

/**
 * The physical zone of each zone of a subscription. The mapping differs between subscriptions and regions, so that not everybody's zone 1
 * is the same physical zone. It is derived from the subscription id and equal in all jars.
 */
export function physicalZones(subscriptionId: string, region: string): ReadonlyMap<Zone, string> {
  const [byte = 0] = createHash('sha256').update(`${subscriptionId}/${region}`.toLowerCase()).digest();
  const order = ORDERS[byte % ORDERS.length] as string;
  return new Map(ZONES.map((zone, at) => [zone, `${region}-az${order[at]}`]));
}
