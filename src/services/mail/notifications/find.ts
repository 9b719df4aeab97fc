import type { Caller } from '../../../kernel/auth/index.ts';
import { allOf, eq, type Filter, type Reader, type Stored } from '../../../kernel/store/index.ts';
import { subscriptions } from '../collections.ts';
import { errors } from '../errors.ts';
import type { MailJar } from '../jar.ts';
import type { SubscriptionCall } from './request.ts';
import { checkRight } from './resource.ts';
import type { Subscription } from './types.ts';

const READ_ALL = 'subscription.read.all';

/**
 * Filter for the subscriptions that a token reaches. A user's token reaches those that the user created with the same application; an
 * application's own token reaches all that the application created. With `Subscription.Read.All`, a user lists those of all applications,
 * and an administrator those of the whole tenant.
 */
export async function reachable(caller: Caller, { directory }: Pick<MailJar, 'directory'>): Promise<Filter> {
  const tenant = eq('tenant', caller.tenantId.toLowerCase());
  const application = eq('application', caller.applicationId.toLowerCase());
  const creator = eq('creator', caller.objectId.toLowerCase());
  if (caller.kind === 'application') return allOf(tenant, application);
  const readsAll = caller.scopes.some((scope) => scope.toLowerCase() === READ_ALL);
  if (!readsAll) return allOf(tenant, application, creator);
  const isAdministrator = (await directory.findUser(caller.objectId))?.attributes.administrator === true;
  return isAdministrator ? tenant : allOf(tenant, creator);
}

/** The subscription that the path names, if the caller may reach it and read the watched items. */
export async function findSubscription(
  { caller, params, jar }: SubscriptionCall,
  reader: Reader,
  operation: string,
): Promise<Stored<Subscription>> {
  const id = (params.id ?? '').toLowerCase();
  const stored = await reader.get(subscriptions, id);
  if (!stored || stored.value.expiresAt <= jar.clock.now() || !isReachable(caller, stored.value))
    throw errors.ResourceNotFound__Subscription({ id: id.slice(0, 100) });
  checkRight(caller, stored.value.item, operation);
  return stored;
}

function isReachable({ kind, tenantId, applicationId, objectId }: Caller, subscription: Subscription): boolean {
  const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
  return (
    same(tenantId, subscription.tenantId) &&
    same(applicationId, subscription.applicationId) &&
    (kind === 'application' || same(objectId, subscription.creatorId))
  );
}
