import { NOTABLE_OFFSET_MS, useNow } from './now.tsx';
import styles from './time.module.css';
import { exact, relative } from './times.ts';

interface Props {
  /** An ISO time or milliseconds. */
  readonly at: string | number | null | undefined;
  /** The time is of the system's clock, not of the jar's. */
  readonly wall?: boolean;
}

/** A time relative to now, with the exact one on hover; marked when the jar's clock differs from the wall's. */
export function Time({ at, wall = false }: Props) {
  const { now, offset } = useNow();
  if (at === null || at === undefined || at === '') return <span className={styles.none}>—</span>;
  const time = typeof at === 'number' ? at : Date.parse(at);
  if (Number.isNaN(time)) return <span>{String(at)}</span>;
  const isMoved = !wall && Math.abs(offset) > NOTABLE_OFFSET_MS;
  const title = isMoved ? `${exact(time)} by the jar's clock` : exact(time);
  return (
    <time className={isMoved ? styles.moved : styles.time} dateTime={new Date(time).toISOString()} title={title}>
      {relative(time, wall ? now - offset : now)}
    </time>
  );
}
