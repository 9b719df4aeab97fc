import { Clock } from 'lucide-react';
import { Link } from 'wouter';
import { NOTABLE_OFFSET_MS, useNow } from '../shared/format/now.tsx';
import { exact, longSpan, relative } from '../shared/format/times.ts';
import { useFrame } from '../shared/live/live.tsx';
import styles from './clock-display.module.css';

/** The jar's time, whether it differs from the wall's, and when something is due next. Leads to the page of time. */
export function ClockDisplay() {
  const frame = useFrame();
  const { now, offset, mode } = useNow();
  if (!frame) return null;
  const due = frame.nextDue === null ? undefined : Date.parse(frame.nextDue);
  const moved =
    Math.abs(offset) > NOTABLE_OFFSET_MS
      ? `${longSpan(Math.abs(offset))} ${offset > 0 ? 'ahead' : 'behind'}`
      : undefined;
  return (
    <Link href="/time" className={styles.clock} title={`${exact(now)}, ${mode} clock`}>
      <Clock size={14} aria-hidden />
      <span className={styles.time}>{new Date(now).toISOString().slice(11, 19)}</span>
      <span className={styles.rest}>
        {mode === 'virtual' ? 'stands still' : moved}
        {due !== undefined && ` · next ${relative(due, now)}`}
      </span>
    </Link>
  );
}
