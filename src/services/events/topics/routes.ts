import { armRouteOf, resourceRoutes } from '../../../kernel/arm/index.ts';
import type { Route } from '../../../kernel/http/index.ts';
import { countedRoute } from '../subscriptions/counted.ts';
import { EVENT_VERSIONS } from '../version-table.ts';
import { NAMESPACE } from '../versions.ts';
import * as topicsOfDomain from './domain-topics.ts';
import * as keys from './keys.ts';
import { DOMAIN_TOPIC_TYPE, DOMAIN_TYPE, TOPIC_TYPE } from './kinds.ts';
import { status } from './operation-code.ts';
import * as provider from './provider-code.ts';
import { DOMAIN_DEFINITION, TOPIC_DEFINITION } from './resource.ts';
import * as topicTypes from './topic-type-code.ts';

const GROUP = '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers';
const TOPICS_OF_DOMAIN = `${GROUP}/${DOMAIN_TYPE}/{domainName}/topics`;
const ONE_OF_DOMAIN = `${TOPICS_OF_DOMAIN}/{domainTopicName}`;
const TOPIC_TYPES = `/providers/${NAMESPACE}/topicTypes`;

const ofTopic = { resourceType: TOPIC_TYPE, versions: EVENT_VERSIONS.of('topics') };
const ofDomain = { resourceType: DOMAIN_TYPE, versions: EVENT_VERSIONS.of('domains') };
const ofDomainTopic = {
  resourceType: DOMAIN_TOPIC_TYPE,
  versions: EVENT_VERSIONS.of('domains/topics'),
  shows: 'one' as const,
};
const ofProvider = (type: string, shows: 'one' | 'list') => ({
  method: 'GET' as const,
  resourceType: `${NAMESPACE}/${type}`,
  action: `${NAMESPACE}/${type}/read`,
  versions: EVENT_VERSIONS.of(type),
  shows,
});

const keyRoutes: readonly Route[] = [
  armRouteOf(
    {
      ...ofTopic,
      method: 'POST',
      path: `${GROUP}/${TOPIC_TYPE}/{name}/listKeys`,
      operation: 'Topics_ListSharedAccessKeys',
      summary: 'Both access keys of a topic',
      action: `${TOPIC_TYPE}/listKeys/action`,
    },
    keys.listTopicKeys,
  ),
  armRouteOf(
    {
      ...ofTopic,
      method: 'POST',
      path: `${GROUP}/${TOPIC_TYPE}/{name}/regenerateKey`,
      operation: 'Topics_RegenerateKey',
      summary: 'Replaces one access key of a topic',
      action: `${TOPIC_TYPE}/regenerateKey/action`,
    },
    keys.regenerateTopicKey,
  ),
  armRouteOf(
    {
      ...ofDomain,
      method: 'POST',
      path: `${GROUP}/${DOMAIN_TYPE}/{name}/listKeys`,
      operation: 'Domains_ListSharedAccessKeys',
      summary: 'Both access keys of a domain',
      action: `${DOMAIN_TYPE}/listKeys/action`,
    },
    keys.listDomainKeys,
  ),
  armRouteOf(
    {
      ...ofDomain,
      method: 'POST',
      path: `${GROUP}/${DOMAIN_TYPE}/{name}/regenerateKey`,
      operation: 'Domains_RegenerateKey',
      summary: 'Replaces one access key of a domain',
      action: `${DOMAIN_TYPE}/regenerateKey/action`,
    },
    keys.regenerateDomainKey,
  ),
];

const domainTopicRoutes: readonly Route[] = [
  armRouteOf(
    {
      ...ofDomainTopic,
      method: 'PUT',
      path: ONE_OF_DOMAIN,
      operation: 'DomainTopics_CreateOrUpdate',
      summary: 'Creates a topic of a domain',
      action: `${DOMAIN_TOPIC_TYPE}/write`,
    },
    topicsOfDomain.put,
  ),
  armRouteOf(
    {
      ...ofDomainTopic,
      method: 'GET',
      path: ONE_OF_DOMAIN,
      operation: 'DomainTopics_Get',
      summary: 'One topic of a domain',
      action: `${DOMAIN_TOPIC_TYPE}/read`,
    },
    topicsOfDomain.get,
  ),
  armRouteOf(
    {
      ...ofDomainTopic,
      method: 'DELETE',
      path: ONE_OF_DOMAIN,
      operation: 'DomainTopics_Delete',
      summary: 'Deletes a topic of a domain and its event subscriptions: 202, or 204 if it does not exist',
      action: `${DOMAIN_TOPIC_TYPE}/delete`,
    },
    topicsOfDomain.remove,
  ),
  armRouteOf(
    {
      ...ofDomainTopic,
      shows: 'list',
      method: 'GET',
      path: TOPICS_OF_DOMAIN,
      operation: 'DomainTopics_ListByDomain',
      summary: 'The topics of a domain',
      action: `${DOMAIN_TOPIC_TYPE}/read`,
    },
    topicsOfDomain.list,
  ),
];

const providerRoutes: readonly Route[] = [
  armRouteOf(
    {
      ...ofProvider('topicTypes', 'list'),
      path: TOPIC_TYPES,
      operation: 'TopicTypes_List',
      summary: 'The topic types: kinds of sources of events',
      tenantLevel: true,
    },
    topicTypes.list,
  ),
  armRouteOf(
    {
      ...ofProvider('topicTypes', 'one'),
      path: `${TOPIC_TYPES}/{topicTypeName}`,
      operation: 'TopicTypes_Get',
      summary: 'One topic type',
      tenantLevel: true,
    },
    topicTypes.get,
  ),
  armRouteOf(
    {
      ...ofProvider('topicTypes/eventTypes', 'list'),
      path: `${TOPIC_TYPES}/{topicTypeName}/eventTypes`,
      operation: 'TopicTypes_ListEventTypes',
      summary: 'The event types of a topic type',
      tenantLevel: true,
    },
    topicTypes.listEventTypes,
  ),
  armRouteOf(
    {
      ...ofProvider('eventTypes', 'list'),
      path: `/{scope}/providers/${NAMESPACE}/eventTypes`,
      operation: 'Topics_ListEventTypes',
      summary: 'The event types of a resource, a group or a subscription',
    },
    topicTypes.listForScope,
  ),
  armRouteOf(
    {
      ...ofProvider('operations', 'list'),
      path: `/providers/${NAMESPACE}/operations`,
      operation: 'EventOperations_List',
      summary: 'The operations of the provider',
      tenantLevel: true,
    },
    provider.list,
  ),
  armRouteOf(
    {
      ...ofProvider('locations/operationsStatus', 'one'),
      anyVersion: true,
      isPoll: true,
      path: `/subscriptions/{subscriptionId}/providers/${NAMESPACE}/locations/{location}/operationsStatus/{operationId}`,
      operation: 'EventOperations_GetStatus',
      summary: 'The status of an operation',
    },
    status,
  ),
];

export const topicRoutes: readonly Route[] = [
  ...[
    ...resourceRoutes(TOPIC_DEFINITION),
    ...resourceRoutes(DOMAIN_DEFINITION),
    ...keyRoutes,
    ...domainTopicRoutes,
  ].map(countedRoute),
  ...providerRoutes,
];
