import { collection, set, text } from '../../../kernel/store/index.ts';
import { type AclEntry, readersOf } from '../permissions/acl.ts';

export type NodeType = 'DIRECTORY' | 'FILE' | 'NOTEBOOK' | 'REPO';

/** Source of the checkout of a repository. */
export interface RepoState {
  readonly url: string;
  readonly provider: string;
  /** Repositories keep the path at which they were created. */
  readonly path: string;
  readonly branch?: string;
  readonly tag?: string;
  readonly head: string;
  /** Cone patterns. Absent: the whole repository. */
  readonly sparse?: readonly string[];
  /** Number of files that the checkout has written. */
  readonly files: number;
}

/**
 * A file or directory. The key is `nodeKey`: the directory and the name. Children refer to a directory by its `inside` id, never by its
 * path, so that moving or deleting it is one write however large its content.
 */
export interface TreeNode {
  /** The tree: `<workspace>/dbfs`, `<workspace>/files`. */
  readonly tree: string;
  /** Digits; clients see the ids of workspace nodes. */
  readonly id: string;
  /** `inside` of its parent directory. */
  readonly parent: string;
  /** Only for directories: the value of `parent` in their children. */
  readonly inside?: string;
  readonly name: string;
  readonly type: NodeType;
  readonly blob?: string;
  readonly size?: number;
  readonly language?: string;
  /** Set for a notebook that was imported as a Jupyter file and is exported as one. */
  readonly exportFormat?: 'JUPYTER';
  readonly createdBy: string;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly acl?: readonly AclEntry[];
  readonly repo?: RepoState;
  /** The git object id of its bytes, as long as they are those of the checkout. */
  readonly gitId?: string;
}

/** `parent` of nodes in the root of a tree. */
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
