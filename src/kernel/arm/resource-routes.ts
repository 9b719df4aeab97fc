import type { Route } from '../http/route.ts';
import type { ResourceType } from './providers.ts';
import { resourceCode } from './resource-code.ts';
import type { ResourceDefinition } from './resource-definition.ts';
import { typePath } from './resource-path.ts';
import { armRouteOf } from './route.ts';

export type { ResourceDefinition, ResourceWrite } from './resource-definition.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a type prepares and keeps beside a resource is its own affair
type AnyDefinition = ResourceDefinition<any, any, any>;

export type ResourceHead = ResourceType & Pick<AnyDefinition, 'operations' | 'onDelete'>;

/** PUT, GET, PATCH, DELETE and both lists of a resource type; children have only the list by parent. */
export function resourceRoutes(definition: AnyDefinition): Route[] {
  const { type, apiVersions, operations, versions } = definition;
  const { collection, parents } = typePath(type);
  const byGroup = `/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/${collection}`;
  const bySubscription = `/subscriptions/{subscriptionId}/providers/${type}`;
  const one = `${byGroup}/{resourceName}`;
  const isChild = parents.length > 0;
  const code = resourceCode(definition);
  const ofTable = versions?.of(type.slice(type.indexOf('/') + 1));
  const common = { resourceType: type, apiVersions, versions: ofTable, shows: 'one' } as const;
  const routes = [
    armRouteOf(
      {
        ...common,
        method: 'PUT',
        path: one,
        operation: `${operations}_CreateOrUpdate`,
        summary: `Creates or updates a resource of the type ${type}`,
        action: `${type}/write`,
      },
      code.put,
    ),
    armRouteOf(
      {
        ...common,
        method: 'GET',
        path: one,
        operation: `${operations}_Get`,
        summary: `Gets a resource of the type ${type}`,
        action: `${type}/read`,
      },
      code.get,
    ),
    armRouteOf(
      {
        ...common,
        method: 'PATCH',
        path: one,
        operation: `${operations}_Update`,
        summary: `Updates a resource of the type ${type}`,
        action: `${type}/write`,
      },
      code.patch,
    ),
    armRouteOf(
      {
        ...common,
        method: 'DELETE',
        path: one,
        operation: `${operations}_Delete`,
        summary: `Deletes a resource of the type ${type}: 200, or 204 if it does not exist`,
        action: `${type}/delete`,
      },
      code.delete,
    ),
    armRouteOf(
      {
        ...common,
        shows: 'list',
        method: 'GET',
        path: byGroup,
        operation: isChild ? `${operations}_ListByParent` : `${operations}_ListByResourceGroup`,
        summary: `Lists the resources of the type ${type} in a ${isChild ? 'parent' : 'group'}`,
        action: `${type}/read`,
      },
      code.listByGroup,
    ),
  ];
  if (isChild) return routes;
  return [
    ...routes,
    armRouteOf(
      {
        ...common,
        shows: 'list',
        method: 'GET',
        path: bySubscription,
        operation: `${operations}_ListBySubscription`,
        summary: `Lists the resources of the type ${type} in a subscription`,
        action: `${type}/read`,
      },
      code.listBySubscription,
    ),
  ];
}
