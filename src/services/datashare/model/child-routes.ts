import { type AnyArmCode, armRouteOf } from '../../../kernel/arm/index.ts';
import type { Method, Route } from '../../../kernel/http/index.ts';
import { NAMESPACE } from '../types.ts';
import { DATASHARE_VERSIONS } from '../version-table.ts';

const GROUP = '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}';

type Verb = 'put' | 'get' | 'delete' | 'list';

const VERBS: Readonly<Record<Verb, { method: Method; name: string; action: string; summary: string }>> = {
  put: { method: 'PUT', name: 'Create', action: 'write', summary: 'Creates or updates one of' },
  get: { method: 'GET', name: 'Get', action: 'read', summary: 'One of' },
  delete: { method: 'DELETE', name: 'Delete', action: 'delete', summary: 'Deletes one of' },
  list: { method: 'GET', name: 'List', action: 'read', summary: 'All of' },
};

interface Named {
  readonly type: string;
  readonly operations: string;
  readonly params: readonly string[];
}

/** For example `/subscriptions/…/accounts/{accountName}/shares/{shareName}`. */
export function pathTo({ type, params }: Pick<Named, 'type' | 'params'>): string {
  const steps = type.split('/').map((segment, i) => `${segment}${params[i] === undefined ? '' : `/{${params[i]}}`}`);
  return `${GROUP}/providers/${NAMESPACE}/${steps.join('/')}`;
}

/** The routes of a kind, for the operations that it supports. */
export function childRoutes(kind: Named, code: Readonly<Partial<Record<Verb, AnyArmCode>>>): Route[] {
  const { type, operations, params } = kind;
  return Object.entries(code).map(([verb, its]) => {
    const { method, name, action, summary } = VERBS[verb as Verb];
    const isList = verb === 'list';
    return armRouteOf(
      {
        method,
        path: pathTo({ type, params: isList ? params.slice(0, -1) : params }),
        operation: `${operations}_${name}`,
        summary: `${summary} ${NAMESPACE}/${type}`,
        action: `${NAMESPACE}/${type}/${action}`,
        resourceType: `${NAMESPACE}/${type}`,
        versions: DATASHARE_VERSIONS.of(type, `${operations}_${name}`),
        ...(verb !== 'delete' && { shows: isList ? ('list' as const) : ('one' as const) }),
      },
      its,
    );
  });
}

interface Action {
  /** The last path segment, for example `revoke`. */
  readonly name: string;
  readonly operation: string;
  readonly summary: string;
  /** A POST that only reads: it requires only read permission and counts as a read. */
  readonly isRead?: boolean;
  readonly shows?: 'one';
}

/** A POST action on a resource of a kind. */
export function actionRoute(kind: Named, { name, operation, summary, isRead, shows }: Action, code: AnyArmCode): Route {
  return armRouteOf(
    {
      method: 'POST',
      path: `${pathTo(kind)}/${name}`,
      operation: `${kind.operations}_${operation}`,
      summary,
      action: `${NAMESPACE}/${kind.type}/${name}/action`,
      resourceType: `${NAMESPACE}/${kind.type}`,
      versions: DATASHARE_VERSIONS.of(kind.type, `${kind.operations}_${operation}`),
      ...(isRead && { effect: 'read' as const }),
      ...(shows && { shows }),
    },
    code,
  );
}
