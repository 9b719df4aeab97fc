import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type CSSProperties, type MouseEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useAddressParam, useGo } from '../address.ts';
import { count, counted } from '../format/numbers.ts';
import { useKeys } from '../keys.tsx';
import { classes } from '../style/class-names.ts';
import { Button } from '../ui/button.tsx';
import { FailureNotice } from '../ui/notice.tsx';
import styles from './list.module.css';
import type { Rows } from './use-rows.ts';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** Width as in `grid-template-columns`: `8rem`, `2fr`. */
  readonly width: string;
  readonly cell: (row: Row) => ReactNode;
  /** The property that `$orderby` takes, if the list can be ordered by this column. */
  readonly order?: string;
  readonly isNumber?: boolean;
  /** Hidden where there is little room. */
  readonly isExtra?: boolean;
}

interface Props<Row> {
  /** What is listed, for screen readers and messages: `Deliveries`. */
  readonly label: string;
  readonly source: Rows<Row>;
  readonly keyOf: (row: Row) => string;
  /** Columns keep their order; the first links to the row. */
  readonly columns: readonly Column<Row>[];
  /** The address of a row. */
  readonly addressOf: (row: Row) => string;
  /** The key of the row that is open beside the list. */
  readonly open?: string | undefined;
  readonly empty: ReactNode;
  /** Whether the person sees the top of the list, where new rows of a followed list move in. */
  readonly onTop?: (isAtTop: boolean) => void;
}

const ROW_HEIGHT = 32;
const OVERSCAN = 12;
/** The next page is read when this many rows are left below. */
const AHEAD = 100;

/** The search parameter that keeps the order of a list in the address; its value goes into `$orderby`. */
export const ORDER_PARAM = 'order';

