import { Type } from 'typebox';
import {
  gatewayErrors,
  groupPath,
  type ResourceGroup,
  resources,
  type Subscription,
  spokenTitle,
  withPrefix,
} from '../../../kernel/arm/index.ts';
import { noContent, ok } from '../../../kernel/http/index.ts';
import { readCached } from '../../../kernel/store/index.ts';
import { armCode } from '../jar.ts';
import { NAMESPACE, CONTAINER_GROUP_TYPE as TYPE } from './versions.ts';

const PROVIDER = 'Vendor Container Instance';

/** Operations of the provider, for authors of roles: action, resource, operation name and description. */
const OPERATIONS: readonly (readonly [name: string, resource: string, operation: string, description: string])[] = [
  ['register/action', 'Subscription', 'Register', 'Registers the subscription for the provider.'],
  ['containerGroups/read', 'Container group', 'Get', 'Gets all container groups.'],
  ['containerGroups/write', 'Container group', 'Create or update', 'Creates or updates a container group.'],
  ['containerGroups/delete', 'Container group', 'Delete', 'Deletes a container group.'],
  ['containerGroups/restart/action', 'Container group', 'Restart', 'Restarts a container group.'],
  ['containerGroups/stop/action', 'Container group', 'Stop', 'Stops a container group.'],
  ['containerGroups/start/action', 'Container group', 'Start', 'Starts a container group.'],
  ['containerGroups/containers/exec/action', 'Container', 'Exec', 'Runs a command in a container.'],
  ['containerGroups/containers/attach/action', 'Container', 'Attach', 'Attaches to the output of a container.'],
  ['containerGroups/containers/logs/read', 'Container', 'Get logs', 'Gets the log of a container.'],
  ['containerGroupProfiles/read', 'Container group profile', 'Get', 'Gets all container group profiles.'],
  [
    'containerGroupProfiles/write',
    'Container group profile',
    'Create or update',
    'Creates or updates a container group profile.',
  ],
  ['containerGroupProfiles/delete', 'Container group profile', 'Delete', 'Deletes a container group profile.'],
  [
    'containerGroupProfiles/revisions/read',
    'Container group profile',
    'Get revisions',
    'Gets the revisions of a container group profile.',
  ],
  [
    'containerGroups/outboundNetworkDependenciesEndpoints/read',
    'Container group',
    'Get outbound dependencies',
    'Gets the endpoints that a container group needs to reach.',
  ],
  ['locations/usages/read', 'Location', 'Get usage', 'Gets the usage of a region.'],
  ['locations/capabilities/read', 'Location', 'Get capabilities', 'Gets the capabilities of a region.'],
  ['locations/cachedImages/read', 'Location', 'Get cached images', 'Gets the cached images of a region.'],
  ['locations/operations/read', 'Operation', 'Get operation', 'Gets the status of an operation.'],
  ['operations/read', 'Provider', 'List operations', 'Lists the operations of the provider.'],
  ['serviceAssociationLinks/delete', 'Service association link', 'Delete', 'Deletes the link to a subnet.'],
];

export const operations = armCode([], {
  handle(_call, arm) {
    const value = OPERATIONS.map(([name, resource, operation, description]) => ({
      name: withPrefix(`${NAMESPACE}/${name}`, arm.prefix),
      display: { provider: spokenTitle(PROVIDER, arm.prefix), resource, operation, description },
      origin: 'User',
    }));
    return ok({ value });
  },
});

export const outboundDependencies = armCode(['containerGroupName'], {
  responses: { 200: Type.Array(Type.String()) },
  async handle(call, arm) {
    const { name: group } = arm.group as ResourceGroup;
    const { subscriptionId } = arm.subscription as Subscription;
    const name = call.params.containerGroupName;
    const id = `${groupPath(subscriptionId, group)}/providers/${TYPE}/${name}`;
    if (!(await readCached(call.jar.store, resources, id.toLowerCase())))
      throw gatewayErrors.ResourceNotFound({ type: TYPE, name, group });
    return ok([]);
  },
});

export const deleteLink = armCode([], {
  handle: () => noContent(),
});
