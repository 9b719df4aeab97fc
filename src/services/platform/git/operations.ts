import { ok } from '../../../kernel/http/index.ts';
import type { Filter } from '../../../kernel/store/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import { completeFields, type FieldRules, readFields } from '../engine/fields.ts';
import { readPage } from '../engine/paging.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { allows } from '../permissions/guard.ts';
import { type TreeNode, treeNodes } from '../tree/collections.ts';
import { follow } from '../tree/nodes.ts';
import { namesOn } from '../tree/paths.ts';
import { guardedOf } from '../workspace/guarded.ts';
import { ensureHome, ensureReposHome, treeOf, workspaceNames } from '../workspace/places.ts';
import { providerOf } from './providers.ts';
import { isRefName } from './remote.ts';
import { createRepo, deleteRepo, findRepo, repoOf, updateRepo } from './repos.ts';

/** The service's own page size, which clients cannot change. */
const PAGE = 20;

const CREATE: FieldRules = {
  url: { type: 'string', required: true, least: 1, most: 2000 },
  provider: { type: 'string', required: true },
  path: { type: 'string' },
  sparse_checkout: { type: 'object' },
  git_credential_id: { type: 'integer' },
};

const UPDATE: FieldRules = {
  branch: { type: 'string', least: 1, most: 1000 },
  tag: { type: 'string', least: 1, most: 1000 },
  sparse_checkout: { type: 'object' },
  git_credential_id: { type: 'integer' },
  dangerously_force_discard_all: { type: 'boolean' },
};

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const credentialIn = (value: unknown): string | undefined => (typeof value === 'number' ? String(value) : undefined);

function refIn(value: unknown, field: string): string | undefined {
  const said = text(value);
  if (said === undefined || isRefName(said)) return said;
  throw errors.INVALID_PARAMETER_VALUE({ reason: `The field '${field}' is not a valid name of a ${field}.` });
}

function patternsIn(sparse: unknown): readonly string[] | undefined {
  if (!isObject(sparse)) return undefined;
  const { patterns = [] } = sparse;
  if (Array.isArray(patterns) && patterns.every((each) => typeof each === 'string')) return patterns;
  throw errors.MALFORMED_REQUEST({
    reason: "Could not parse request object: the field 'sparse_checkout.patterns' must be an array of texts.",
  });
}

const view = ({ id, repo }: TreeNode) =>
  repo && {
    id: Number(id),
    path: repo.path,
    url: repo.url,
    provider: repo.provider,
    ...(repo.branch !== undefined && { branch: repo.branch }),
    head_commit_id: repo.head,
    ...(repo.sparse && { sparse_checkout: { patterns: repo.sparse } }),
  };

/** A page contains the repos that the caller may read. It is only empty if nothing follows, since clients stop at an empty page. */
async function listRepos(call: PlatformCall) {
  const tree = treeOf(call);
  const prefix = text(call.query.path_prefix);
  const below = prefix === undefined || prefix === '' ? '/' : `/${workspaceNames(prefix).join('/')}`;
  const filter: Filter = { op: 'startsWith', field: 'repo', value: `${tree}${below}` };
  let token: unknown = call.query.next_page_token;
  for (;;) {
    const { items, next } = await readPage(
      { ...call, query: { ...call.query, next_page_token: token } },
      {
        collection: treeNodes,
        query: { filter, order: [{ field: 'repo' }] },
        size: PAGE,
        parameter: 'next_page_token',
      },
    );
    const repos = [];
    for (const { value } of items) if (await mayRead(call, value)) repos.push(view(value));
    if (repos.length > 0 || next === undefined) return { repos, ...(next !== undefined && { next_page_token: next }) };
    token = next;
  }
}

/** Also false for a repo that is no longer linked. */
async function mayRead(call: PlatformCall, { id, repo }: TreeNode): Promise<boolean> {
  const { nodes } = await follow(call.jar.store, treeOf(call), namesOn(repo?.path ?? '/'));
  return nodes.at(-1)?.id === id && allows(call, guardedOf(nodes), 'CAN_READ');
}

const PATH = '/repos';
const ONE = `${PATH}/{repo_id}`;

const head = (verb: string, summary: string, path: string) => ({
  path,
  bare: [path],
  operation: `repos_${verb}`,
  summary: `Git folders: ${summary}`,
});

export const REPO_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    ...head('create', 'clone a repository', PATH),
    code: routeCode([], {
      async handle(call) {
        await ensureHome(call);
        await ensureReposHome(call);
        const sent = completeFields(CREATE, readFields(CREATE, call.body ?? {}));
        const repo = await createRepo(call, {
          url: String(sent.url),
          provider: providerOf(String(sent.provider), 'provider'),
          path: text(sent.path),
          patterns: patternsIn(sent.sparse_checkout),
          credential: credentialIn(sent.git_credential_id),
        });
        return ok(view(repo));
      },
    }),
  },
  {
    method: 'GET',
    ...head('list', 'list those that the caller may read', PATH),
    code: routeCode([], { handle: async (call) => ok(await listRepos(call)) }),
  },
  {
    method: 'GET',
    ...head('get', 'read one', ONE),
    code: routeCode(['repo_id'], {
      handle: async (call) => ok(view(repoOf(await findRepo(call, call.params.repo_id, 'CAN_READ')))),
    }),
  },
  {
    method: 'PATCH',
    ...head('update', 'check out a branch or tag, or its newest commit', ONE),
    code: routeCode(['repo_id'], {
      async handle(call) {
        const sent = readFields(UPDATE, call.body ?? {});
        const branch = refIn(sent.branch, 'branch');
        const tag = refIn(sent.tag, 'tag');
        const patterns = patternsIn(sent.sparse_checkout);
        if (branch !== undefined && tag !== undefined)
          throw errors.INVALID_PARAMETER_VALUE({ reason: "Only one of 'branch' and 'tag' may be given." });
        if (branch === undefined && tag === undefined && patterns === undefined)
          throw errors.INVALID_PARAMETER_VALUE({ reason: "One of 'branch' and 'tag' must be given." });
        const wanted = { ...(branch !== undefined && { branch }), ...(tag !== undefined && { tag }) };
        await updateRepo(call, call.params.repo_id, {
          wanted,
          patterns,
          credential: credentialIn(sent.git_credential_id),
          discardsChanges: sent.dangerously_force_discard_all === true,
        });
        return ok({});
      },
    }),
  },
  {
    method: 'DELETE',
    ...head('delete', 'delete one', ONE),
    code: routeCode(['repo_id'], {
      async handle(call) {
        await deleteRepo(call, call.params.repo_id);
        return ok({});
      },
    }),
  },
];
