import { numericId } from '../../../kernel/ids/index.ts';
import type { Reader } from '../../../kernel/store/index.ts';
import { GateFullError } from '../../../kernel/values/index.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall } from '../jar.ts';
import { requireLevel } from '../permissions/guard.ts';
import { childrenOf } from '../tree/children.ts';
import { type RepoState, type TreeNode, treeNodes } from '../tree/collections.ts';
import {
  childrenKeyOf,
  claim,
  findById,
  follow,
  isDirectory,
  keyOf,
  newDirectory,
  schedulePurge,
} from '../tree/nodes.ts';
import { pathOf } from '../tree/paths.ts';
import { removeNodeWithContent } from '../tree/purge.ts';
import { workspaceErrors } from '../workspace/errors.ts';
import { guardedOf } from '../workspace/guarded.ts';
import { recordChange } from '../workspace/objects.ts';
import { checkNames, homeName, treeOf, workspaceNames } from '../workspace/places.ts';
import { type Checkout, checkOut, discardCheckout, keepCheckout } from './checkout.ts';
import { authorizationFor } from './credentials.ts';
import { gitErrors } from './errors.ts';
import { checkUrl, type GitSnapshot, openRemote, type Wanted } from './remote.ts';
import { type Cone, coneOf } from './sparse.ts';

/** A directory of the workspace that contains the files of a commit. */
export type RepoNode = TreeNode & { readonly repo: RepoState };

const isRepo = (node: TreeNode | undefined): node is RepoNode => node?.repo !== undefined;

/** The repo, with its parent directories. */
export async function findRepo(call: PlatformCall, id: string, level: string): Promise<readonly TreeNode[]> {
  const nodes = await findById(call.jar.store, treeOf(call), id);
  if (!nodes || !isRepo(nodes.at(-1)))
    throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `Repo ${id.slice(0, 100)} does not exist.` });
  requireLevel(call, guardedOf(nodes), level);
  return nodes;
}

export const repoOf = (nodes: readonly TreeNode[]): RepoNode => nodes.at(-1) as RepoNode;

export interface NewRepo {
  readonly url: string;
  readonly provider: string;
  readonly path: string | undefined;
  readonly patterns: readonly string[] | undefined;
  /** The id of the git credential to use. Default: the provider's default credential. */
  readonly credential: string | undefined;
}

