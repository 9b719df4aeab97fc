import { type Answer, noContent } from '../../../kernel/http/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import type { Principal, PrincipalKind } from '../accounts/collections.ts';
import { type PlatformCall, routeCode, standingIn } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { RESOURCE_KINDS } from './attributes.ts';
import { createResource } from './create.ts';
import { findResource } from './found.ts';
import { listResources } from './list.ts';
import { placeIn } from './place.ts';
import { projectionOf } from './projection.ts';
import { deleteResource } from './remove.ts';
import { patchResource, replaceResource } from './update.ts';
import { viewsOf } from './view.ts';

const TYPE = 'application/scim+json';

const scim = (status: number, body: JsonMembers): Answer => ({
  status,
  headers: { 'content-type': `${TYPE}; charset=utf-8` },
  body,
});

async function shownOf(call: PlatformCall, principal: Principal): Promise<JsonMembers> {
  const projection = projectionOf(call);
  const views = await viewsOf(call.jar.store, placeIn(call, principal.kind), [principal], projection);
  return projection.of(views[0] as JsonMembers);
}

/** What can be done with one kind of resource, wherever it is called. */
function codesOf(kind: PrincipalKind) {
  return {
    create: routeCode([], {
      handle: async (call) => scim(201, await shownOf(call, await createResource(call, kind))),
    }),
    list: routeCode([], { handle: async (call) => scim(200, await listResources(call, kind)) }),
    get: routeCode(['id'], {
      async handle(call) {
        const found = await findResource(call.jar.store, placeIn(call, kind), call.params.id);
        return scim(200, await shownOf(call, found));
      },
    }),
    replace: routeCode(['id'], {
      handle: async (call) => scim(200, await shownOf(call, await replaceResource(call, kind, call.params.id))),
    }),
    patch: routeCode(['id'], {
      async handle(call) {
        await patchResource(call, kind, call.params.id);
        return noContent();
      },
    }),
    remove: routeCode(['id'], {
      async handle(call) {
        await deleteResource(call, kind, call.params.id);
        return noContent();
      },
    }),
  };
}

interface Prefixes {
  /** Behind `/api/2.0`. */
  readonly path: string;
  /** In the rate table. */
  readonly bare: string;
  readonly operations: string;
  readonly of: string;
  readonly versions?: readonly string[];
  /** Who may write. Reading is for everybody in a workspace. */
  readonly writers: 'admin' | 'accountAdmin';
  readonly readers: 'user' | 'accountAdmin';
}

function rowsOf(prefixes: Prefixes, kind: PrincipalKind): readonly Operation[] {
  const { path: collection, title } = RESOURCE_KINDS[kind];
  const codes = codesOf(kind);
  const { path, bare, operations, of, versions, writers, readers } = prefixes;
  const name = `${operations}${collection}`;
  const row = (method: Operation['method'], end: string, code: keyof typeof codes, summary: string): Operation => ({
    method,
    path: `${path}/${collection}${end}`,
    bare: [`${bare}/${collection}${end}`],
    rated: `${bare}/${collection}${end}`,
    ...(versions && { versions }),
    operation: `${name}_${code}`,
    summary: `${title} of ${of}: ${summary}`,
    needs: method === 'GET' ? readers : writers,
    produces: TYPE,
    errors: 'scim',
    code: codes[code],
  });
  return [
    row('POST', '', 'create', 'create one'),
    row('GET', '', 'list', 'list them, filtered'),
    row('GET', '/{id}', 'get', 'read one'),
    row('PUT', '/{id}', 'replace', 'replace one'),
    row('PATCH', '/{id}', 'patch', 'change parts of one'),
    row('DELETE', '/{id}', 'remove', 'remove one'),
  ];
}

const WORKSPACE: Prefixes = {
  path: '/preview/scim/v2',
  bare: '/scim/v2',
  operations: 'scim',
  of: 'a workspace',
  writers: 'admin',
  readers: 'user',
};

const ACCOUNT: Prefixes = {
  path: '/accounts/{account_id}/scim/v2',
  bare: '/account-scim/v2',
  operations: 'accountScim',
  of: 'an account',
  versions: ['2.0', '2.1'],
  writers: 'accountAdmin',
  readers: 'accountAdmin',
};

const KINDS: readonly PrincipalKind[] = ['user', 'group', 'servicePrincipal'];

export const SCIM_OPERATIONS: readonly Operation[] = [
  ...[WORKSPACE, ACCOUNT].flatMap((prefixes) => KINDS.flatMap((kind) => rowsOf(prefixes, kind))),
  {
    method: 'GET',
    path: '/preview/scim/v2/Me',
    bare: ['/scim/v2/Me'],
    rated: '/scim/v2/Me',
    operation: 'scim_me',
    summary: 'Who the caller is',
    produces: TYPE,
    errors: 'scim',
    code: routeCode([], {
      async handle(call) {
        const { principal } = standingIn(call);
        const view = await shownOf(call, principal);
        // Clients read the name of the caller from `userName`, whatever the caller is.
        return scim(200, principal.applicationId ? { ...view, userName: principal.applicationId } : view);
      },
    }),
  },
];
