import type { ReactNode } from 'react';
import { classes } from '../style/class-names.ts';
import styles from './badge.module.css';

export type Tone = 'neutral' | 'success' | 'warning' | 'failure' | 'info' | 'accent';

/** A state in one word. The word carries the meaning; the colour repeats it. */
export function Badge({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={classes(styles.badge, styles[tone])}>{children}</span>;
}

export function StatusBadge({ status }: { readonly status: number | undefined }) {
  if (status === undefined) return <Badge tone="failure">no answer</Badge>;
  return <Badge tone={toneOfStatus(status)}>{status}</Badge>;
}

export function toneOfStatus(status: number): Tone {
  if (status >= 500) return 'failure';
  if (status >= 400) return 'warning';
  return status >= 300 ? 'info' : 'success';
}

const TONES: readonly (readonly [RegExp, Tone])[] = [
  [
    /^(succeeded|success|delivered|ready|running|active|online|finished|completed|healthy|accepted|enabled|open|on)$/i,
    'success',
  ],
  [
    /^(failed|failure|error|dead-?lettered|crashed|unhealthy|parked|expired|internal_error|dropped|rejected)$/i,
    'failure',
  ],
  [
    /^(queued|pending|waiting|retrying|degraded|stopping|throttled|paused|cancell?ed|canceling|stopped|terminated|skipped|disabled)$/i,
    'warning',
  ],
  [/^(creating|updating|deleting|inprogress|in_progress|leased|starting|starting_up|provisioning|building)$/i, 'info'],
];

/** A state word of any API with its usual colour. */
export function StateBadge({ state }: { readonly state: string | null | undefined }) {
  if (!state) return <Badge>unknown</Badge>;
  return <Badge tone={TONES.find(([words]) => words.test(state))?.[1] ?? 'neutral'}>{state}</Badge>;
}
