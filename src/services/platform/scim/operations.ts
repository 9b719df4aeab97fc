import { type Answer, noContent } from '../../../kernel/http/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import type { Principal, PrincipalKind } from '../accounts/collections.ts';
import { callerIdentity, type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { RESOURCE_KINDS } from './attributes.ts';
import { createResource } from './create.ts';
import { findDocument, listDocuments, serviceProviderConfig } from './discovery.ts';
import { findResource } from './found.ts';
import { isManagedGroup, requireGroupManager } from './group-managers.ts';
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

/** The operations on one resource kind, for every path prefix. */
function codesOf(kind: PrincipalKind) {
  return {
    create: routeCode([], {
      handle: async (call) => scim(201, await shownOf(call, await createResource(call, kind))),
    }),
    list: routeCode([], { handle: async (call) => scim(200, await listResources(call, kind)) }),
    get: routeCode(['id'], {
      async handle(call) {
        await requireGroupManager(call, kind, call.params.id);
        const found = await findResource(call.jar.store, placeIn(call, kind), call.params.id);
        return scim(200, await shownOf(call, found));
      },
    }),
    replace: routeCode(['id'], {
      async handle(call) {
        await requireGroupManager(call, kind, call.params.id);
        return scim(200, await shownOf(call, await replaceResource(call, kind, call.params.id)));
      },
    }),
    patch: routeCode(['id'], {
      async handle(call) {
        await requireGroupManager(call, kind, call.params.id);
        await patchResource(call, kind, call.params.id);
        return noContent();
      },
    }),
    remove: routeCode(['id'], {
      async handle(call) {
        await requireGroupManager(call, kind, call.params.id);
        await deleteResource(call, kind, call.params.id);
        return noContent();
      },
    }),
  };
}

interface Prefixes {
  /** Path after `/api/2.0`. */
  readonly path: string;
  /** Path in the rate table. */
  readonly bare: string;
  /** An additional path: the host of a workspace serves the resources of its account there. */
  readonly proxy?: string;
  readonly operations: string;
  readonly of: string;
  readonly versions?: readonly string[];
  /** Who may write. In a workspace, every user may read. */
  readonly writers: 'admin' | 'accountAdmin';
  readonly readers: 'user' | 'accountAdmin';
}

function rowsOf(prefixes: Prefixes, kind: PrincipalKind): readonly Operation[] {
  const { path: collection, title } = RESOURCE_KINDS[kind];
  const codes = codesOf(kind);
  const { path, bare, operations, of, versions, writers, readers } = prefixes;
  const further = [bare, ...(prefixes.proxy === undefined ? [] : [prefixes.proxy])];
  const name = `${operations}${collection}`;
  const row = (method: Operation['method'], end: string, code: keyof typeof codes, summary: string): Operation => ({
    method,
    path: `${path}/${collection}${end}`,
    bare: further.map((each) => `${each}/${collection}${end}`),
    rated: `${bare}/${collection}${end}`,
    ...(versions && { versions }),
    operation: `${name}_${code}`,
    summary: `${title} of ${of}: ${summary}`,
    // Managers of an account group need not be account administrators.
    needs: end !== '' && isManagedGroup(kind, writers) ? 'user' : method === 'GET' ? readers : writers,
    produces: TYPE,
    errors: 'scim',
    code: codes[code],
  });
  return [
    row('POST', '', 'create', 'create one'),
    row('GET', '', 'list', 'list them, filtered'),
    row('GET', '/{id}', 'get', 'read one'),
    row('PUT', '/{id}', 'replace', 'replace one'),
    row('PATCH', '/{id}', 'patch', 'change attributes of one'),
    row('DELETE', '/{id}', 'remove', 'remove one'),
  ];
}

/** Documents about the service itself. Callers who may read resources may read them. */
function discoveryOf({ path, bare, operations, of, versions, readers }: Prefixes): readonly Operation[] {
  const row = (end: string, verb: string, summary: string, code: Operation['code']): Operation => ({
    method: 'GET',
    path: `${path}/${end}`,
    bare: [`${bare}/${end}`],
    rated: `${bare}/${end}`,
    ...(versions && { versions }),
    operation: `${operations}_${verb}`,
    summary: `SCIM of ${of}: ${summary}`,
    needs: readers,
    produces: TYPE,
    errors: 'scim',
    code,
  });
  const named = (what: 'ResourceTypes' | 'Schemas', verb: string, summary: string) => [
    row(what, verb, summary, routeCode([], { handle: async ({ query }) => scim(200, listDocuments(what, query)) })),
    row(
      `${what}/{id}`,
      `${verb}One`,
      `one of ${summary}`,
      routeCode(['id'], { handle: async ({ params }) => scim(200, findDocument(what, params.id)) }),
    ),
  ];
  const config = routeCode([], { handle: async () => scim(200, serviceProviderConfig()) });
  return [
    row('ServiceProviderConfig', 'config', 'the features of the service', config),
    ...named('ResourceTypes', 'resourceTypes', 'the types of resources'),
    ...named('Schemas', 'schemas', 'the schemas of resources'),
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
  proxy: '/api/2.0/account/scim/v2',
  operations: 'accountScim',
  of: 'an account',
  versions: ['2.0', '2.1'],
  writers: 'accountAdmin',
  readers: 'accountAdmin',
};

const KINDS: readonly PrincipalKind[] = ['user', 'group', 'servicePrincipal'];

const me = routeCode([], {
  async handle(call) {
    const { principal } = callerIdentity(call);
    const view = await shownOf(call, principal);
    // Clients read the name of the caller from `userName`, whatever the kind of caller.
    return scim(200, principal.applicationId ? { ...view, userName: principal.applicationId } : view);
  },
});

export const SCIM_OPERATIONS: readonly Operation[] = [
  ...[WORKSPACE, ACCOUNT].flatMap(discoveryOf),
  ...[WORKSPACE, ACCOUNT].flatMap((prefixes) => KINDS.flatMap((kind) => rowsOf(prefixes, kind))),
  {
    method: 'GET',
    path: '/preview/scim/v2/Me',
    bare: ['/scim/v2/Me'],
    rated: '/scim/v2/Me',
    operation: 'scim_me',
    summary: 'Reads the caller',
    produces: TYPE,
    errors: 'scim',
    code: me,
  },
  {
    method: 'GET',
    path: '/accounts/{account_id}/scim/v2/Me',
    versions: ['2.0', '2.1'],
    bare: ['/account-scim/v2/Me', '/api/2.0/account/scim/v2/Me'],
    rated: '/account-scim/v2/Me',
    operation: 'accountScim_me',
    summary: 'Reads the caller as a principal of the account',
    needs: 'user',
    produces: TYPE,
    errors: 'scim',
    code: me,
  },
];
