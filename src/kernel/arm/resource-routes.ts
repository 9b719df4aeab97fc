import type { Route } from '../http/route.ts';
import type { ResourceType } from './providers.ts';
import type { ResourceOperation } from './resource-code.ts';
import type { ResourceDefinition } from './resource-definition.ts';
import { type AnyArmCode, lazyArmRoute } from './route.ts';

export type { ResourceDefinition, ResourceWrite } from './resource-definition.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a type prepares and keeps beside a resource is its own affair
type AnyDefinition = ResourceDefinition<any, any, any>;

export type ResourceHead = ResourceType & Pick<AnyDefinition, 'operations' | 'onDelete'>;

/** PUT, GET, PATCH, DELETE and both lists of a resource type; the whole definition may come with the first call to one of them. */
export function resourceRoutes(definition: AnyDefinition): Route[];
export function resourceRoutes(head: ResourceHead, load: () => Promise<AnyDefinition>): Route[];
export function resourceRoutes(head: ResourceHead, load = async () => head as AnyDefinition): Route[] {
  const { type, apiVersions, operations } = head;
  const byGroup = `/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/${type}`;
  const bySubscription = `/subscriptions/{subscriptionId}/providers/${type}`;
  const one = `${byGroup}/{resourceName}`;
  let code: Readonly<Record<ResourceOperation, AnyArmCode>> | undefined;
  const codeOf = async (operation: ResourceOperation): Promise<AnyArmCode> => {
    const [{ resourceCode }, definition] = await Promise.all([import('./resource-code.ts'), load()]);
    code ??= resourceCode(definition);
    return code[operation];
  };
  const common = { resourceType: type, apiVersions };
  return [
    lazyArmRoute(
      {
        ...common,
        method: 'PUT',
        path: one,
        operation: `${operations}_CreateOrUpdate`,
        summary: `Creates or updates a resource of the type ${type}`,
        action: `${type}/write`,
      },
      () => codeOf('put'),
    ),
    lazyArmRoute(
      {
        ...common,
        method: 'GET',
        path: one,
        operation: `${operations}_Get`,
        summary: `One resource of the type ${type}`,
        action: `${type}/read`,
      },
      () => codeOf('get'),
    ),
    lazyArmRoute(
      {
        ...common,
        method: 'PATCH',
        path: one,
        operation: `${operations}_Update`,
        summary: `Changes a resource of the type ${type}`,
        action: `${type}/write`,
      },
      () => codeOf('patch'),
    ),
    lazyArmRoute(
      {
        ...common,
        method: 'DELETE',
        path: one,
        operation: `${operations}_Delete`,
        summary: `Deletes a resource of the type ${type}: 200, or 204 when there is none`,
        action: `${type}/delete`,
      },
      () => codeOf('delete'),
    ),
    lazyArmRoute(
      {
        ...common,
        method: 'GET',
        path: byGroup,
        operation: `${operations}_ListByResourceGroup`,
        summary: `The resources of the type ${type} in a group`,
        action: `${type}/read`,
      },
      () => codeOf('listByGroup'),
    ),
    lazyArmRoute(
      {
        ...common,
        method: 'GET',
        path: bySubscription,
        operation: `${operations}_ListBySubscription`,
        summary: `The resources of the type ${type} in a subscription`,
        action: `${type}/read`,
      },
      () => codeOf('listBySubscription'),
    ),
  ];
}
