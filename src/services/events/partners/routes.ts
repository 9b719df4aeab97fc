import { type AnyArmCode, armRouteOf, resourceRoutes } from '../../../kernel/arm/index.ts';
import type { Method, Route } from '../../../kernel/http/index.ts';
import { listKeysOf, regenerateKeyOf } from '../topics/keys.ts';
import { EVENT_VERSIONS } from '../version-table.ts';
import { NAMESPACE } from '../versions.ts';
import { channelCode, getFullUrl } from './channel-code.ts';
import { patchChannel, putChannel } from './channels.ts';
import { authorizePartner, CONFIGURATION_DEFINITION, unauthorizePartner } from './configuration.ts';
import { putEventChannel } from './event-channels.ts';
import {
  CHANNEL_TYPE,
  CONFIGURATION,
  EVENT_CHANNEL_TYPE,
  PARTNER_DESTINATION,
  PARTNER_NAMESPACE,
  PARTNER_TOPIC,
  VERIFIED_PARTNER_TYPE,
} from './kinds.ts';
import {
  activateDestination,
  activateTopic,
  deactivateTopic,
  PARTNER_DESTINATION_DEFINITION,
  PARTNER_TOPIC_DEFINITION,
} from './mirrored.ts';
import { PARTNER_NAMESPACE_DEFINITION } from './namespace.ts';
import { REGISTRATION_DEFINITION } from './registration.ts';
import { getVerified, listVerified } from './verified.ts';

const GROUP = '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers';

const versionsOf = (type: string) => EVENT_VERSIONS.of(type.slice(NAMESPACE.length + 1));

interface Action {
  readonly type: string;
  readonly name: string;
  readonly operation: string;
  readonly summary: string;
  /** True if the answer is the resource itself. */
  readonly shows?: 'one';
  readonly code: AnyArmCode;
}

const actions: readonly Action[] = [
  {
    type: PARTNER_NAMESPACE.type,
    name: 'listKeys',
    operation: 'PartnerNamespaces_ListSharedAccessKeys',
    summary: 'Both access keys of a partner namespace',
    code: listKeysOf(PARTNER_NAMESPACE),
  },
  {
    type: PARTNER_NAMESPACE.type,
    name: 'regenerateKey',
    operation: 'PartnerNamespaces_RegenerateKey',
    summary: 'Replaces one access key of a partner namespace',
    code: regenerateKeyOf(PARTNER_NAMESPACE),
  },
  {
    type: CONFIGURATION.type,
    name: 'authorizePartner',
    operation: 'PartnerConfigurations_AuthorizePartner',
    summary: 'Authorizes a partner to create resources in the group, for a limited time',
    shows: 'one',
    code: authorizePartner,
  },
  {
    type: CONFIGURATION.type,
    name: 'unauthorizePartner',
    operation: 'PartnerConfigurations_UnauthorizePartner',
    summary: 'Withdraws the authorization of a partner',
    shows: 'one',
    code: unauthorizePartner,
  },
  {
    type: PARTNER_TOPIC.type,
    name: 'activate',
    operation: 'PartnerTopics_Activate',
    summary: 'Starts accepting events of the partner',
    shows: 'one',
    code: activateTopic,
  },
  {
    type: PARTNER_TOPIC.type,
    name: 'deactivate',
    operation: 'PartnerTopics_Deactivate',
    summary: 'Stops accepting events of the partner',
    shows: 'one',
    code: deactivateTopic,
  },
  {
    type: PARTNER_DESTINATION.type,
    name: 'activate',
    operation: 'PartnerDestinations_Activate',
    summary: 'Allows event subscriptions to send events to the partner',
    shows: 'one',
    code: activateDestination,
  },
];

/** Routes with keys name the resource parameter `name`, as the routes of topics do. */
const actionRoutes = actions.map(({ type, name, code, ...head }) =>
  armRouteOf(
    {
      ...head,
      method: 'POST',
      path: `${GROUP}/${type}/{${type === PARTNER_NAMESPACE.type ? 'name' : 'resourceName'}}/${name}`,
      action: `${type}/${name}/action`,
      resourceType: type,
      versions: versionsOf(type),
    },
    code,
  ),
);

