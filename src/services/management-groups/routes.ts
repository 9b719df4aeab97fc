import { type AnyArmCode, armRouteOf, operationsRoute } from '../../kernel/arm/index.ts';
import { type Method, ok, type Route } from '../../kernel/http/index.ts';
import { armCode } from '../../kernel/service/index.ts';
import { tenantOf } from './access.ts';
import { checkName } from './check-name.ts';
import { remove } from './delete.ts';
import { descendants } from './descendants.ts';
import { getEntities } from './entities.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { pollRoutes } from './poll-routes.ts';
import { put } from './put.ts';
import { BackfillSchema } from './schemas.ts';
import * as settings from './settings.ts';
import * as members from './subscriptions.ts';
import {
  API_VERSIONS,
  DESCENDANTS_TYPE,
  GROUP_SUBSCRIPTION_TYPE,
  GROUP_TYPE,
  NAMESPACE,
  SETTINGS_TYPE,
} from './types.ts';
import { patch } from './update.ts';

const PROVIDER = `/providers/${NAMESPACE}`;
const GROUPS = `${PROVIDER}/managementGroups`;
const ONE = `${GROUPS}/{groupId}`;
const MEMBER = `${ONE}/subscriptions/{subscriptionId}`;
const SETTINGS = `${ONE}/settings/default`;

interface Row {
  readonly method: Method;
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
  readonly type: string;
  readonly permission: string;
  readonly code: AnyArmCode;
  readonly effect?: 'read';
  readonly shows?: 'list';
}

/** Does nothing: subscriptions are always in the tree. */
const backfill = armCode([], {
  responses: { 200: BackfillSchema },
  handle: (call) => ok({ tenantId: tenantOf(call), status: 'Completed' }),
});

const group = { type: GROUP_TYPE } as const;
const member = { type: GROUP_SUBSCRIPTION_TYPE } as const;
const setting = { type: SETTINGS_TYPE } as const;

const ROWS: readonly Row[] = [
  {
    ...group,
    method: 'GET',
    path: GROUPS,
    operation: 'ManagementGroups_List',
    summary: 'The management groups that the caller may read',
    permission: 'read',
    shows: 'list',
    code: list,
  },
  {
    ...group,
    method: 'PUT',
    path: ONE,
    operation: 'ManagementGroups_CreateOrUpdate',
    summary: 'Starts to create a management group, or renames and moves one',
    permission: 'write',
    code: put,
  },
  {
    ...group,
    method: 'GET',
    path: ONE,
    operation: 'ManagementGroups_Get',
    summary: 'One management group, with its children, its path and its ancestors on demand',
    permission: 'read',
    code: get,
  },
  {
    ...group,
    method: 'PATCH',
    path: ONE,
    operation: 'ManagementGroups_Update',
    summary: 'Renames or moves a management group',
    permission: 'write',
    code: patch,
  },
  {
    ...group,
    method: 'DELETE',
    path: ONE,
    operation: 'ManagementGroups_Delete',
    summary: 'Starts to delete a management group without children; 204 if it does not exist',
    permission: 'delete',
    code: remove,
  },
  {
    type: DESCENDANTS_TYPE,
    method: 'GET',
    path: `${ONE}/descendants`,
    operation: 'ManagementGroups_GetDescendants',
    summary: 'All management groups and subscriptions below a management group',
    permission: 'read',
    shows: 'list',
    code: descendants,
  },
  {
    ...member,
    method: 'PUT',
    path: MEMBER,
    operation: 'ManagementGroupSubscriptions_Create',
    summary: 'Moves a subscription into a management group',
    permission: 'write',
    code: members.put,
  },
  {
    ...member,
    method: 'GET',
    path: MEMBER,
    operation: 'ManagementGroupSubscriptions_GetSubscription',
    summary: 'One subscription of a management group',
    permission: 'read',
    code: members.get,
  },
  {
    ...member,
    method: 'DELETE',
    path: MEMBER,
    operation: 'ManagementGroupSubscriptions_Delete',
    summary: 'Moves a subscription out of a management group, to the default one; 204 if it is not in the group',
    permission: 'delete',
    code: members.remove,
  },
  {
    ...member,
    method: 'GET',
    path: `${ONE}/subscriptions`,
    operation: 'ManagementGroupSubscriptions_GetSubscriptionsUnderManagementGroup',
    summary: 'The subscriptions of a management group',
    permission: 'read',
    shows: 'list',
    code: members.list,
  },
  {
    ...setting,
    method: 'GET',
    path: `${ONE}/settings`,
    operation: 'HierarchySettings_List',
    summary: 'The hierarchy settings of a tenant, as a list',
    permission: 'read',
    shows: 'list',
    code: settings.list,
  },
  {
    ...setting,
    method: 'GET',
    path: SETTINGS,
    operation: 'HierarchySettings_Get',
    summary: 'The hierarchy settings of a tenant',
    permission: 'read',
    code: settings.get,
  },
  {
    ...setting,
    method: 'PUT',
    path: SETTINGS,
    operation: 'HierarchySettings_CreateOrUpdate',
    summary: 'Replaces the hierarchy settings of a tenant',
    permission: 'write',
    code: settings.put,
  },
  {
    ...setting,
    method: 'PATCH',
    path: SETTINGS,
    operation: 'HierarchySettings_Update',
    summary: 'Changes hierarchy settings of a tenant',
    permission: 'write',
    code: settings.patch,
  },
  {
    ...setting,
    method: 'DELETE',
    path: SETTINGS,
    operation: 'HierarchySettings_Delete',
    summary: 'Deletes the hierarchy settings of a tenant',
    permission: 'delete',
    code: settings.remove,
  },
  {
    type: `${NAMESPACE}/checkNameAvailability`,
    method: 'POST',
    path: `${PROVIDER}/checkNameAvailability`,
    operation: 'ManagementGroups_CheckNameAvailability',
    summary: 'Checks whether a name for a management group is available',
    permission: 'action',
    code: checkName,
  },
  // Clients follow this list's next link with GET.
  ...(['POST', 'GET'] as const).map((method) => ({
    type: `${NAMESPACE}/getEntities`,
    method,
    path: `${PROVIDER}/getEntities`,
    operation: method === 'POST' ? 'Entities_List' : 'Entities_ListNext',
    summary: 'The management groups and subscriptions that the caller can see, with permissions and counts',
    permission: 'action',
    effect: 'read' as const,
    code: getEntities,
  })),
  ...['startTenantBackfill', 'tenantBackfillStatus'].map((name) => ({
    type: `${NAMESPACE}/${name}`,
    method: 'POST' as const,
    path: `${PROVIDER}/${name}`,
    operation: `ManagementGroups_${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    summary: 'Whether the subscriptions of the tenant are in the tree',
    permission: 'action',
    code: backfill,
  })),
];

const rows = ROWS.map(({ type, permission, code, ...head }) =>
  armRouteOf(
    { ...head, action: `${type}/${permission}`, resourceType: type, apiVersions: API_VERSIONS, tenantLevel: true },
    code,
  ),
);

export const groupRoutes: readonly Route[] = [
  ...rows,
  ...pollRoutes,
  operationsRoute({
    namespace: NAMESPACE,
    title: 'Vendor Management',
    operations: 'ManagementGroupOperations',
    apiVersions: API_VERSIONS,
    routes: rows,
  }),
];
