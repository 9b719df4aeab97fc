import type { ReactNode } from 'react';
import type { Failure } from '../api/failure.ts';
import styles from './detail.module.css';
import { FailureNotice } from './notice.tsx';

interface Props {
  /** What kind of thing it is: `Delivery`. */
  readonly kind: string;
  readonly title: ReactNode;
  readonly badges?: ReactNode;
  readonly actions?: ReactNode;
  /** Why it could not be read (again). */
  readonly failure?: Failure | undefined;
  readonly children: ReactNode;
}

/** One thing: its name, its state, what can be done with it, then its tabs. */
export function Detail({ kind, title, badges, actions, failure, children }: Props) {
  return (
    <div className={styles.detail}>
      <header className={styles.head}>
        <p className={styles.kind}>{kind}</p>
        <h2 className={styles.title}>{title}</h2>
        {badges !== undefined && <div className={styles.row}>{badges}</div>}
        {actions !== undefined && <div className={styles.row}>{actions}</div>}
      </header>
      <FailureNotice failure={failure} what={kind} />
      {children}
    </div>
  );
}
