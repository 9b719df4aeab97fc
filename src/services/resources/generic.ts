import { Type } from 'typebox';
import {
  groupPath,
  listPage,
  operationResult,
  operationStatus,
  type Resource,
  resources,
  type Subscription,
  resourceShape as shape,
  withPrefix,
} from '../../kernel/arm/index.ts';
import type { Route } from '../../kernel/http/index.ts';
import { LIST_QUERY } from '../../kernel/odata/index.ts';
import { armRoute } from '../../kernel/service/index.ts';
import { OperationSchema, ResourceListSchema } from './schemas.ts';

export const genericRoutes: readonly Route[] = [
  armRoute({
    method: 'GET',
    path: '/subscriptions/{subscriptionId}/resources',
    operation: 'Resources_List',
    summary: 'The resources of a subscription, of every type',
    action: 'Vendor.Resources/subscriptions/resources/read',
    query: Type.Object(LIST_QUERY),
    responses: { 200: ResourceListSchema },
    handle(call, arm) {
      const { subscriptionId } = arm.subscription as Subscription;
      const filter = { op: 'eq', field: 'subscription', value: subscriptionId.toLowerCase() } as const;
      return listPage(call, resources, { shape, filter }, (it) => genericView(it, arm.prefix));
    },
  }),
  armRoute({
    method: 'GET',
    path: '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/resources',
    operation: 'Resources_ListByResourceGroup',
    summary: 'The resources of a group, of every type',
    action: 'Vendor.Resources/subscriptions/resourceGroups/resources/read',
    query: Type.Object(LIST_QUERY),
    responses: { 200: ResourceListSchema },
    handle(call, arm) {
      const { subscriptionId } = arm.subscription as Subscription;
      const prefix = `${groupPath(subscriptionId, call.params.resourceGroupName)}/`.toLowerCase();
      return listPage(call, resources, { shape, prefix }, (it) => genericView(it, arm.prefix));
    },
  }),
  armRoute({
    method: 'GET',
    path: '/subscriptions/{subscriptionId}/operationresults/{operationId}',
    operation: 'Operations_Result',
    summary: 'The outcome of a long-running operation: 202 while it runs',
    action: 'Vendor.Resources/subscriptions/operationresults/read',
    isPoll: true,
    // Clients come back with the version of whatever they began.
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
    // Providers answer for their own operations under their own versions; any will do here.
    anyVersion: true,
    isPoll: true,
    responses: { 200: OperationSchema },
    handle: (call) => operationStatus(call, call.params.operationId),
  }),
];

function genericView(it: Resource, prefix: string): Record<string, unknown> {
  const { sku, kind, identity, zones } = it.extra;
  return {
    id: withPrefix(it.id, prefix),
    name: it.name,
    type: withPrefix(it.type, prefix),
    ...(it.location !== undefined && { location: it.location }),
    tags: it.tags,
    ...(sku !== undefined && { sku }),
    ...(kind !== undefined && { kind }),
    ...(identity !== undefined && { identity }),
    ...(zones !== undefined && { zones }),
  };
}
