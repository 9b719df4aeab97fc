import { type AnyArmCode, armRouteOf, resourceRoutes } from '../../../kernel/arm/index.ts';
import type { Method, Route } from '../../../kernel/http/index.ts';
import { STANDBY_POOL } from '../pools/definition.ts';
import { getRuntimeView, listRuntimeViews } from '../pools/runtime-views.ts';
import { PROFILE_DEFINITION } from '../profiles/definition.ts';
import { getRevision, listRevisions } from '../profiles/revisions.ts';
import { restart, start, stopGroup } from './actions.ts';
import { attach } from './attach.ts';
import { exec } from './exec.ts';
import { CONTAINER_GROUP } from './group.ts';
import { alwaysOk, emptyAfterDelete, withIdentifier } from './headers.ts';
import { cachedImages, capabilities, usages } from './locations.ts';
import { logs } from './logs.ts';
import { CONTAINER_PATH, GROUP_PATH, LOCATION_PATH, POOL_PATH, PROFILE_PATH, SUBNET_PATH } from './paths.ts';
import { deleteLink, operations, outboundDependencies } from './provider.ts';
import { CONTAINER_VERSIONS } from './version-table.ts';
import {
  NAMESPACE,
  CONTAINER_GROUP_PROFILE_TYPE as PROFILE,
  STANDBY_POOL_API_VERSIONS,
  STANDBY_POOL_TYPE,
  CONTAINER_GROUP_TYPE as TYPE,
} from './versions.ts';

interface Head {
  readonly method: Method;
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
  readonly action: string;
  readonly resourceType: string;
  readonly tenantLevel?: boolean;
  readonly shows?: 'one' | 'list';
}

function operation(head: Head, code: AnyArmCode): Route {
  const type = head.resourceType.slice(NAMESPACE.length + 1);
  return armRouteOf({ ...head, versions: CONTAINER_VERSIONS.of(type, head.operation) }, code);
}

/** Route of an action on a group or on one of its containers. */
const act = (head: Omit<Head, 'resourceType'>, code: AnyArmCode): Route =>
  operation({ ...head, resourceType: TYPE }, code);

/** Route that reports a region's capabilities or usage. */
const inRegion = (name: string, what: string, summary: string, code: AnyArmCode): Route =>
  operation(
    {
      method: 'GET',
      path: `${LOCATION_PATH}/${name}`,
      operation: `Location_${what}`,
      summary,
      action: `${NAMESPACE}/locations/${name}/read`,
      resourceType: `${NAMESPACE}/locations/${name}`,
    },
    code,
  );

const ofProfile = (below: string, name: string, summary: string, code: AnyArmCode): Route =>
  withIdentifier(
    operation(
      {
        method: 'GET',
        path: `${PROFILE_PATH}/${below}`,
        operation: `ContainerGroupProfile_${name}`,
        summary,
        action: `${PROFILE}/revisions/read`,
        resourceType: PROFILE,
        shows: below === 'revisions' ? 'list' : 'one',
      },
      code,
    ),
  );

const ofPool = (below: string, name: string, summary: string, code: AnyArmCode): Route =>
  armRouteOf(
    {
      method: 'GET',
      path: `${POOL_PATH}/${below}`,
      operation: `StandbyContainerGroupPoolRuntimeViews_${name}`,
      summary,
      action: `${STANDBY_POOL_TYPE}/runtimeViews/read`,
      resourceType: STANDBY_POOL_TYPE,
      apiVersions: STANDBY_POOL_API_VERSIONS,
    },
    code,
  );

