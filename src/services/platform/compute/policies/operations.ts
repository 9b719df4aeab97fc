import { decodeSkipToken, encodeSkipToken, ok } from '../../../../kernel/http/index.ts';
import { listObjects, viewsOf } from '../../engine/list.ts';
import { pageSize } from '../../engine/paging.ts';
import { kindOperations } from '../../engine/wire.ts';
import { errors } from '../../errors.ts';
import { type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { tokenIn } from '../clusters/request.ts';
import { enforceCompliance, getCompliance, listCompliance } from './compliance.ts';
import { POLICY_FAMILIES, policyFamily } from './families.ts';
import { CLUSTER_POLICIES } from './kind.ts';

const PATH = '/policies/clusters';
const FAMILIES = '/policy-families';
const SORTS = { POLICY_CREATION_TIME: 'createdAt', POLICY_NAME: 'name' } as const;
const EVERYTHING = { usual: 100_000, most: 100_000 };

const wordOf = <Word extends string>(
  { query }: PlatformCall,
  name: string,
  words: readonly Word[],
  usual: Word,
): Word => {
  const sent = query[name];
  const word = sent === undefined || sent === '' ? usual : words.find((each) => each === sent);
  if (word === undefined)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The parameter '${name}' must be one of ${words.join(', ')}.` });
  return word;
};

const sortColumns = Object.keys(SORTS) as readonly (keyof typeof SORTS)[];

export const POLICY_OPERATIONS: readonly Operation[] = [
  ...kindOperations(CLUSTER_POLICIES, {
    of: 'Cluster policies',
    operations: 'clusterPolicies',
    create: { method: 'POST', path: `${PATH}/create`, needs: 'admin', answers: 'id' },
    get: { method: 'GET', path: `${PATH}/get`, id: 'query' },
    update: { method: 'POST', path: `${PATH}/edit`, needs: 'admin', id: 'body', replaces: true, answers: 'nothing' },
    remove: { method: 'POST', path: `${PATH}/delete`, needs: 'admin', id: 'body' },
  }),
  {
    method: 'GET',
    path: `${PATH}/list`,
    operation: 'clusterPolicies_list',
    summary: 'Cluster policies: list them',
    code: routeCode([], {
      async handle(call) {
        const column = wordOf(call, 'sort_column', sortColumns, 'POLICY_CREATION_TIME');
        const direction = wordOf(call, 'sort_order', ['ASC', 'DESC'], 'DESC');
        const order = { field: SORTS[column], descending: direction === 'DESC' };
        const { items } = await listObjects(call, CLUSTER_POLICIES, { sizes: EVERYTHING, order });
        const policies = await viewsOf(
          call,
          CLUSTER_POLICIES,
          items.map(({ value }) => value),
        );
        return ok({ policies });
      },
    }),
  },
  {
    method: 'GET',
    path: `${PATH}/get-compliance`,
    operation: 'clusterPolicies_getCompliance',
    summary: 'Checks whether a cluster complies with the current version of its policy',
    code: routeCode([], { handle: async (call) => ok(await getCompliance(call)) }),
  },
  {
    method: 'GET',
    path: `${PATH}/list-compliance`,
    operation: 'clusterPolicies_listCompliance',
    summary: 'Lists the clusters of a policy with their compliance',
    code: routeCode([], { handle: async (call) => ok(await listCompliance(call)) }),
  },
  {
    method: 'POST',
    path: `${PATH}/enforce-compliance`,
    operation: 'clusterPolicies_enforceCompliance',
    summary: 'Changes a cluster so that it complies with its policy',
    code: routeCode([], { handle: async (call) => ok(await enforceCompliance(call)) }),
  },
  {
    method: 'GET',
    path: FAMILIES,
    operation: 'policyFamilies_list',
    summary: 'Policy families: list them',
    code: routeCode([], {
      async handle(call) {
        const size = pageSize(call.query, undefined, 'max_results');
        const { vault } = call.jar;
        const token = tokenIn(call);
        const place = token === '' ? { from: 0 } : decodeSkipToken<{ readonly from: number }>(vault, FAMILIES, token);
        if (!place)
          throw errors.INVALID_PARAMETER_VALUE({ reason: "The parameter 'page_token' is not a token of this list." });
        const end = place.from + size;
        return ok({
          policy_families: POLICY_FAMILIES.slice(place.from, end),
          ...(end < POLICY_FAMILIES.length && { next_page_token: encodeSkipToken(vault, FAMILIES, { from: end }) }),
        });
      },
    }),
  },
  {
    method: 'GET',
    path: `${FAMILIES}/{id}`,
    operation: 'policyFamilies_get',
    summary: 'Policy families: read one',
    code: routeCode(['id'], {
      async handle({ params: { id } }) {
        const family = policyFamily(id);
        if (!family)
          throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `Policy family ${id.slice(0, 200)} does not exist.` });
        return ok(family);
      },
    }),
  },
];
