import { Type } from 'typebox';
import {
  groupPath,
  listPage,
  operationResult,
  operationStatus,
  resources,
  type Subscription,
  resourceShape as shape,
} from '../../kernel/arm/index.ts';
import type { Route } from '../../kernel/http/index.ts';
import { LIST_QUERY } from '../../kernel/odata/index.ts';
import { armRoute } from '../../kernel/service/index.ts';
import { rowView } from './rows.ts';
import { OperationSchema, ResourceListSchema } from './schemas.ts';

/** Resources without a location, such as the queues of a namespace, appear only in the lists of their parents. */
const TRACKED = { op: 'ne', field: 'location', value: null } as const;

const ROWS_QUERY = Type.Object({
  ...LIST_QUERY,
  $expand: Type.Optional(
    Type.String({ description: 'createdTime, changedTime, provisioningState: shown only if named here' }),
  ),
});

export const genericRoutes: readonly Route[] = [
  armRoute({
    method: 'GET',
    path: '/subscriptions/{subscriptionId}/resources',
    operation: 'Resources_List',
    summary: 'The resources of a subscription, of every type',
    action: 'Vendor.Resources/subscriptions/resources/read',
    query: ROWS_QUERY,
    responses: { 200: ResourceListSchema },
    handle(call, arm) {
      const { subscriptionId } = arm.subscription as Subscription;
      const own = { op: 'eq', field: 'subscription', value: subscriptionId.toLowerCase() } as const;
      const filter = { op: 'and', args: [own, TRACKED] } as const;
      return listPage(call, resources, { shape, filter }, rowView(call, arm.prefix));
    },
  }),
  armRoute({
    method: 'GET',
    path: '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/resources',
    operation: 'Resources_ListByResourceGroup',
    summary: 'The resources of a group, of every type',
    action: 'Vendor.Resources/subscriptions/resourceGroups/resources/read',
    query: ROWS_QUERY,
    responses: { 200: ResourceListSchema },
    handle(call, arm) {
      const { subscriptionId } = arm.subscription as Subscription;
      const prefix = `${groupPath(subscriptionId, call.params.resourceGroupName)}/`.toLowerCase();
      return listPage(call, resources, { shape, prefix, filter: TRACKED }, rowView(call, arm.prefix));
    },
  }),
  armRoute({
    method: 'GET',
    path: '/subscriptions/{subscriptionId}/operationresults/{operationId}',
    operation: 'Operations_Result',
    summary: 'The outcome of a long-running operation: 202 while it runs',
    action: 'Vendor.Resources/subscriptions/operationresults/read',
    isPoll: true,
    // Clients poll with the api-version of the request that started the operation.
    anyVersion: true,
    responses: { 200: 'Done', 202: 'Still running' },
    handle: (call) => operationResult(call, call.params.operationId),
  }),
  armRoute({
    method: 'GET',
    path: '/subscriptions/{subscriptionId}/providers/{namespace}/locations/{location}/operations/{operationId}',
    operation: 'Operations_Status',
    summary: 'The status document of a long-running operation',
    action: 'Vendor.Resources/subscriptions/operationresults/read',
    // The operation may belong to any provider, so any api-version is accepted.
    anyVersion: true,
    isPoll: true,
    responses: { 200: OperationSchema },
    handle: (call) => operationStatus(call, call.params.operationId),
  }),
];