interface Verb {
  readonly method: Method;
  readonly below: string;
  readonly name: string;
  readonly summary: string;
  readonly permission: string;
  readonly shows?: 'one' | 'list';
  readonly code: AnyArmCode;
}

const ONE = '/{channelName}';

const verbsOf = (form: 'channels' | 'eventChannels', what: string, put: AnyArmCode): readonly Verb[] => {
  const { get, remove, list } = channelCode(form);
  return [
    {
      method: 'PUT',
      below: ONE,
      name: 'CreateOrUpdate',
      summary: `Creates or replaces ${what}, and its target in the group of a customer`,
      permission: 'write',
      shows: 'one',
      code: put,
    },
    { method: 'GET', below: ONE, name: 'Get', summary: `Reads ${what}`, permission: 'read', shows: 'one', code: get },
    {
      method: 'DELETE',
      below: ONE,
      name: 'Delete',
      summary: `Deletes ${what}; its target stays`,
      permission: 'delete',
      code: remove,
    },
    {
      method: 'GET',
      below: '',
      name: 'ListByPartnerNamespace',
      summary: `Each that is ${what} of a partner namespace`,
      permission: 'read',
      shows: 'list',
      code: list,
    },
  ];
};

const CHANNEL_VERBS: readonly Verb[] = [
  ...verbsOf('channels', 'a channel', putChannel),
  {
    method: 'PATCH',
    below: ONE,
    name: 'Update',
    summary: 'Changes when a channel expires, its event types or its endpoint',
    permission: 'write',
    shows: 'one',
    code: patchChannel,
  },
  {
    method: 'POST',
    below: `${ONE}/getFullUrl`,
    name: 'GetFullUrl',
    summary: 'The whole address of a partner destination, with its query',
    permission: 'getFullUrl/action',
    code: getFullUrl,
  },
];

const channelRoutes = [
  { type: CHANNEL_TYPE, operations: 'Channels', verbs: CHANNEL_VERBS },
  {
    type: EVENT_CHANNEL_TYPE,
    operations: 'EventChannels',
    verbs: verbsOf('eventChannels', 'an event channel', putEventChannel),
  },
].flatMap(({ type, operations, verbs }) =>
  verbs.map(({ below, name, permission, code, ...head }) =>
    armRouteOf(
      {
        ...head,
        path: `${GROUP}/${PARTNER_NAMESPACE.type}/{partnerNamespaceName}/${type.slice(PARTNER_NAMESPACE.type.length + 1)}${below}`,
        operation: `${operations}_${name}`,
        action: `${type}/${permission}`,
        resourceType: type,
        versions: versionsOf(type),
      },
      code,
    ),
  ),
);

const ofVerified = {
  method: 'GET',
  action: `${VERIFIED_PARTNER_TYPE}/read`,
  resourceType: VERIFIED_PARTNER_TYPE,
  versions: versionsOf(VERIFIED_PARTNER_TYPE),
  tenantLevel: true,
} as const;

const verifiedRoutes: readonly Route[] = [
  armRouteOf(
    {
      ...ofVerified,
      path: `/providers/${VERIFIED_PARTNER_TYPE}`,
      operation: 'VerifiedPartners_List',
      summary: 'The verified partners, which customers can choose from',
      shows: 'list',
    },
    listVerified,
  ),
  armRouteOf(
    {
      ...ofVerified,
      path: `/providers/${VERIFIED_PARTNER_TYPE}/{verifiedPartnerName}`,
      operation: 'VerifiedPartners_Get',
      summary: 'One verified partner',
      shows: 'one',
    },
    getVerified,
  ),
];

export const PARTNER_DEFINITIONS = [
  REGISTRATION_DEFINITION,
  PARTNER_NAMESPACE_DEFINITION,
  CONFIGURATION_DEFINITION,
  PARTNER_TOPIC_DEFINITION,
  PARTNER_DESTINATION_DEFINITION,
];

export const partnerRoutes: readonly Route[] = [
  ...PARTNER_DEFINITIONS.flatMap((definition) => resourceRoutes(definition)),
  ...actionRoutes,
  ...channelRoutes,
  ...verifiedRoutes,
];
