import { errorTable } from '../../../kernel/http/index.ts';
import { type Filter, pagesOf, type Reader } from '../../../kernel/store/index.ts';
import { nodeKey, type TreeNode, treeNodes } from './collections.ts';
import { pathOf } from './paths.ts';

/** Lists have no pagination. The service publishes no limit: its lists of this length end in a time-out. */
const MOST_LISTED = 100_000;

export const listErrors = errorTable({
  MAX_LIST_SIZE_EXCEEDED: [400, 'The directory {path} has more than {most} entries, the maximum of one list.'],
});

/** The content of a directory, ordered by name. `names` is its path, for the error if the list is too long. */
export async function childrenOf(
  reader: Pick<Reader, 'query'>,
  tree: string,
  inside: string,
  names: readonly string[],
  filter?: Filter,
): Promise<readonly TreeNode[]> {
  const children: TreeNode[] = [];
  const query = { prefix: nodeKey(tree, inside, ''), ...(filter && { filter }) };
  for await (const page of pagesOf(reader, treeNodes, query)) {
    for (const { value } of page) children.push(value);
    if (children.length > MOST_LISTED)
      throw listErrors.MAX_LIST_SIZE_EXCEEDED({ path: pathOf(names), most: MOST_LISTED });
  }
  return children;
}
