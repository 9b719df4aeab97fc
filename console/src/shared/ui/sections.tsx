import { Link } from 'wouter';
import styles from './sections.module.css';

interface Section {
  readonly title: string;
  /** As made by `addressOf`. */
  readonly address: string;
  readonly isCurrent: boolean;
}

/** The parts of a page, each with an address of its own. */
export function Sections({ label, sections }: { readonly label: string; readonly sections: readonly Section[] }) {
  return (
    <nav className={styles.sections} aria-label={label}>
      {sections.map(({ title, address, isCurrent }) => (
        <Link
          key={address}
          href={address}
          className={styles.section}
          {...(isCurrent && { 'aria-current': 'page' as const })}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}
