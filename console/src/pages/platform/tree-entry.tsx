import type { LucideIcon } from 'lucide-react';
import styles from './lazy-tree.module.css';

/** An entry of a tree: the icon tells its kind. */
export function TreeEntry({ icon: Icon, text }: { readonly icon: LucideIcon; readonly text: string }) {
  return (
    <span className={styles.entry}>
      <Icon size={14} aria-hidden />
      {text}
    </span>
  );
}
