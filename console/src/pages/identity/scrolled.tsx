import type { ReactNode } from 'react';
import styles from './scrolled.module.css';

/** Content that scrolls within the page, whose other parts manage their own scrolling. */
export function Scrolled({ children }: { readonly children: ReactNode }) {
  return <div className={styles.scrolled}>{children}</div>;
}
