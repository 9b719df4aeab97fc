import { resourceRoutes } from '../../../kernel/arm/resource-routes.ts';
import { type AnyArmCode, lazyArmRoute } from '../../../kernel/arm/route.ts';
import type { Method, Route } from '../../../kernel/http/route.ts';
import { CONTAINER_PATH, GROUP_PATH, LOCATION_PATH, SUBNET_PATH } from './paths.ts';
import { CONTAINER_GROUP_HEAD } from './types.ts';
import { API_VERSIONS, NAMESPACE, CONTAINER_GROUP_TYPE as TYPE } from './versions.ts';

const code = () => import('../code.ts');

interface Head {
  readonly method: Method;
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
  readonly action: string;
  readonly resourceType: string;
  readonly tenantLevel?: boolean;
}

const operation = (head: Head, load: () => Promise<AnyArmCode>): Route =>
  lazyArmRoute({ ...head, apiVersions: API_VERSIONS }, load);

/** What is done to a group or to one of its containers. */
const act = (head: Omit<Head, 'resourceType'>, load: () => Promise<AnyArmCode>): Route =>
  operation({ ...head, resourceType: TYPE }, load);

/** What there is in a region, and what is left of it. */
const inRegion = (name: string, what: string, summary: string, load: () => Promise<AnyArmCode>): Route =>
  operation(
    {
      method: 'GET',
      path: `${LOCATION_PATH}/${name}`,
      operation: `Location_${what}`,
      summary,
      action: `${NAMESPACE}/locations/${name}/read`,
      resourceType: `${NAMESPACE}/locations`,
    },
    load,
  );

export const containerRoutes: readonly Route[] = [
  ...resourceRoutes(CONTAINER_GROUP_HEAD, () => code().then((it) => it.CONTAINER_GROUP)),
  inRegion('usages', 'ListUsage', 'What a subscription uses in a region, and what it may', () =>
    code().then((it) => it.usages),
  ),
  inRegion('capabilities', 'ListCapabilities', 'How large groups may be in a region', () =>
    code().then((it) => it.capabilities),
  ),
  inRegion('cachedImages', 'ListCachedImages', 'The images that the engine has already', () =>
    code().then((it) => it.cachedImages),
  ),
  operation(
    {
      method: 'GET',
      path: `/providers/${NAMESPACE}/operations`,
      operation: 'Operations_List',
      summary: 'What the provider of container groups can do',
      action: `${NAMESPACE}/operations/read`,
      resourceType: `${NAMESPACE}/operations`,
      tenantLevel: true,
    },
    () => code().then((it) => it.operations),
  ),
  act(
    {
      method: 'GET',
      path: `${GROUP_PATH}/outboundNetworkDependenciesEndpoints`,
      operation: 'ContainerGroups_GetOutboundNetworkDependenciesEndpoints',
      summary: 'What a group needs to reach so that it can be run: nothing, since the jar runs it',
      action: `${TYPE}/outboundNetworkDependenciesEndpoints/read`,
    },
    () => code().then((it) => it.outboundDependencies),
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
    () => code().then((it) => it.deleteLink),
  ),
  act(
    {
      method: 'POST',
      path: `${GROUP_PATH}/start`,
      operation: 'ContainerGroups_Start',
      summary: 'Starts a group that was stopped or has ended, as a new deployment; 204 when it runs or starts already',
      action: `${TYPE}/start/action`,
    },
    () => code().then((it) => it.start),
  ),
  act(
    {
      method: 'POST',
      path: `${GROUP_PATH}/restart`,
      operation: 'ContainerGroups_Restart',
      summary: 'Restarts all containers of a group in place',
      action: `${TYPE}/restart/action`,
    },
    () => code().then((it) => it.restart),
  ),
  act(
    {
      method: 'POST',
      path: `${GROUP_PATH}/stop`,
      operation: 'ContainerGroups_Stop',
      summary: 'Stops all containers of a group and gives its resources back; nothing happens to one that is down',
      action: `${TYPE}/stop/action`,
    },
    () => code().then((it) => it.stopGroup),
  ),
  act(
    {
      method: 'GET',
      path: `${CONTAINER_PATH}/logs`,
      operation: 'Containers_ListLogs',
      summary: 'What a container wrote, the last 4 MB of it; of a stopped one the last 16 KB or 1000 lines',
      action: `${TYPE}/containers/logs/read`,
    },
    () => code().then((it) => it.logs),
  ),
  act(
    {
      method: 'POST',
      path: `${CONTAINER_PATH}/exec`,
      operation: 'Containers_ExecuteCommand',
      summary: 'A WebSocket to a further process in a running container, on a terminal',
      action: `${TYPE}/containers/exec/action`,
    },
    () => code().then((it) => it.exec),
  ),
  act(
    {
      method: 'POST',
      path: `${CONTAINER_PATH}/attach`,
      operation: 'Containers_Attach',
      summary: 'A WebSocket to the output of a running container from now on, and to its input',
      action: `${TYPE}/containers/attach/action`,
    },
    () => code().then((it) => it.attach),
  ),
];
