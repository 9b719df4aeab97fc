import type { PlatformCall } from '../jar.ts';
import type { TreeNode } from '../tree/collections.ts';
import { findForListing, objectInfo } from './objects.ts';
import { type Place, shownPath } from './places.ts';

/**
 * `GET /workspace/get-status`. The command line requests two more fields, which no published client has: the format in which a notebook is
 * written to disk, and the git folder that contains the object.
 */
export async function objectStatus(call: PlatformCall, place: Place) {
  const nodes = await findForListing(call, place);
  const node = nodes.at(-1);
  const { return_export_info: exportInfo, return_git_info: gitInfo } = call.query;
  return {
    ...objectInfo(shownPath(place, place.names), node),
    ...(exportInfo === 'true' && node?.type === 'NOTEBOOK' && { repos_export_format: node.exportFormat ?? 'SOURCE' }),
    ...(gitInfo === 'true' && gitInfoOf(nodes)),
  };
}

/** The path of a git folder never has the prefix `/Workspace`. */
function gitInfoOf(nodes: readonly TreeNode[]) {
  const node = nodes.find(({ repo }) => repo !== undefined);
  if (!node?.repo) return {};
  const { path, url, provider, branch, head } = node.repo;
  const refs = { ...(branch !== undefined && { branch }), head_commit_id: head };
  return { git_info: { id: Number(node.id), path, url, provider, ...refs } };
}
