import { resourceRoutes } from '../../../kernel/arm/resource-routes.ts';
import { lazyArmRoute } from '../../../kernel/arm/route.ts';
import type { Route } from '../../../kernel/http/route.ts';
import { API_VERSIONS, NAMESPACE } from '../versions.ts';
import { DOMAIN, DOMAIN_TOPIC_TYPE, DOMAIN_TYPE, TOPIC, TOPIC_TYPE } from './kinds.ts';

const GROUP = '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers';
const TOPICS_OF_DOMAIN = `${GROUP}/${DOMAIN_TYPE}/{domainName}/topics`;
const ONE_OF_DOMAIN = `${TOPICS_OF_DOMAIN}/{domainTopicName}`;
const TOPIC_TYPES = `/providers/${NAMESPACE}/topicTypes`;

const keys = () => import('./keys.ts');
const topicsOfDomain = () => import('./domain-topics.ts');
const topicTypes = () => import('./topic-type-code.ts');

const ofTopic = { resourceType: TOPIC_TYPE, apiVersions: API_VERSIONS };
const ofDomain = { resourceType: DOMAIN_TYPE, apiVersions: API_VERSIONS };
const ofDomainTopic = { resourceType: DOMAIN_TOPIC_TYPE, apiVersions: API_VERSIONS };
const ofProvider = (type: string) => ({
  method: 'GET' as const,
  resourceType: `${NAMESPACE}/${type}`,
  action: `${NAMESPACE}/${type}/read`,
  apiVersions: API_VERSIONS,
});

const keyRoutes: readonly Route[] = [
  lazyArmRoute(
    {
      ...ofTopic,
      method: 'POST',
      path: `${GROUP}/${TOPIC_TYPE}/{name}/listKeys`,
      operation: 'Topics_ListSharedAccessKeys',
      summary: 'Both access keys of a topic',
      action: `${TOPIC_TYPE}/listKeys/action`,
    },
    () => keys().then((m) => m.listTopicKeys),
  ),
  lazyArmRoute(
    {
      ...ofTopic,
      method: 'POST',
      path: `${GROUP}/${TOPIC_TYPE}/{name}/regenerateKey`,
      operation: 'Topics_RegenerateKey',
      summary: 'Replaces one access key of a topic',
      action: `${TOPIC_TYPE}/regenerateKey/action`,
    },
    () => keys().then((m) => m.regenerateTopicKey),
  ),
  lazyArmRoute(
    {
      ...ofDomain,
      method: 'POST',
      path: `${GROUP}/${DOMAIN_TYPE}/{name}/listKeys`,
      operation: 'Domains_ListSharedAccessKeys',
      summary: 'Both access keys of a domain',
      action: `${DOMAIN_TYPE}/listKeys/action`,
    },
    () => keys().then((m) => m.listDomainKeys),
  ),
  lazyArmRoute(
    {
      ...ofDomain,
      method: 'POST',
      path: `${GROUP}/${DOMAIN_TYPE}/{name}/regenerateKey`,
      operation: 'Domains_RegenerateKey',
      summary: 'Replaces one access key of a domain',
      action: `${DOMAIN_TYPE}/regenerateKey/action`,
    },
    () => keys().then((m) => m.regenerateDomainKey),
  ),
];

const domainTopicRoutes: readonly Route[] = [
  lazyArmRoute(
    {
      ...ofDomainTopic,
      method: 'PUT',
      path: ONE_OF_DOMAIN,
      operation: 'DomainTopics_CreateOrUpdate',
      summary: 'Creates a topic of a domain',
      action: `${DOMAIN_TOPIC_TYPE}/write`,
    },
    () => topicsOfDomain().then((m) => m.put),
  ),
  lazyArmRoute(
    {
      ...ofDomainTopic,
      method: 'GET',
      path: ONE_OF_DOMAIN,
      operation: 'DomainTopics_Get',
      summary: 'One topic of a domain',
      action: `${DOMAIN_TOPIC_TYPE}/read`,
    },
    () => topicsOfDomain().then((m) => m.get),
  ),
  lazyArmRoute(
    {
      ...ofDomainTopic,
      method: 'DELETE',
      path: ONE_OF_DOMAIN,
      operation: 'DomainTopics_Delete',
      summary: 'Deletes a topic of a domain, and what is subscribed to it: 200, or 204 when there is none',
      action: `${DOMAIN_TOPIC_TYPE}/delete`,
    },
    () => topicsOfDomain().then((m) => m.remove),
  ),
  lazyArmRoute(
    {
      ...ofDomainTopic,
      method: 'GET',
      path: TOPICS_OF_DOMAIN,
      operation: 'DomainTopics_ListByDomain',
      summary: 'The topics of a domain',
      action: `${DOMAIN_TOPIC_TYPE}/read`,
    },
    () => topicsOfDomain().then((m) => m.list),
  ),
];

const providerRoutes: readonly Route[] = [
  lazyArmRoute(
    {
      ...ofProvider('topicTypes'),
      path: TOPIC_TYPES,
      operation: 'TopicTypes_List',
      summary: 'What can be subscribed to',
      tenantLevel: true,
    },
    () => topicTypes().then((m) => m.list),
  ),
  lazyArmRoute(
    {
      ...ofProvider('topicTypes'),
      path: `${TOPIC_TYPES}/{topicTypeName}`,
      operation: 'TopicTypes_Get',
      summary: 'One kind of thing that can be subscribed to',
      tenantLevel: true,
    },
    () => topicTypes().then((m) => m.get),
  ),
  lazyArmRoute(
    {
      ...ofProvider('topicTypes/eventTypes'),
      path: `${TOPIC_TYPES}/{topicTypeName}/eventTypes`,
      operation: 'TopicTypes_ListEventTypes',
      summary: 'The events of a topic type',
      tenantLevel: true,
    },
    () => topicTypes().then((m) => m.listEventTypes),
  ),
  lazyArmRoute(
    {
      ...ofProvider('eventTypes'),
      path: `/{scope}/providers/${NAMESPACE}/eventTypes`,
      operation: 'Topics_ListEventTypes',
      summary: 'The events of a resource, a group or a subscription',
    },
    () => topicTypes().then((m) => m.listForScope),
  ),
  lazyArmRoute(
    {
      ...ofProvider('operations'),
      path: `/providers/${NAMESPACE}/operations`,
      operation: 'EventOperations_List',
      summary: 'What the provider of events can do',
      tenantLevel: true,
    },
    () => import('./provider-code.ts').then((m) => m.list),
  ),
  lazyArmRoute(
    {
      ...ofProvider('locations/operationsStatus'),
      anyVersion: true,
      isPoll: true,
      path: `/subscriptions/{subscriptionId}/providers/${NAMESPACE}/locations/{location}/operationsStatus/{operationId}`,
      operation: 'EventOperations_GetStatus',
      summary: 'How far an operation is',
    },
    () => import('./operation-code.ts').then((m) => m.status),
  ),
];

const definitions = () => import('./resource.ts');

export const topicRoutes: readonly Route[] = [
  ...resourceRoutes(TOPIC, () => definitions().then((m) => m.TOPIC_DEFINITION)),
  ...resourceRoutes(DOMAIN, () => definitions().then((m) => m.DOMAIN_DEFINITION)),
  ...keyRoutes,
  ...domainTopicRoutes,
  ...providerRoutes,
];
