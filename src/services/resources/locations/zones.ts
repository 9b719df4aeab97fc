import { createHash } from 'node:crypto';

/** Zone numbers of a subscription, in order, as the numbers of the zones in the region. */
const ORDERS = ['123', '132', '213', '231', '312', '321'] as const;

export const ZONES = ['1', '2', '3'] as const;
export type Zone = (typeof ZONES)[number];

/**
 * The physical zone behind each zone of a subscription. Every subscription has an order of its own in each region, so that the first zone
 * of all of them is not the same; it follows from the id, and is the same in every jar.
 */
export function physicalZones(subscriptionId: string, region: string): ReadonlyMap<Zone, string> {
  const [byte = 0] = createHash('sha256').update(`${subscriptionId}/${region}`.toLowerCase()).digest();
  const order = ORDERS[byte % ORDERS.length] as string;
  return new Map(ZONES.map((zone, at) => [zone, `${region}-az${order[at]}`]));
}
