import { ApiError } from '../../../../kernel/http/index.ts';
import { dbfsNames } from '../../dbfs/files.ts';
import { pathOf } from '../../tree/paths.ts';
import { treeOfWorkspace, workspaceNames } from '../../workspace/places.ts';

/** Directories as one text: the tree, followed by the path in it. */

const DBFS = /^(dbfs:\/|\/dbfs\/)/;

/** The directory that the `url` of a trigger names; undefined if the jar does not hold such a directory. */
export function placeOf(workspaceId: string, url: string): string | undefined {
  try {
    if (DBFS.test(url)) return `${workspaceId}/dbfs${pathOf(dbfsNames(url.replace(DBFS, '/')))}`;
    if (!url.startsWith('/') || url.startsWith('/Volumes/')) return undefined;
    return `${treeOfWorkspace(workspaceId)}${pathOf(workspaceNames(url))}`;
  } catch (error) {
    // For example a path with '..' in it.
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** Subject of a change record of a file. */
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

/** The root, each parent directory and the path itself: a directory is watched with its subdirectories. */
export const placesAbove = ({ tree, names }: ChangedPlace): readonly string[] =>
  Array.from({ length: names.length + 1 }, (_, count) => `${tree}${pathOf(names.slice(0, count))}`);
