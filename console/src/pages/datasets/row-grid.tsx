import { ArrowDown, ArrowUp } from 'lucide-react';
import { classes } from '../../shared/style/class-names.ts';
import { isNumeric, type Value } from './api.ts';
import styles from './row-grid.module.css';

interface GridColumn {
  readonly name: string;
  readonly type: string;
  /** The property that `$orderby` takes, if rows can be ordered by this column. */
  readonly order?: string | undefined;
}

interface Props<Row> {
  readonly label: string;
  readonly columns: readonly GridColumn[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string | number;
  readonly cellOf: (row: Row, column: string) => Value | undefined;
  readonly isStale?: boolean;
  /** As in `$orderby`: `values/Amount desc`. */
  readonly order?: string | undefined;
  readonly onOrder?: (order: string | undefined) => void;
}

/** Rows whose columns are known at run time only: the header stays, and wide tables scroll. */
export function RowGrid<Row>({ label, columns, rows, keyOf, cellOf, isStale = false, order, onOrder }: Props<Row>) {
  const [property, direction] = order?.split(' ') ?? [];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes(styles.frame, isStale && styles.stale)} aria-label={label} tabIndex={0}>
      <table className={styles.grid}>
        <thead>
          <tr>
            {columns.map(({ name, type, order: by }) => {
              const isSorted = by !== undefined && by === property;
              const next = !isSorted ? `${by} desc` : direction === 'desc' ? `${by} asc` : undefined;
              return (
                <th
                  key={name}
                  scope="col"
                  className={classes(isNumeric(type) && styles.number)}
                  {...(isSorted && { 'aria-sort': direction === 'desc' ? 'descending' : 'ascending' })}
                >
                  {by === undefined || !onOrder ? (
                    name
                  ) : (
                    <button type="button" className={styles.sort} onClick={() => onOrder(next)}>
                      {name}
                      {isSorted &&
                        (direction === 'desc' ? (
                          <ArrowDown size={12} aria-hidden />
                        ) : (
                          <ArrowUp size={12} aria-hidden />
                        ))}
                    </button>
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row, index)}>
              {columns.map(({ name, type }) => (
                <Cell key={name} value={cellOf(row, name)} isNumber={isNumeric(type)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({ value, isNumber }: { readonly value: Value | undefined; readonly isNumber: boolean }) {
  if (value === null || value === undefined) return <td className={styles.blank}>blank</td>;
  const text = String(value);
  return (
    <td className={classes(isNumber && styles.number)} title={text}>
      {text}
    </td>
  );
}
