import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import styles from './sections.module.css';

export const SECTIONS = [
  { id: 'users', title: 'Users' },
  { id: 'applications', title: 'Applications' },
  { id: 'tokens', title: 'Tokens' },
  { id: 'sign-ins', title: 'Sign-in log' },
  { id: 'tenants', title: 'Tenants' },
] as const;

export type Section = (typeof SECTIONS)[number]['id'];

/** The parts of the page, each with an address. */
export function Sections({ current }: { readonly current: Section }) {
  return (
    <nav className={styles.sections} aria-label="Parts of the page">
      {SECTIONS.map(({ id, title }) => (
        <Link
          key={id}
          href={addressOf('identity', id)}
          className={styles.section as string}
          {...(id === current && { 'aria-current': 'page' as const })}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}
