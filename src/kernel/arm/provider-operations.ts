import { Type } from 'typebox';
import { ok, type Route } from '../http/route.ts';
import type { Permission } from './permissions.ts';
import { withPrefix } from './resource-view.ts';
import { type ArmTraits, armRoute } from './route.ts';
import { spokenText, spokenTitle } from './spoken-prefix.ts';
import type { TypeVersions } from './versions/table.ts';

interface OperationsList {
  readonly namespace: string;
  /** Display name, for example `Vendor Data Share`. */
  readonly title: string;
  /** Prefix of this operation's name: names of operations are unique in a jar. */
  readonly operations: string;
  readonly versions?: TypeVersions;
  readonly apiVersions?: readonly string[];
  /** All routes of the provider. */
  readonly routes: readonly Route[];
}

const text = Type.String();

const ListSchema = Type.Object({
  value: Type.Array(
    Type.Object({
      name: text,
      display: Type.Object({ provider: text, resource: text, operation: text, description: text }),
      origin: text,
      isDataAction: Type.Boolean(),
    }),
  ),
});

/**
 * `GET /providers/{namespace}/operations`, for authors of role definitions: all permissions that the provider's routes require, described
 * by the summaries of the routes.
 */
export function operationsRoute({ namespace, title, operations, routes, ...versions }: OperationsList): Route {
  const own: Permission = { action: `${namespace}/operations/read`, summary: 'Lists the operations of the provider' };
  const listed = new Map([...routes.map(listedOf), own].map((each) => [each.action, each]));
  return armRoute({
    method: 'GET',
    path: `/providers/${namespace}/operations`,
    operation: `${operations}_List`,
    summary: own.summary,
    action: own.action,
    resourceType: `${namespace}/operations`,
    ...versions,
    tenantLevel: true,
    responses: { 200: ListSchema },
    handle(_call, { prefix }) {
      const value = [...listed.values()].map((each) => operationRow(each, title, prefix));
      return ok({ value });
    },
  });
}

/** A permission as an item of a list of operations. */
export function operationRow({ action, summary }: Permission, title: string, prefix: string): Record<string, unknown> {
  const [, ...words] = action.split('/');
  const display = {
    provider: spokenTitle(title, prefix),
    resource: words.slice(0, -1).join('/'),
    operation: words.at(-1),
    description: spokenText(summary, prefix),
  };
  return { name: withPrefix(action, prefix), display, origin: 'user,system', isDataAction: false };
}

function listedOf({ traits, summary }: Route): Permission {
  const { action } = (traits as { readonly arm: ArmTraits }).arm;
  return { action, summary };
}
