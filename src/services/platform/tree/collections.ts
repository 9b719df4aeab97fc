import { collection, set, text } from '../../../kernel/store/index.ts';
import { type AclEntry, readersOf } from '../permissions/acl.ts';

export type NodeType = 'DIRECTORY' | 'FILE' | 'NOTEBOOK' | 'REPO';

/** What a repository is checked out from. */
export interface RepoState {
  readonly url: string;
  readonly provider: string;
  /** Repositories stay where they were made. */
  readonly path: string;
  readonly branch?: string;
  readonly tag?: string;
  readonly head: string;
  /** Cone patterns; absent: everything. */
  readonly sparse?: readonly string[];
  /** How many files the checkout has written. */
  readonly files: number;
}

/**
 * A file or directory. The key is `nodeKey`: the directory and the name. A directory is named by what its children have as `parent`, never by its path, so
 * that moving or deleting one is one write however much is in it.
 */
export interface TreeNode {
  /** Which tree: `<workspace>/dbfs`, `<workspace>/files`. */
  readonly tree: string;
  /** Digits; those of the workspace are seen by clients. */
  readonly id: string;
  /** `inside` of the directory that it is in. */
  readonly parent: string;
  /** Of directories: what their children have as `parent`. */
  readonly inside?: string;
  readonly name: string;
  readonly type: NodeType;
  readonly blob?: string;
  readonly size?: number;
  readonly language?: string;
  /** Of a notebook that came as a Jupyter file, and is one when it is written to disk again. */
  readonly exportFormat?: 'JUPYTER';
  readonly createdBy: string;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly acl?: readonly AclEntry[];
  readonly repo?: RepoState;
  /** The object id that git has for its bytes, as long as they are those of the checkout. */
  readonly gitId?: string;
}

/** `parent` of what is in the root of a tree. */
export const ROOT = 'root';

export const treeNodes = collection<TreeNode>('platform.tree_nodes', {
  fields: {
    id: text(({ tree, id }) => `${tree}/${id}`),
    inside: text(({ tree, inside }) => inside && `${tree}/${inside}`),
    repo: text(({ tree, repo }) => repo && `${tree}${repo.path}`),
    readers: set(readersOf),
  },
  indexes: [['id'], ['inside'], ['repo']],
});

export const nodeKey = (tree: string, parent: string, name: string): string => `${tree}/${parent}/${name}`;

export const TREE_COLLECTIONS = [treeNodes] as const;
