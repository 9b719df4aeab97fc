import type { ReactNode } from 'react';
import type { Failure } from '../api/failure.ts';
import { classes } from '../style/class-names.ts';
import { CopyButton } from './copy.tsx';
import styles from './notice.module.css';

interface NoticeProps {
  readonly tone?: 'info' | 'warning' | 'failure' | 'success';
  readonly title?: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

export function Notice({ tone = 'info', title, children, actions }: NoticeProps) {
  return (
    <div className={classes(styles.notice, styles[tone])} role={tone === 'failure' ? 'alert' : 'note'}>
      <div className={styles.text}>
        {title !== undefined && <strong>{title}</strong>}
        {children}
      </div>
      {actions}
    </div>
  );
}

/** What failed, in the words of the jar. Data that is shown below it is the last known. */
export function FailureNotice({ failure, what }: { readonly failure: Failure | undefined; readonly what: string }) {
  if (!failure) return null;
  return (
    <Notice tone="failure" title={`${what} could not be read.`}>
      <span>
        {failure.message} <code>{failure.code}</code>
      </span>
    </Notice>
  );
}

interface EmptyProps {
  readonly title: string;
  /** What would be here. */
  readonly children?: ReactNode;
  /** The command or curl that makes the first one. */
  readonly command?: string;
  readonly actions?: ReactNode;
}

/** An empty state that teaches: what would be here, and how to make the first one. */
export function Empty({ title, children, command, actions }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {command !== undefined && <CodeBlock text={command} label="Copy the command" />}
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}

/** Text that a click copies. */
export function CodeBlock({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  return (
    <div className={styles.code}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}
