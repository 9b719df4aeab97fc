import { type Platform, writesTo } from '../api.ts';

export interface WorkspaceObject {
  readonly path: string;
  readonly object_type:
    | 'DIRECTORY'
    | 'NOTEBOOK'
    | 'FILE'
    | 'REPO'
    | 'LIBRARY'
    | 'DASHBOARD'
    | 'MLFLOW_EXPERIMENT'
    | string;
  readonly object_id: number;
  readonly language?: string;
  readonly size?: number;
  readonly created_at?: number;
  readonly modified_at?: number;
}

export const WORKSPACE = '/api/2.0/workspace';

export const WORKSPACE_CHANGE = [
  ...writesTo('workspace', 'repos'),
  '/api/2.0/workspace-files',
  '/api/2.0/mlflow/experiments',
] as const;

export const isFolder = ({ object_type: type }: WorkspaceObject): boolean => type === 'DIRECTORY' || type === 'REPO';

export async function entriesOf(platform: Platform, path: string, signal: AbortSignal) {
  const { objects = [] } = await platform.get<{ readonly objects?: readonly WorkspaceObject[] }>(
    `${WORKSPACE}/list`,
    { path },
    signal,
  );
  return objects.toSorted(
    (one, other) => Number(isFolder(other)) - Number(isFolder(one)) || one.path.localeCompare(other.path),
  );
}

/** `/Shared/a.py` as the segments of an address. */
export const segmentsOf = (path: string): readonly string[] => path.split('/').filter(Boolean);

export const pathOf = (segments: readonly string[]): string => `/${segments.join('/')}`;
