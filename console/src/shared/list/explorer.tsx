import { ArrowLeft, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useGo } from '../address.ts';
import { useKeys } from '../keys.tsx';
import { classes } from '../style/class-names.ts';
import { IconButton } from '../ui/button.tsx';
import styles from './explorer.module.css';

interface Props {
  readonly list: ReactNode;
  /** The open thing; undefined if none is open. */
  readonly detail: ReactNode | undefined;
  /** The address of the list without an open thing. */
  readonly closed: string;
  /** Names what is open, for screen readers. */
  readonly label: string;
}

/** A list with the open thing beside it, or instead of it where there is little room. */
export function Explorer({ list, detail, closed, label }: Props) {
  const go = useGo();
  const isOpen = detail !== undefined;
  const close = (): void => go(closed, { keep: true });
  useKeys(isOpen ? [{ key: 'Escape', does: 'Back to the list', run: close }] : []);
  return (
    <div className={styles.outer}>
      <div className={classes(styles.explorer, isOpen && styles.open)}>
        <div className={styles.list}>{list}</div>
        {isOpen && (
          <section className={styles.detail} aria-label={label}>
            <div className={styles.close}>
              <span className={styles.back}>
                <IconButton label="Back to the list" icon={<ArrowLeft size={16} aria-hidden />} onPress={close} />
              </span>
              <span className={styles.cross}>
                <IconButton label="Close" icon={<X size={16} aria-hidden />} onPress={close} />
              </span>
            </div>
            {detail}
          </section>
        )}
      </div>
    </div>
  );
}
