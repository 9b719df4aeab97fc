import { expect, it } from 'vitest';
import { openSqlite } from '../../../../src/kernel/store/sqlite/store.ts';
import type { Store } from '../../../../src/kernel/store/types.ts';
import { type EventSubscription, eventSubscriptions } from '../../../../src/services/events/collections.ts';
import { followManagement, unfollowManagement } from '../../../../src/services/events/subscriptions/management.ts';

const of = (name: string, topicType: string, live = true): EventSubscription =>
  ({
    id: `/s/${name}`,
    name,
    topicType,
    type: 't',
    topic: '/s',
    subscriptionId: 's',
    location: 'global',
    ...(live && { live: {} }),
  }) as unknown as EventSubscription;

/** A feed that records whether the follower is active. */
function feed() {
  let active = false;
  return {
    get active() {
      return active;
    },
    work: [],
    activate: async () => {
      active = true;
    },
    deactivate: async () => {
      active = false;
    },
  };
}

const write = (store: Store, subscription: EventSubscription) =>
  store.transact((tx) => tx.put(eventSubscriptions, subscription.id, subscription));

it('changes of the management API are followed from the first subscription to them, in force or not, until the last is gone', async () => {
  const store = await openSqlite({ collections: [eventSubscriptions] });
  const jar = { feed: feed() };
  const follow = (it: EventSubscription) => store.transact((tx) => followManagement(tx, jar, it));
  const leave = (it: EventSubscription) =>
    store.transact(async (tx) => {
      await tx.delete(eventSubscriptions, it.id);
      await unfollowManagement(tx, jar, it);
    });
  const topic = of('topic', 'Vendor.EventGrid.Topics');
  const domain = of('domain', 'Vendor.EventGrid.Domains');
  const group = of('group', 'Vendor.Resources.ResourceGroups');
  const widget = of('widget', 'Vendor.Test.Widgets');
  const failed = of('failed', 'Vendor.Resources.ResourceGroups', false);
  for (const each of [topic, domain, group, widget, failed]) await write(store, each);
  await follow(topic);
  await follow(domain);
  expect(jar.feed.active).toBe(false);
  await follow(group);
  expect(jar.feed.active).toBe(true);
  await leave(group);
  await leave(domain);
  expect(jar.feed.active).toBe(true);
  await leave(widget);
  expect(jar.feed.active).toBe(true);
  await leave(failed);
  expect(jar.feed.active).toBe(false);
  await store.close();
});
