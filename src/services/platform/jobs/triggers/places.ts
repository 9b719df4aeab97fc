import { ApiError } from '../../../../kernel/http/index.ts';
import { dbfsNames } from '../../dbfs/files.ts';
import { pathOf } from '../../tree/paths.ts';
import { treeOfWorkspace, workspaceNames } from '../../workspace/places.ts';

/** Directories by one text: the tree, then the path in it. */

const DBFS = /^(dbfs:\/|\/dbfs\/)/;

/** The directory that the `url` of a trigger names; undefined where it is not one that the jar holds. */
export function placeOf(workspaceId: string, url: string): string | undefined {
  try {
    if (DBFS.test(url)) return `${workspaceId}/dbfs${pathOf(dbfsNames(url.replace(DBFS, '/')))}`;
    if (!url.startsWith('/') || url.startsWith('/Volumes/')) return undefined;
    return `${treeOfWorkspace(workspaceId)}${pathOf(workspaceNames(url))}`;
  } catch (error) {
    // A path with '..' in it, for one.
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** What a change record of a file is about. */
export interface ChangedPlace {
  readonly tree: string;
  readonly names: readonly string[];
}

const SUBJECT = /^\/(\d+)\/(dbfs|workspace)(\/.*)$/s;

export function changedPlace(subject: string): ChangedPlace | undefined {
  const [, workspaceId, area, path] = SUBJECT.exec(subject) ?? [];
  if (workspaceId === undefined || path === undefined) return undefined;
  const tree = area === 'dbfs' ? `${workspaceId}/dbfs` : treeOfWorkspace(workspaceId);
  return { tree, names: path.split('/').filter((name) => name !== '') };
}

/** The root, each directory above, and the thing itself: a directory is watched as a whole. */
export const placesAbove = ({ tree, names }: ChangedPlace): readonly string[] =>
  Array.from({ length: names.length + 1 }, (_, count) => `${tree}${pathOf(names.slice(0, count))}`);
