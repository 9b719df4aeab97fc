import { guidOf, type Resource, resourceKey, resources, subscriptions } from '../../../kernel/arm/index.ts';
import { eq, pagesOf, readCached } from '../../../kernel/store/index.ts';
import { isList, isObject, type Json, type JsonMembers } from '../../../kernel/values/index.ts';
import type { EventsJar } from '../jar.ts';
import { type Decision, decisionOn } from './decisions.ts';

/** A private endpoint that leads to a topic, as the topic shows it. */
export interface Connection {
  readonly name: string;
  /** The private endpoint. */
  readonly endpoint: Pick<Resource, 'id' | 'createdAt'>;
  readonly groupIds: readonly string[];
  readonly state: Decision;
}

/**
 * The connections of a topic, derived from the stored private endpoints that name it, so that nothing has to be kept in sync. Decisions
 * about them are stored with the topic.
 */
export async function connectionsOf(jar: EventsJar, parent: Resource): Promise<readonly Connection[]> {
  const { store, config } = jar;
  const own = (await readCached(store, subscriptions, parent.subscriptionId.toLowerCase()))?.value.tenantId;
  const parentKey = parent.id.toLowerCase();
  const found: Connection[] = [];
  for await (const page of pagesOf(store, resources, { filter: eq('type', ENDPOINT_TYPE) }))
    for (const { value } of page) {
      const link = linksOf(jar, value).find(({ serviceId }) => resourceKey(serviceId, config.namespace) === parentKey);
      if (!link) continue;
      const subscription = await readCached(store, subscriptions, value.subscriptionId.toLowerCase());
      if (subscription?.value.tenantId !== own) continue;
      const decided = decisionOn(parent, value);
      if (decided !== 'removed')
        found.push({
          name: `${value.name}.${link.guid}`,
          endpoint: value,
          groupIds: link.groupIds,
          state: decided ?? link.state,
        });
    }
  return found;
}

const ENDPOINT_TYPE = 'vendor.network/privateendpoints';

interface Link {
  readonly serviceId: string;
  readonly groupIds: readonly string[];
  readonly guid: string;
  readonly state: Decision;
}

/** An automatic connection is approved at once, because its creator may write to the topic; a manual one waits for the owner. */
const AT_ONCE: Decision = { status: 'Approved', description: 'Auto-approved', actionsRequired: 'None' };

function linksOf(jar: Pick<EventsJar, 'id'>, { id, properties, createdAt }: Resource): readonly Link[] {
  const { resourceGuid } = properties;
  const guid = typeof resourceGuid === 'string' ? resourceGuid : guidOf(jar.id, id.toLowerCase(), String(createdAt));
  const read = (member: string, isManual: boolean): Link[] =>
    membersOf(properties[member]).flatMap((each) => {
      const link = isObject(each.properties) ? each.properties : {};
      const { privateLinkServiceId: serviceId, groupIds, requestMessage } = link;
      if (typeof serviceId !== 'string') return [];
      const description = typeof requestMessage === 'string' ? requestMessage : '';
      return {
        serviceId,
        groupIds: isList(groupIds) ? groupIds.map(String) : [],
        guid,
        state: isManual ? { status: 'Pending', description, actionsRequired: 'None' } : AT_ONCE,
      };
    });
  return [...read('privateLinkServiceConnections', false), ...read('manualPrivateLinkServiceConnections', true)];
}

const membersOf = (list: Json | undefined): readonly JsonMembers[] =>
  isList(list) ? list.filter((each) => isObject(each)) : [];
