import type { ReactNode } from 'react';
import { classes } from '../style/class-names.ts';
import styles from './way.module.css';

export interface Step {
  readonly id: string;
  readonly title: ReactNode;
  readonly tone?: 'success' | 'warning' | 'failure' | 'info' | 'neutral' | undefined;
  readonly children?: ReactNode;
  /** Further ways that begin here: one per receiver. */
  readonly branches?: readonly (readonly Step[])[];
}

/** The way of something through the system, step by step, with a branch for each receiver. */
export function Way({ label, steps }: { readonly label: string; readonly steps: readonly Step[] }) {
  return (
    <ol className={styles.way} aria-label={label}>
      {steps.map((step) => (
        <li key={step.id} className={classes(styles.step, styles[step.tone ?? 'neutral'])}>
          <div className={styles.title}>{step.title}</div>
          {step.children}
          {step.branches && step.branches.length > 0 && (
            <div className={styles.branches}>
              {step.branches.map((branch) => (
                <Way key={branch[0]?.id} label="Branch" steps={branch} />
              ))}
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}
