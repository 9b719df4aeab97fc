import { type AnyArmCode, armRouteOf } from '../../../kernel/arm/index.ts';
import type { Method, Route } from '../../../kernel/http/index.ts';
import { EVENT_VERSIONS } from '../version-table.ts';
import { NAMESPACE } from '../versions.ts';
import { connectionCode } from './connections.ts';
import { LINKED_KINDS, type LinkedKind } from './kinds.ts';
import { linkResourceCode } from './link-resources.ts';

const GROUP = '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers';

interface Verb {
  readonly method: Method;
  readonly below: string;
  readonly operation: string;
  readonly summary: string;
  readonly permission: 'read' | 'write' | 'delete';
  readonly code: AnyArmCode;
}

const CONNECTION = '/{privateEndpointConnectionName}';

/** The API descriptions give operations of the three types the same names; the jar makes them unique. */
const verbsOf = (kind: LinkedKind): Readonly<Record<string, readonly Verb[]>> => {
  const connections = connectionCode(kind);
  const links = linkResourceCode(kind);
  return {
    privateEndpointConnections: [
      {
        method: 'GET',
        below: '',
        operation: 'PrivateEndpointConnections_List',
        summary: 'The private endpoint connections of the resource',
        permission: 'read',
        code: connections.list,
      },
      {
        method: 'GET',
        below: CONNECTION,
        operation: 'PrivateEndpointConnections_Get',
        summary: 'One private endpoint connection',
        permission: 'read',
        code: connections.get,
      },
      {
        method: 'PUT',
        below: CONNECTION,
        operation: 'PrivateEndpointConnections_Update',
        summary: 'Approves or rejects a private endpoint connection',
        permission: 'write',
        code: connections.put,
      },
      {
        method: 'DELETE',
        below: CONNECTION,
        operation: 'PrivateEndpointConnections_Delete',
        summary: 'Removes a private endpoint connection; 204 if it does not exist',
        permission: 'delete',
        code: connections.remove,
      },
    ],
    privateLinkResources: [
      {
        method: 'GET',
        below: '',
        operation: 'PrivateLinkResources_List',
        summary: 'The private link resources, which private endpoints can connect to',
        permission: 'read',
        code: links.list,
      },
      {
        method: 'GET',
        below: '/{privateLinkResourceName}',
        operation: 'PrivateLinkResources_Get',
        summary: 'One of these',
        permission: 'read',
        code: links.get,
      },
    ],
  };
};

export const privateLinkRoutes: readonly Route[] = LINKED_KINDS.flatMap((kind) =>
  Object.entries(verbsOf(kind)).flatMap(([name, verbs]) =>
    verbs.map(({ method, below, operation, summary, permission, code }) => {
      const type = `${kind.head.type}/${name}`;
      return armRouteOf(
        {
          method,
          path: `${GROUP}/${kind.head.type}/{parentName}/${name}${below}`,
          operation: `${operation}Of${kind.operations}`,
          summary,
          action: `${type}/${permission}`,
          resourceType: type,
          versions: EVENT_VERSIONS.of(type.slice(NAMESPACE.length + 1)),
        },
        code,
      );
    }),
  ),
);
