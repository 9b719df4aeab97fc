import { Link } from 'wouter';
import { addressOf } from '../shared/address.ts';
import type { Page } from '../shared/page.ts';
import { classes } from '../shared/style/class-names.ts';
import styles from './navigation.module.css';

const GROUPS = [
  ['jar', 'Jar'],
  ['services', 'Services'],
  ['tools', 'Tools'],
] as const;

interface Props {
  readonly pages: readonly Page[];
  readonly current: Page | undefined;
  /** On a narrow screen, the navigation is shown on request. */
  readonly isShown: boolean;
}

export function Navigation({ pages, current, isShown }: Props) {
  return (
    <nav className={classes(styles.nav, isShown && styles.shown)} aria-label="Pages">
      {GROUPS.map(([group, title]) => {
        const members = pages.filter((page) => page.group === group);
        if (members.length === 0) return null;
        return (
          <div key={group}>
            <h2 className={styles.group}>{title}</h2>
            <ul className={styles.list}>
              {members.map((page) => (
                <li key={page.path}>
                  <Link
                    href={addressOf(page.path)}
                    className={styles.link}
                    {...(page === current && { 'aria-current': 'page' as const })}
                  >
                    <page.icon size={15} aria-hidden />
                    {page.title}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}
