import {
  groupPath,
  resourceGroups,
  resources,
  type Subscription,
  subscriptions,
  tagEntry,
} from '../../../kernel/arm/index.ts';
import type { Collection, Query, Reader } from '../../../kernel/store/index.ts';
import { type TagName, tagNames } from './collections.ts';

/** Documents per page. */
const PAGE = 500;

export interface NameUsage {
  readonly name: string;
  count: number;
  /** Number of uses per value. */
  readonly values: Map<string, number>;
}

/** The tag names of a subscription, by lower-case name: names that it has defined, and names in use on it, its groups and its resources. */
export async function usageOf(store: Reader, subscriptionId: string): Promise<ReadonlyMap<string, NameUsage>> {
  const usage = new Map<string, NameUsage>();
  const named = (name: string): NameUsage => {
    const key = name.toLowerCase();
    const found = usage.get(key) ?? { name, count: 0, values: new Map<string, number>() };
    usage.set(key, found);
    return found;
  };
  const defined = (each: TagName): void => {
    const { values } = named(each.tagName);
    for (const value of each.values) values.set(value, 0);
  };
  const used = ({ tags }: { readonly tags: Readonly<Record<string, string>> }): void => {
    for (const [name, value] of Object.entries(tags)) {
      const found = named(name);
      found.count++;
      found.values.set(value, (found.values.get(value) ?? 0) + 1);
    }
  };
  const key = subscriptionId.toLowerCase();
  await each(store, tagNames, { prefix: `${key}/` }, defined);
  const subscription = await store.get(subscriptions, key);
  if (subscription) used(subscription.value);
  await each(store, resourceGroups, { prefix: groupsOf(subscriptionId) }, used);
  await each(store, resources, { filter: { op: 'eq', field: 'subscription', value: key } }, used);
  return usage;
}

/** Number of uses of a tag name, or of a name with a value. */
export async function countOf(
  reader: Reader,
  { subscriptionId, tags }: Subscription,
  name: string,
  value?: string,
): Promise<number> {
  const has = { op: 'has', field: 'tags', value: tagEntry(name, value) } as const;
  const own = Object.entries(tags).some(
    ([each, is]) => each.toLowerCase() === name.toLowerCase() && (value === undefined || is === value),
  );
  const inSubscription = { op: 'eq', field: 'subscription', value: subscriptionId.toLowerCase() } as const;
  const groups = await reader.count(resourceGroups, { prefix: groupsOf(subscriptionId), filter: has });
  const others = await reader.count(resources, { filter: { op: 'and', args: [inSubscription, has] } });
  return (own ? 1 : 0) + groups + others;
}

const groupsOf = (subscriptionId: string): string => groupPath(subscriptionId, '').toLowerCase();

async function each<T>(
  store: Reader,
  collection: Collection<T>,
  query: Pick<Query, 'prefix' | 'filter'>,
  use: (document: T) => void,
): Promise<void> {
  let after: Query['after'];
  do {
    const page = await store.query(collection, { ...query, limit: PAGE, ...(after && { after }) });
    for (const { value } of page.items) use(value);
    after = page.next;
  } while (after);
}
