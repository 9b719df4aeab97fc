import { control, dataOf } from './control.ts';
import { askService, type ServiceAnswer, type ServiceRequest } from './service.ts';

interface Subscriptions {
  readonly value: readonly { readonly subscriptionId: string }[];
}

const SUBSCRIPTIONS = '/subscriptions?api-version=2022-12-01';
const ADMINISTRATOR = 'admin';
const MOST_USERS = 200;

/** Users by the subscription in which they have a role; each tenant has its own. */
const callers = new Map<string, Promise<string>>();

/** A user who may call the management API in a subscription: the seeded administrator if possible. */
export function callerFor(subscriptionId: string): Promise<string> {
  const id = subscriptionId.toLowerCase();
  const known = callers.get(id);
  if (known) return known;
  const found = findCaller(id);
  callers.set(id, found);
  found.catch(() => callers.delete(id));
  return found;
}

async function findCaller(subscriptionId: string): Promise<string> {
  if (await sees(ADMINISTRATOR, subscriptionId)) return ADMINISTRATOR;
  const { value } = await dataOf(control.GET('/_jar/users', { params: { query: { $top: MOST_USERS } } }));
  for (const { id } of value) if (await sees(id, subscriptionId)) return id;
  // The management API says what is missing.
  return ADMINISTRATOR;
}

async function sees(user: string, subscriptionId: string): Promise<boolean> {
  const { body } = await askService<Subscriptions>(SUBSCRIPTIONS, { as: user });
  return body.value.some((each) => each.subscriptionId.toLowerCase() === subscriptionId);
}

/** Calls the management API as somebody who may see the subscription in the path. */
export async function askManagement<T>(path: string, request: ServiceRequest = {}): Promise<ServiceAnswer<T>> {
  const [, , subscriptionId = ''] = path.split(/[/?]/);
  return askService<T>(path, { ...request, as: request.as ?? (await callerFor(subscriptionId)) });
}
