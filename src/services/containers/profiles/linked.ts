import {
  allowedFromAbove,
  armFacts,
  covers,
  GATEWAY_FAILURE,
  type Resource,
  resourceKey,
  resources,
  roleAssignments,
  withPrefix,
} from '../../../kernel/arm/index.ts';
import { readCached } from '../../../kernel/store/index.ts';
import { containerErrors } from '../errors.ts';
import type { ContainersCall } from '../jar.ts';

export type LinkingCall = Pick<ContainersCall, 'caller' | 'facts' | 'jar'>;

/** A resource of the same subscription that a body refers to. For a caller without read access it does not exist. */
export async function linkedResource(call: LinkingCall, id: string, type: string): Promise<Resource | undefined> {
  const { store, config } = call.jar;
  refuseOtherSubscription(call, id, type);
  const key = resourceKey(id, config.namespace);
  const found = (await readCached(store, resources, key))?.value;
  const { subscription } = armFacts(call);
  if (found?.type !== type || found.subscriptionId !== subscription?.subscriptionId) return undefined;
  return (await mayRead(call, found.id)) ? found : undefined;
}

/** The gateway checks the subscription before the resource. */
function refuseOtherSubscription(call: LinkingCall, id: string, type: string): void {
  const { subscription, prefix } = armFacts(call);
  const [, linked] = /^\/?subscriptions\/([^/]+)\//i.exec(id) ?? [];
  if (!linked || !subscription || linked.toLowerCase() === subscription.subscriptionId.toLowerCase()) return;
  const action = `${withPrefix(type, prefix)}/read`;
  throw containerErrors.LinkedAuthorizationFailed(
    { action, tenant: subscription.tenantId, linked: linked.slice(0, 100) },
    { headers: GATEWAY_FAILURE },
  );
}

async function mayRead(call: LinkingCall, id: string): Promise<boolean> {
  const { store, config } = call.jar;
  const { caller } = call;
  const { subscription } = armFacts(call);
  if (!caller || !subscription) return false;
  const stored = await readCached(store, roleAssignments, caller.objectId.toLowerCase());
  const held = stored?.value.assignments ?? [];
  if (held.some(({ scope }) => covers(scope, id, config.namespace))) return true;
  return allowedFromAbove(store, held, subscription, 'read', config.namespace);
}
