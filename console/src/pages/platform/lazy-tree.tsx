import { type ReactNode, useMemo, useState } from 'react';
import { useData } from '../../shared/api/use-data.ts';
import type { Signal } from '../../shared/live/signals.ts';
import { FailureNotice } from '../../shared/ui/notice.tsx';
import { Tree, type TreeNode } from '../../shared/ui/tree.tsx';
import styles from './lazy-tree.module.css';

export interface Item {
  readonly id: string;
  readonly text: string;
  readonly content?: ReactNode;
  /** It may have children, which are read when it is opened. */
  readonly isBranch: boolean;
}

interface Props {
  readonly label: string;
  /** Begins the keys of the data. */
  readonly dataKey: string;
  /** The children of an item; those of '' are the roots. */
  readonly childrenOf: (id: string, signal: AbortSignal) => Promise<readonly Item[]>;
  readonly on: readonly Signal[];
  readonly selected: string | undefined;
  /** The items above the selected one, which are open at first. */
  readonly above: readonly string[];
  readonly onSelect: (id: string) => void;
  readonly empty?: ReactNode;
}

/** More are not shown: nobody finds anything among them. */
const MOST = 1000;
/** Ends the ids of lines that stand for something that was not read. */
const STANDS_FOR = '\n';

/** A tree whose branches are read when they are opened, and again when somebody changes something. */
export function LazyTree({ label, dataKey, childrenOf, on, selected, above, onSelect, empty }: Props) {
  const [opened, setOpened] = useState<readonly string[]>([]);
  const [closed, setClosed] = useState<readonly string[]>([]);
  const expanded = [...new Set([...opened, ...above])].filter((id) => !closed.includes(id)).sort();
  const read = useData(
    [dataKey, 'tree', expanded],
    async (signal) => {
      const ids = ['', ...expanded];
      const found = await Promise.all(
        // A branch that was deleted meanwhile has no children; the roots must be readable.
        ids.map((id) => (id === '' ? childrenOf(id, signal) : childrenOf(id, signal).catch(() => []))),
      );
      return new Map(ids.map((id, index) => [id, found[index] ?? []]));
    },
    { on, keepPrevious: true },
  );
  const nodes = useMemo(() => (read.data ? nodesBelow('', read.data) : []), [read.data]);
  return (
    <div className={styles.tree}>
      <FailureNotice failure={read.failure} what={label} />
      {read.data && nodes.length === 0 ? (
        empty
      ) : (
        <Tree
          label={label}
          nodes={nodes}
          selected={selected}
          onSelect={(id) => id.endsWith(STANDS_FOR) || onSelect(id)}
          expanded={expanded}
          onExpand={(ids) => {
            setOpened(ids);
            setClosed(expanded.filter((id) => !ids.includes(id)));
          }}
        />
      )}
    </div>
  );
}

function nodesBelow(id: string, known: ReadonlyMap<string, readonly Item[]>): readonly TreeNode[] {
  const items = known.get(id) ?? [];
  const nodes = items.slice(0, MOST).map(
    ({ isBranch, ...item }): TreeNode => ({
      ...item,
      ...(isBranch && { children: known.has(item.id) ? filled(item.id, known) : [line(item.id, 'Reading…')] }),
    }),
  );
  return items.length > MOST ? [...nodes, line(`${id} more`, `${items.length - MOST} more`)] : nodes;
}

function filled(id: string, known: ReadonlyMap<string, readonly Item[]>): readonly TreeNode[] {
  const nodes = nodesBelow(id, known);
  return nodes.length === 0 ? [line(id, 'Empty')] : nodes;
}

const line = (id: string, text: string): TreeNode => ({
  id: id + STANDS_FOR,
  text,
  content: <span className={styles.soft}>{text}</span>,
});
