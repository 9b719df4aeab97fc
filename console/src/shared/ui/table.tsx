import type { ReactNode } from 'react';
import { classes } from '../style/class-names.ts';
import styles from './table.module.css';

export interface TableColumn<Item> {
  readonly title: string;
  readonly cell: (item: Item) => ReactNode;
  /** Numbers are aligned at their right. */
  readonly isNumber?: boolean;
}

interface Props<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item, index: number) => string;
  readonly columns: readonly TableColumn<Item>[];
  /** Shown instead of an empty table. */
  readonly empty?: ReactNode;
}

/** A small table that is shown whole; long lists use `List`. */
export function Table<Item>({ label, items, keyOf, columns, empty }: Props<Item>) {
  if (items.length === 0 && empty !== undefined) return <p className={styles.empty}>{empty}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={styles.frame} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" className={classes(isNumber && styles.number)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item, index) => (
            <tr key={keyOf(item, index)}>
              {columns.map(({ title, cell, isNumber }) => (
                <td key={title} className={classes(isNumber && styles.number)}>
                  {cell(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
