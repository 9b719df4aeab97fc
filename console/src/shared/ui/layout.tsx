import type { ReactNode } from 'react';
import { classes } from '../style/class-names.ts';
import styles from './layout.module.css';

interface PageProps {
  readonly title: ReactNode;
  /** One sentence: what a person finds here. */
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  /** The content manages its own scrolling, as lists do. */
  readonly isFull?: boolean;
  readonly children: ReactNode;
}

export function Page({ title, about, actions, isFull = false, children }: PageProps) {
  return (
    <div className={classes(styles.page, isFull && styles.full)}>
      <header className={styles.head}>
        <div className={styles.titles}>
          <h1>{title}</h1>
          {about !== undefined && <p className={styles.about}>{about}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      <div className={styles.body}>{children}</div>
    </div>
  );
}

interface SectionProps {
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, actions, children }: SectionProps) {
  return (
    <section className={styles.section}>
      <header className={styles.sectionHead}>
        <h2>{title}</h2>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  );
}

/** Things side by side, wrapped when there is no room. */
export function Row({
  children,
  align = 'center',
}: {
  readonly children: ReactNode;
  readonly align?: 'center' | 'end' | 'start';
}) {
  return <div className={classes(styles.row, styles[align])}>{children}</div>;
}

/** Things below each other, with room between them. */
export function Stack({ children }: { readonly children: ReactNode }) {
  return <div className={styles.stack}>{children}</div>;
}

/** Equal columns as far as there is room for them. */
export function Grid({ children, least = 260 }: { readonly children: ReactNode; readonly least?: 180 | 260 | 400 }) {
  return <div className={classes(styles.grid, styles[`least${least}`])}>{children}</div>;
}

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
}

/** Names and values, for the facts of one thing. Facts without a value are left out. */
export function Facts({ facts }: { readonly facts: readonly (Fact | false | undefined)[] }) {
  const shown = facts.filter(
    (fact): fact is Fact => Boolean(fact) && (fact as Fact).value !== undefined && (fact as Fact).value !== '',
  );
  return (
    <dl className={styles.facts}>
      {shown.map(({ label, value }) => (
        <div key={label} className={styles.fact}>
          <dt>{label}</dt>
          <dd>{value ?? '—'}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A number that a person acts on, with what it counts. */
export function Figure({
  label,
  value,
  note,
  tone,
}: {
  readonly label: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
  readonly tone?: 'failure' | 'warning' | 'success' | undefined;
}) {
  return (
    <div className={styles.figure}>
      <span className={styles.figureLabel}>{label}</span>
      <span className={classes(styles.figureValue, tone && styles[tone])}>{value}</span>
      {note !== undefined && <span className={styles.figureNote}>{note}</span>}
    </div>
  );
}

export const Soft = ({ children }: { readonly children: ReactNode }) => <span className={styles.soft}>{children}</span>;

export const Mono = ({ children }: { readonly children: ReactNode }) => <span className={styles.mono}>{children}</span>;
