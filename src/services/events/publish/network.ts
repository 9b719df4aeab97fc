import { isIPv4, isIPv6 } from 'node:net';
import type { EventsCall } from '../jar.ts';
import { publishErrors } from './errors.ts';
import type { Plan } from './plan.ts';

const MAPPED = '::ffff:';

/** Throws if the topic's network settings do not allow the caller's address. */
export function checkNetwork(call: EventsCall, plan: Plan, endpoint: string): void {
  if (plan.isPrivate) {
    const reason = 'public network access to it is disabled, and there are no private endpoints here.';
    throw publishErrors.Forbidden({ endpoint, reason });
  }
  if (!plan.addresses) return;
  const { remoteAddress } = call;
  const address = remoteAddress.startsWith(MAPPED) ? remoteAddress.slice(MAPPED.length) : remoteAddress;
  const isAllowed =
    (isIPv4(address) && plan.addresses.check(address, 'ipv4')) ||
    (isIPv6(address) && plan.addresses.check(address, 'ipv6'));
  if (isAllowed) return;
  throw publishErrors.Forbidden({ endpoint, reason: `its inbound IP rules do not allow the address ${address}.` });
}
