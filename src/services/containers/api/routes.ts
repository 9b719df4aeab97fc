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
  ofProfile('revisions', 'ListAllRevisions', 'The revisions of a container group profile, newest first', listRevisions),
  ofProfile(
    'revisions/{revisionNumber}',
    'GetByRevisionNumber',
    'One revision of a container group profile',
    getRevision,
  ),
  ...resourceRoutes(STANDBY_POOL).map(alwaysOk),
  ofPool('runtimeViews', 'ListByStandbyPool', 'The views of a standby pool, of which there is one', listRuntimeViews),
  ofPool('runtimeViews/{runtimeView}', 'Get', 'The number of instances in a standby pool, by state', getRuntimeView),
  inRegion('usages', 'ListUsage', 'Usage and quotas of a subscription in a region', usages),
  inRegion('capabilities', 'ListCapabilities', 'Maximum sizes of groups in a region', capabilities),
  inRegion('cachedImages', 'ListCachedImages', 'The images that the engine has cached', cachedImages),
  operation(
    {
      method: 'GET',
      path: `/providers/${NAMESPACE}/operations`,
      operation: 'Operations_List',
      summary: 'The operations of the provider of container groups',
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
      summary: 'The endpoints that a group needs to reach: none, because the jar runs it',
      action: `${TYPE}/outboundNetworkDependenciesEndpoints/read`,
    },
    outboundDependencies,
  ),
  operation(
    {
      method: 'DELETE',
      path: `${SUBNET_PATH}/providers/${NAMESPACE}/serviceAssociationLinks/default`,
      operation: 'SubnetServiceAssociationLink_Delete',
      summary: 'Removes the service association link of a subnet; a jar has none',
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
      summary: 'Starts a group that was stopped or has ended, as a new deployment; 204 if it already runs or starts',
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
      summary: 'Stops all containers of a group and releases its resources; no effect on a group that does not run',
      action: `${TYPE}/stop/action`,
    },
    stopGroup,
  ),
  act(
    {
      method: 'GET',
      path: `${CONTAINER_PATH}/logs`,
      operation: 'Containers_ListLogs',
      summary: "A container's output, the last 4 MB of it; for a stopped one the last 16 KB or 1000 lines",
      action: `${TYPE}/containers/logs/read`,
    },
    logs,
  ),
  act(
    {
      method: 'POST',
      path: `${CONTAINER_PATH}/exec`,
      operation: 'Containers_ExecuteCommand',
      summary: 'A WebSocket to a new process in a running container, with a terminal',
      action: `${TYPE}/containers/exec/action`,
    },
    exec,
  ),
  act(
    {
      method: 'POST',
      path: `${CONTAINER_PATH}/attach`,
      operation: 'Containers_Attach',
      summary: 'A WebSocket to the output (from now on) and the input of a running container',
      action: `${TYPE}/containers/attach/action`,
    },
    attach,
  ),
];