/** A long list: only the rows in view exist, and the next page is read before it is reached. */
export function List<Row>({ label, source, keyOf, columns, addressOf, open, empty, onTop }: Props<Row>) {
  const { rows, hasMore, loadMore, waiting, isWaitingCut, showWaiting, failure, isLoading, isStale } = source;
  const frame = useRef<HTMLDivElement>(null);
  const id = useId();
  const go = useGo();
  const openIndex = open === undefined ? -1 : rows.findIndex((row) => keyOf(row) === open);
  // By its key: rows move when others are added or removed above.
  const [focused, setFocused] = useState<string>();
  const focusedIndex = focused === undefined ? -1 : rows.findIndex((row) => keyOf(row) === focused);
  const current = openIndex >= 0 ? openIndex : focusedIndex;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= rows.length - AHEAD) loadMore();
  });

  const move = (by: number): void => {
    const next = Math.min(rows.length - 1, Math.max(0, current + by));
    const row = rows[next];
    setFocused(row && keyOf(row));
    virtual.scrollToIndex(next);
    // Beside an open detail, moving shows the next one at once.
    if (open !== undefined && row !== undefined) go(addressOf(row), { keep: true, replace: true });
  };
  const openCurrent = (): void => {
    const row = rows[current];
    if (row !== undefined) go(addressOf(row), { keep: true });
  };
  useKeys([
    { key: 'j', does: 'Next row', run: () => move(1) },
    { key: 'k', does: 'Previous row', run: () => move(-1) },
    { key: 'Enter', does: 'Open the row', run: openCurrent },
  ]);

  const template = columns.map(({ width }) => width).join(' ');
  const narrow = columns
    .filter(({ isExtra }) => !isExtra)
    .map(({ width }) => width)
    .join(' ');
  const variables = { '--columns': template, '--narrow-columns': narrow } as CSSProperties;
  const isEmpty = rows.length === 0 && !isLoading;
  const follow = (event: MouseEvent, row: Row): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || isControl(event.target)) return;
    go(addressOf(row), { keep: true });
  };
  return (
    <div className={styles.outer}>
      {/* That of an invalid filter is shown in the filter bar. */}
      {failure?.target !== '$filter' && <FailureNotice failure={failure} what={label} />}
      {waiting > 0 && (
        <div className={styles.waiting}>
          <Button
            look="main"
            onPress={() => {
              showWaiting();
              virtual.scrollToOffset(0);
            }}
          >
            {count(waiting)}
            {isWaitingCut && '+'} new
          </Button>
        </div>
      )}
      {isEmpty && !failure ? (
        empty
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a table cannot be virtual
        <div
          ref={frame}
          className={classes(styles.frame, isStale && styles.stale)}
          role="grid"
          tabIndex={0}
          aria-label={label}
          aria-rowcount={hasMore ? -1 : rows.length + 1}
          aria-busy={isLoading}
          {...(current >= 0 && { 'aria-activedescendant': `${id}-${current}` })}
          style={variables}
          onScroll={({ currentTarget }) => onTop?.(currentTarget.scrollTop < ROW_HEIGHT)}
          onKeyDown={(event) => {
            const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
            if (by === undefined) return;
            event.preventDefault();
            move(by);
          }}
        >
          {/* biome-ignore lint/a11y/useSemanticElements: as above */}
          {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus */}
          <div className={classes(styles.row, styles.head)} role="row" aria-rowindex={1}>
            {columns.map((column) => (
              <Head key={column.id} column={column} />
            ))}
          </div>
          {/* biome-ignore lint/a11y/useSemanticElements: as above */}
          <div className={styles.space} role="rowgroup" style={{ height: virtual.getTotalSize() }}>
            {items.map(({ key, index, start }) => {
              const row = rows[index];
              if (row === undefined) return null;
              return (
                // biome-ignore lint/a11y/useSemanticElements: as above
                // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus
                // biome-ignore lint/a11y/useKeyWithClickEvents: Enter is a key of the page
                <div
                  key={key}
                  id={`${id}-${index}`}
                  role="row"
                  aria-rowindex={index + 2}
                  aria-selected={index === openIndex}
                  className={classes(styles.row, styles.item, index === current && styles.current)}
                  style={{ transform: `translateY(${start}px)` }}
                  onClick={(event) => follow(event, row)}
                >
                  {columns.map(({ id: columnId, cell, isNumber, isExtra }, place) => (
                    // biome-ignore lint/a11y/useSemanticElements: as above
                    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus
                    <div
                      key={columnId}
                      role="gridcell"
                      className={classes(styles.cell, isNumber && styles.number, isExtra && styles.extra)}
                    >
                      {place === 0 ? (
                        <Link
                          href={addressOf(row) + location.search}
                          className={styles.link}
                          tabIndex={-1}
                          onClick={(event) => event.stopPropagation()}
                        >
                          {cell(row)}
                        </Link>
                      ) : (
                        cell(row)
                      )}
                    </div>
                  ))}
                </div>
              );
            })}
          </div>
        </div>
      )}
      <p className={styles.count}>
        {isLoading ? 'Reading…' : `${counted(rows.length, 'row')}${hasMore ? ' read, more follow' : ''}`}
      </p>
    </div>
  );
}

const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('button,a,input,label') !== null;

function Head<Row>({ column: { title, order, isNumber, isExtra } }: { readonly column: Column<Row> }) {
  const [sorted, sort] = useAddressParam(ORDER_PARAM);
  const [property, direction] = sorted?.split(' ') ?? [];
  const isSorted = order !== undefined && property === order;
  const next = !isSorted ? `${order} desc` : direction === 'desc' ? `${order} asc` : undefined;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be virtual
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus
    <div
      role="columnheader"
      className={classes(styles.cell, isNumber && styles.number, isExtra && styles.extra)}
      {...(isSorted && { 'aria-sort': direction === 'desc' ? 'descending' : 'ascending' })}
    >
      {order === undefined ? (
        title
      ) : (
        <button type="button" className={styles.sort} onClick={() => sort(next)}>
          {title}
          {isSorted && (direction === 'desc' ? <ArrowDown size={12} aria-hidden /> : <ArrowUp size={12} aria-hidden />)}
        </button>
      )}
    </div>
  );
}