function targetOf(call: PlatformCall, { url, path }: NewRepo): readonly string[] {
  const last =
    checkUrl(url)
      .pathname.split('/')
      .filter((name) => name !== '')
      .at(-1) ?? '';
  const named = decoded(last).replace(/\.git$/, '');
  const names = workspaceNames(path ?? `/Repos/${homeName(call)}/${named}`);
  if (names.length < 2 || (names[0] === 'Repos' && names.length !== 3))
    throw errors.INVALID_PARAMETER_VALUE({
      reason: "The field 'path' must name a directory below another one; in /Repos the form is /Repos/{folder}/{name}.",
    });
  return names;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Validates the parent directories of a new repo. Throws if it cannot be created there. */
function checkPlace(call: PlatformCall, names: readonly string[], way: Awaited<ReturnType<typeof follow>>): void {
  const last = way.nodes.at(-1);
  if (way.missing.length > 1 || (way.missing.length === 1 && last && !isDirectory(last)))
    throw workspaceErrors.RESOURCE_DOES_NOT_EXIST__Parent({ path: pathOf(names.slice(0, -1)) });
  if (way.missing.length === 0) throw workspaceErrors.RESOURCE_ALREADY_EXISTS({ path: pathOf(names) });
  if (way.nodes.some(isRepo))
    throw errors.INVALID_PARAMETER_VALUE({ reason: `${pathOf(names)} is within another repo.` });
  requireLevel(call, guardedOf(way.nodes), 'CAN_MANAGE');
  checkNames(call, names.slice(-1), names.length);
}

export async function createRepo(call: PlatformCall, given: NewRepo): Promise<RepoNode> {
  const { jar } = call;
  const { url, provider, patterns, credential } = given;
  const names = targetOf(call, given);
  const cone = patterns && coneOf(patterns);
  const tree = treeOf(call);
  checkPlace(call, names, await follow(jar.store, tree, names));
  const id = numericId();
  const source = { url, provider, credential, repo: id, wanted: {} };
  return withCheckout(call, source, { repo: id, names, cone, before: new Map() }, (checkout, snapshot) =>
    jar.store.transact(async (tx) => {
      const above = await follow(tx, tree, names.slice(0, -1));
      const parent = childrenKeyOf(above.nodes.at(-1));
      const name = names.at(-1) as string;
      const there = above.missing.length === 0 ? await claim(tx, tree, parent, name) : undefined;
      const nodes = there ? [...above.nodes, there] : above.nodes;
      checkPlace(call, names, { nodes, missing: there ? [] : [...above.missing, name] });
      await keepCheckout(tx, call, checkout);
      const { principal } = callerIdentity(call);
      const directory = newDirectory({ tree, parent, name, createdBy: principal.id, now: jar.clock.now() });
      const state = { url, provider, path: pathOf(names), ...(patterns && { sparse: patterns }) };
      const repo = { ...state, ...refsOf(snapshot), files: checkout.files };
      const node: RepoNode = { ...directory, id, type: 'REPO', inside: checkout.inside, repo };
      await tx.put(treeNodes, keyOf(node), node);
      await recordChange(tx, call, 'clone', names);
      return node;
    }),
  );
}

const refsOf = ({ branch, tag, head }: GitSnapshot) => ({
  head,
  ...(branch !== undefined && { branch }),
  ...(tag !== undefined && { tag }),
});

interface Source {
  readonly url: string;
  readonly provider: string;
  readonly credential: string | undefined;
  readonly repo: string;
  readonly wanted: Wanted;
}

/** Reads a commit, writes its files, and passes them to the caller; an unused checkout is removed. */
async function withCheckout<R>(
  call: PlatformCall,
  { provider, credential, ...source }: Source,
  target: Parameters<typeof checkOut>[2],
  use: (checkout: Checkout, snapshot: GitSnapshot) => Promise<R>,
): Promise<R> {
  const authorization = await authorizationFor(call, provider, credential);
  try {
    return await call.jar.checkouts.pass(async () => {
      const snapshot = await openRemote(call, { ...source, authorization });
      const checkout = await checkOut(call, snapshot, target);
      try {
        return await use(checkout, snapshot);
      } catch (error) {
        await discardCheckout(call, checkout);
        throw error;
      }
    });
  } catch (error) {
    if (error instanceof GateFullError)
      throw gitErrors.TEMPORARILY_UNAVAILABLE(undefined, { headers: { 'retry-after': '1' } });
    throw error;
  }
}

export interface RepoChange {
  readonly wanted: Wanted;
  readonly patterns: readonly string[] | undefined;
  readonly credential: string | undefined;
  /** Discards local changes, as the caller requests. */
  readonly discardsChanges: boolean;
}

/**
 * Checks out another branch or tag, or the newest commit of the current one. Local changes are never overwritten unless the caller requests
 * it.
 */
export async function updateRepo(call: PlatformCall, id: string, change: RepoChange): Promise<void> {
  const { jar } = call;
  const { wanted, patterns, credential, discardsChanges } = change;
  const nodes = await findRepo(call, id, 'CAN_EDIT');
  const node = repoOf(nodes);
  const { repo } = node;
  if (patterns && !repo.sparse)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: 'The repo was created without sparse checkout, which cannot be enabled later.',
    });
  const sparse = patterns ?? repo.sparse;
  const cone: Cone | undefined = sparse && coneOf(sparse);
  const isSaid = wanted.branch !== undefined || wanted.tag !== undefined;
  const same: Wanted = repo.tag === undefined ? { ...(repo.branch && { branch: repo.branch }) } : { tag: repo.tag };
  const names = nodes.map(({ name }) => name);
  const before = await contentOf(jar.store, node, discardsChanges);
  const { url, provider } = repo;
  const source = { url, provider, credential, repo: id, wanted: isSaid ? wanted : same };
  await withCheckout(call, source, { repo: id, names, cone, before }, (checkout, snapshot) =>
    jar.store.transact(async (tx) => {
      const now = (await follow(tx, node.tree, names.slice(0, -1))).missing.length;
      const current = now === 0 ? await claim(tx, node.tree, node.parent, node.name) : undefined;
      if (!current || current.inside !== node.inside)
        throw errors.ABORTED({ reason: `The repo ${repo.path} was changed by another call in the meantime.` });
      // Writers to the repo lock it as well, so this check sees everything they wrote since the first check.
      if (!discardsChanges) await contentOf(tx, node, false);
      await keepCheckout(tx, call, checkout);
      const { branch: _branch, tag: _tag, ...rest } = repo;
      const state = { ...rest, ...refsOf(snapshot), files: checkout.files, ...(sparse && { sparse }) };
      const after: RepoNode = {
        ...node,
        ...(current.acl && { acl: current.acl }),
        inside: checkout.inside,
        repo: state,
        modifiedAt: jar.clock.now(),
      };
      await tx.put(treeNodes, keyOf(after), after);
      await schedulePurge(tx, node.tree, childrenKeyOf(node), jar.clock.now());
      await recordChange(tx, call, 'checkout', names);
    }),
  );
}

/** The content of a repo by relative path. Throws if anything has changed since the last checkout, unless `anything` is set. */
async function contentOf(reader: Reader, node: RepoNode, anything: boolean): Promise<Map<string, TreeNode>> {
  const { path, files } = node.repo;
  const found = new Map<string, TreeNode>();
  let count = 0;
  const walk = async (inside: string, names: readonly string[]): Promise<void> => {
    for (const child of await childrenOf(reader, node.tree, inside, names)) {
      const below = [...names, child.name];
      found.set(pathOf(below), child);
      if (child.inside !== undefined) await walk(child.inside, below);
      else if (child.gitId === undefined && !anything)
        throw gitErrors.GIT_CONFLICT({ path, change: `${pathOf(below)} was written` });
      else count++;
    }
  };
  await walk(childrenKeyOf(node), []);
  if (count !== files && !anything)
    throw gitErrors.GIT_CONFLICT({ path, change: `${files - count} files were deleted` });
  return found;
}

export async function deleteRepo(call: PlatformCall, id: string): Promise<void> {
  const nodes = await findRepo(call, id, 'CAN_MANAGE');
  const { tree, parent, name } = repoOf(nodes);
  await call.jar.store.transact(async (tx) => {
    const node = await claim(tx, tree, parent, name);
    if (node?.id !== id) throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `Repo ${id} does not exist.` });
    await removeNodeWithContent(tx, call.jar, node);
    await recordChange(
      tx,
      call,
      'delete',
      nodes.map((each) => each.name),
    );
  });
}