export const containerRoutes: readonly Route[] = [
  ...resourceRoutes(CONTAINER_GROUP).map(withIdentifier),
  ...resourceRoutes(PROFILE_DEFINITION).map(withIdentifier).map(emptyAfterDelete),
  ofProfile(
    'revisions',
    'ListAllRevisions',
    'The revisions of a container group profile, the newest first',
    listRevisions,
  ),
  ofProfile(
    'revisions/{revisionNumber}',
    'GetByRevisionNumber',
    'A container group profile as it was in one revision',
    getRevision,
  ),
  ...resourceRoutes(STANDBY_POOL).map(alwaysOk),
  ofPool('runtimeViews', 'ListByStandbyPool', 'What a standby pool holds, as a list of one view', listRuntimeViews),
  ofPool(
    'runtimeViews/{runtimeView}',
    'Get',
    'How many instances a standby pool holds, by their state',
    getRuntimeView,
  ),
  inRegion('usages', 'ListUsage', 'What a subscription uses in a region, and what it may', usages),
  inRegion('capabilities', 'ListCapabilities', 'How large groups may be in a region', capabilities),
  inRegion('cachedImages', 'ListCachedImages', 'The images that the engine has already', cachedImages),
  operation(
    {
      method: 'GET',
      path: `/providers/${NAMESPACE}/operations`,
      operation: 'Operations_List',
      summary: 'What the provider of container groups can do',
      action: `${NAMESPACE}/operations/read`,
      resourceType: `${NAMESPACE}/operations`,
      shows: 'list',
      tenantLevel: true,
    },
    operations,
  ),
  act(
    {
      method: 'GET',
      path: `${GROUP_PATH}/outboundNetworkDependenciesEndpoints`,
      operation: 'ContainerGroups_GetOutboundNetworkDependenciesEndpoints',
      summary: 'What a group needs to reach so that it can be run: nothing, since the jar runs it',
      action: `${TYPE}/outboundNetworkDependenciesEndpoints/read`,
    },
    outboundDependencies,
  ),
  operation(
    {
      method: 'DELETE',
      path: `${SUBNET_PATH}/providers/${NAMESPACE}/serviceAssociationLinks/default`,
      operation: 'SubnetServiceAssociationLink_Delete',
      summary: 'Ends the hold of container groups on a subnet; the jar has none',
      action: `${NAMESPACE}/serviceAssociationLinks/delete`,
      resourceType: `${NAMESPACE}/serviceAssociationLinks`,
    },
    deleteLink,
  ),
  act(
    {
      method: 'POST',
      path: `${GROUP_PATH}/start`,
      operation: 'ContainerGroups_Start',
      summary: 'Starts a group that was stopped or has ended, as a new deployment; 204 when it runs or starts already',
      action: `${TYPE}/start/action`,
    },
    start,
  ),
  act(
    {
      method: 'POST',
      path: `${GROUP_PATH}/restart`,
      operation: 'ContainerGroups_Restart',
      summary: 'Restarts all containers of a group in place',
      action: `${TYPE}/restart/action`,
    },
    restart,
  ),
  act(
    {
      method: 'POST',
      path: `${GROUP_PATH}/stop`,
      operation: 'ContainerGroups_Stop',
      summary: 'Stops all containers of a group and gives its resources back; nothing happens to one that is down',
      action: `${TYPE}/stop/action`,
    },
    stopGroup,
  ),
  act(
    {
      method: 'GET',
      path: `${CONTAINER_PATH}/logs`,
      operation: 'Containers_ListLogs',
      summary: 'What a container wrote, the last 4 MB of it; of a stopped one the last 16 KB or 1000 lines',
      action: `${TYPE}/containers/logs/read`,
    },
    logs,
  ),
  act(
    {
      method: 'POST',
      path: `${CONTAINER_PATH}/exec`,
      operation: 'Containers_ExecuteCommand',
      summary: 'A WebSocket to a further process in a running container, on a terminal',
      action: `${TYPE}/containers/exec/action`,
    },
    exec,
  ),
  act(
    {
      method: 'POST',
      path: `${CONTAINER_PATH}/attach`,
      operation: 'Containers_Attach',
      summary: 'A WebSocket to the output of a running container from now on, and to its input',
      action: `${TYPE}/containers/attach/action`,
    },
    attach,
  ),
];
