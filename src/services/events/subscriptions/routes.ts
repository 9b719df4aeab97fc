import { type AnyArmCode, armRouteOf } from '../../../kernel/arm/index.ts';
import type { Method, Route } from '../../../kernel/http/index.ts';
import { status } from '../topics/operation-code.ts';
import { EVENT_VERSIONS } from '../version-table.ts';
import { NAMESPACE } from '../versions.ts';
import { getDeliveryAttributes, getFullUrl } from './actions.ts';
import { counted } from './counted.ts';
import { remove } from './delete.ts';
import { get } from './get.ts';
import { listAcross, listAtScope } from './list.ts';
import { operationResults } from './operation-results.ts';
import { PARENT_KINDS } from './parent-kinds.ts';
import { patch, put } from './put.ts';
import { EXTENSION_TYPE } from './types.ts';

const SUBSCRIPTION = '/subscriptions/{subscriptionId}';
const GROUP = `${SUBSCRIPTION}/resourceGroups/{resourceGroupName}`;
const PROVIDER = `/providers/${NAMESPACE}`;
const ONE = '/{eventSubscriptionName}';

/** The same operations for subscriptions at a scope and for nested ones. */
const FORMS = [
  { path: `/{scope}${PROVIDER}`, operations: 'EventSubscriptions', type: EXTENSION_TYPE },
  ...PARENT_KINDS.map(({ segments, operations, type }) => ({
    path: `${GROUP}${PROVIDER}${segments.map(([segment, param]) => `/${segment}/{${param}}`).join('')}`,
    operations,
    type,
  })),
];

interface Verb {
  readonly method: Method;
  readonly below: string;
  readonly name: string;
  readonly summary: string;
  readonly permission: string;
  /** True if the answer is a subscription or a list of subscriptions. */
  readonly shows?: 'one' | 'list';
  readonly flatBody?: boolean;
  readonly code: AnyArmCode;
}

const VERBS: readonly Verb[] = [
  {
    method: 'PUT',
    below: ONE,
    name: 'CreateOrUpdate',
    summary: 'Creates or replaces an event subscription; a web hook has to agree first',
    permission: 'write',
    shows: 'one',
    code: put,
  },
  {
    method: 'PATCH',
    below: ONE,
    name: 'Update',
    summary: 'Changes parts of an event subscription',
    permission: 'write',
    shows: 'one',
    flatBody: true,
    code: patch,
  },
  {
    method: 'GET',
    below: ONE,
    name: 'Get',
    summary: 'One event subscription',
    permission: 'read',
    shows: 'one',
    code: get,
  },
  {
    method: 'DELETE',
    below: ONE,
    name: 'Delete',
    summary: 'Deletes an event subscription and its queued events; 204 if it does not exist',
    permission: 'delete',
    code: remove,
  },
  {
    method: 'POST',
    below: `${ONE}/getFullUrl`,
    name: 'GetFullUrl',
    summary: 'The whole address of the web hook, with its query',
    permission: 'getFullUrl/action',
    code: getFullUrl,
  },
  {
    method: 'POST',
    below: `${ONE}/getDeliveryAttributes`,
    name: 'GetDeliveryAttributes',
    summary: 'The delivery attributes, with the values of secret ones',
    permission: 'getDeliveryAttributes/action',
    code: getDeliveryAttributes,
  },
  {
    method: 'GET',
    below: '',
    name: 'List',
    summary: 'The event subscriptions of one topic or other resource',
    permission: 'read',
    shows: 'list',
    code: listAtScope,
  },
];

const oneByOne = FORMS.flatMap(({ path, operations, type }) =>
  VERBS.map(({ below, name, permission, code, ...head }) =>
    armRouteOf(
      {
        ...head,
        path: `${path}/eventSubscriptions${below}`,
        operation: `${operations}_${name}`,
        action: `${type}/${permission}`,
        resourceType: type,
        versions: EVENT_VERSIONS.of(type.slice(NAMESPACE.length + 1), `${operations}_${name}`),
      },
      counted(code),
    ),
  ),
);

/** Lists of a whole subscription or resource group: global or by region, for all topic types or one. */
const lists = [
  { base: SUBSCRIPTION, of: 'BySubscription' },
  { base: GROUP, of: 'ByResourceGroup' },
].flatMap(({ base, of }) =>
  [
    { region: '', which: 'Global' },
    { region: '/locations/{location}', which: 'Regional' },
  ].flatMap(({ region, which }) =>
    ['', '/topicTypes/{topicTypeName}'].map((topicType) =>
      armRouteOf(
        {
          method: 'GET',
          path: `${base}${PROVIDER}${region}${topicType}/eventSubscriptions`,
          operation: `EventSubscriptions_List${which}${of}${topicType === '' ? '' : 'ForTopicType'}`,
          summary: `Event subscriptions, ${which.toLowerCase()} ones${topicType === '' ? '' : ' of one topic type'}`,
          action: `${EXTENSION_TYPE}/read`,
          resourceType: EXTENSION_TYPE,
          versions: EVENT_VERSIONS.of('eventSubscriptions'),
          shows: 'list',
        },
        counted(listAcross),
      ),
    ),
  ),
);

const ofOperations = { method: 'GET', anyVersion: true, isPoll: true } as const;

/** Target of `Location`; `Azure-AsyncOperation` serves all operations of the provider. */
const operationResultRoute = armRouteOf(
  {
    ...ofOperations,
    path: `${SUBSCRIPTION}${PROVIDER}/locations/{location}/operationResults/{operationId}`,
    operation: 'EventOperations_GetResult',
    summary: 'The outcome of an operation: 202 while it runs',
    action: `${NAMESPACE}/locations/operationResults/read`,
  },
  operationResults,
);

/** The same outside of subscriptions: operations at management groups. */
const tenantOperationRoutes = (
  [
    ['operationResults', 'EventOperations_GetTenantResult', operationResults],
    ['operationsStatus', 'EventOperations_GetTenantStatus', status],
  ] as const
).map(([segment, operation, code]) =>
  armRouteOf(
    {
      ...ofOperations,
      path: `${PROVIDER}/locations/{location}/${segment}/{operationId}`,
      operation,
      summary: 'The status of an operation at a management group',
      action: `${NAMESPACE}/locations/${segment}/read`,
      tenantLevel: true,
    },
    code,
  ),
);

/** The same for operations without a location: those on system topics of global sources. */
const bareOperationRoutes = (
  [
    ['operationResults', 'EventOperations_GetBareResult', operationResults],
    ['operationsStatus', 'EventOperations_GetBareStatus', status],
  ] as const
).map(([segment, operation, code]) =>
  armRouteOf(
    {
      ...ofOperations,
      path: `${SUBSCRIPTION}${PROVIDER}/${segment}/{operationId}`,
      operation,
      summary: 'The status of an operation on a system topic of a global source',
      action: `${NAMESPACE}/${segment}/read`,
    },
    code,
  ),
);

export const subscriptionRoutes: readonly Route[] = [
  ...oneByOne,
  ...lists,
  operationResultRoute,
  ...bareOperationRoutes,
  ...tenantOperationRoutes,
];
