import { spokenTitle, withPrefix } from '../../../kernel/arm/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { armCode } from '../jar.ts';
import { NAMESPACE } from '../versions.ts';

const PROVIDER = 'Vendor Event Grid';

type Row = readonly [name: string, resource: string, operation: string, description: string];

const resource = (path: string, title: string): Row[] => [
  [`${path}/read`, title, `Read ${title}`, `Reads or lists: ${title}.`],
  [`${path}/write`, title, `Write ${title}`, `Creates or updates: ${title}.`],
  [`${path}/delete`, title, `Delete ${title}`, `Deletes: ${title}.`],
];

const subscribed = (path: string, title: string): Row[] => [
  ...resource(path, title),
  [`${path}/getFullUrl/action`, title, 'Get full URL', 'Reads the whole address of a destination, secrets included.'],
  [
    `${path}/getDeliveryAttributes/action`,
    title,
    'Get delivery attributes',
    'Reads the delivery attributes of a subscription, secrets included.',
  ],
];

const published = (path: string, title: string): Row[] => [
  ...resource(path, title),
  [`${path}/listKeys/action`, title, 'List keys', 'Reads both access keys.'],
  [`${path}/regenerateKey/action`, title, 'Regenerate key', 'Replaces one access key.'],
];

const acted = (path: string, title: string, action: string, description: string): Row => [
  `${path}/${action}/action`,
  title,
  action,
  description,
];

/** All operations of the provider, for authors of roles: name, resource type, verb and description. */
const OPERATIONS: readonly Row[] = [
  ['register/action', 'Subscription', 'Register', 'Registers the subscription for the provider.'],
  ['unregister/action', 'Subscription', 'Unregister', 'Ends the registration of the subscription for the provider.'],
  ...subscribed('eventSubscriptions', 'Event subscription'),
  ...published('topics', 'Topic'),
  ...subscribed('topics/eventSubscriptions', 'Event subscription of a topic'),
  ...published('domains', 'Domain'),
  ...subscribed('domains/eventSubscriptions', 'Event subscription of a domain'),
  ...resource('domains/topics', 'Topic of a domain'),
  ...subscribed('domains/topics/eventSubscriptions', 'Event subscription of a topic of a domain'),
  ...resource('partnerRegistrations', 'Partner registration'),
  ...published('partnerNamespaces', 'Partner namespace'),
  ...resource('partnerNamespaces/channels', 'Channel'),
  acted('partnerNamespaces/channels', 'Channel', 'getFullUrl', 'Reads the whole address of a partner destination.'),
  ...resource('partnerNamespaces/eventChannels', 'Event channel'),
  ...resource('partnerConfigurations', 'Partner configuration'),
  acted('partnerConfigurations', 'Partner configuration', 'authorizePartner', 'Authorizes a partner.'),
  acted('partnerConfigurations', 'Partner configuration', 'unauthorizePartner', 'Ends an authorization.'),
  ...resource('partnerTopics', 'Partner topic'),
  acted('partnerTopics', 'Partner topic', 'activate', 'Activates a partner topic.'),
  acted('partnerTopics', 'Partner topic', 'deactivate', 'Deactivates a partner topic.'),
  ...subscribed('partnerTopics/eventSubscriptions', 'Event subscription of a partner topic'),
  ...resource('partnerDestinations', 'Partner destination'),
  acted('partnerDestinations', 'Partner destination', 'activate', 'Activates a partner destination.'),
  ['verifiedPartners/read', 'Verified partner', 'Read verified partner', 'Reads or lists verified partners.'],
  ...resource('systemTopics', 'System topic'),
  ...subscribed('systemTopics/eventSubscriptions', 'Event subscription of a system topic'),
  ...['topics', 'domains', 'partnerNamespaces'].flatMap((type): Row[] => [
    ...resource(`${type}/privateEndpointConnections`, 'Private endpoint connection'),
    [
      `${type}/privateLinkResources/read`,
      'Private link resource',
      'Read private link resource',
      'Reads or lists: Private link resource.',
    ],
  ]),
  ['extensionTopics/read', 'Extension topic', 'Read extension topic', 'Reads the system topic of a resource.'],
  ['topicTypes/read', 'Topic type', 'Read topic type', 'Reads or lists topic types.'],
  ['topicTypes/eventTypes/read', 'Topic type', 'List event types', 'Lists the event types of a topic type.'],
  ['eventTypes/read', 'Event type', 'List event types', 'Lists the event types of a resource.'],
  ['locations/operationsStatus/read', 'Operation', 'Read operation', 'Reads the status of an operation.'],
  ['operations/read', 'Provider', 'List operations', 'Lists the operations of the provider.'],
];

export const list = armCode([], {
  handle: (_call, { prefix }) =>
    ok({
      value: OPERATIONS.map(([name, resource, operation, description]) => ({
        name: withPrefix(`${NAMESPACE}/${name}`, prefix),
        display: { provider: spokenTitle(PROVIDER, prefix), resource, operation, description },
        origin: 'User',
        isDataAction: false,
      })),
    }),
});
