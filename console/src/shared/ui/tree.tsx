import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button as AriaButton, Tree as AriaTree, Collection, TreeItem, TreeItemContent } from 'react-aria-components';
import styles from './tree.module.css';

export interface TreeNode {
  /** Unique in the tree. */
  readonly id: string;
  /** For typing ahead and screen readers. */
  readonly text: string;
  readonly content?: ReactNode;
  readonly children?: readonly TreeNode[];
}

interface Props {
  readonly label: string;
  readonly nodes: readonly TreeNode[];
  readonly selected?: string | undefined;
  readonly onSelect: (id: string) => void;
  readonly expanded?: readonly string[];
  readonly onExpand?: (ids: readonly string[]) => void;
  readonly defaultExpanded?: readonly string[];
}

/** A tree of things, walked by the arrow keys. */
export function Tree({ label, nodes, selected, onSelect, expanded, onExpand, defaultExpanded }: Props) {
  return (
    <AriaTree
      className={styles.tree as string}
      aria-label={label}
      items={nodes}
      selectionMode="single"
      selectionBehavior="replace"
      selectedKeys={selected === undefined ? [] : [selected]}
      onSelectionChange={(keys) => {
        const [key] = keys === 'all' ? [] : [...keys];
        if (key !== undefined) onSelect(String(key));
      }}
      onExpandedChange={(keys) => onExpand?.([...keys].map(String))}
      {...(expanded && { expandedKeys: expanded })}
      {...(defaultExpanded && { defaultExpandedKeys: defaultExpanded })}
    >
      {(node) => <Branch node={node} />}
    </AriaTree>
  );
}

function Branch({ node }: { readonly node: TreeNode }) {
  const { id, text, content, children } = node;
  return (
    <TreeItem id={id} textValue={text} className={styles.item as string}>
      <TreeItemContent>
        {({ hasChildItems }) => (
          <span className={styles.content}>
            {hasChildItems ? (
              <AriaButton slot="chevron" className={styles.chevron as string}>
                <ChevronRight size={14} aria-hidden />
              </AriaButton>
            ) : (
              <span className={styles.chevron} />
            )}
            <span className={styles.text}>{content ?? text}</span>
          </span>
        )}
      </TreeItemContent>
      {children && children.length > 0 && (
        <Collection items={children}>{(child) => <Branch node={child} />}</Collection>
      )}
    </TreeItem>
  );
}
