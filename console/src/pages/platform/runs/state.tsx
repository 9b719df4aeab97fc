import { useNow } from '../../../shared/format/now.tsx';
import { longSpan } from '../../../shared/format/times.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { isActive, neverRan, type RunState, stateWord, toneOfState } from './api.ts';
import styles from './state.module.css';

export function RunBadge({ state }: { readonly state: RunState }) {
  return <Badge tone={toneOfState(state)}>{stateWord(state)}</Badge>;
}

interface Lasting {
  readonly state: RunState;
  readonly start_time: number;
  readonly end_time: number;
}

/** How long it took, or has taken until now by the jar's clock. */
export function Duration({ of }: { readonly of: Lasting }) {
  const { now } = useNow();
  return <span className={styles.duration}>{durationText(of, now)}</span>;
}

export function durationText({ state, start_time: start, end_time: end }: Lasting, now: number): string {
  if (neverRan(state)) return '';
  if (end > 0) return longSpan(end - start);
  return isActive(state) && state.life_cycle_state === 'RUNNING' ? longSpan(Math.max(0, now - start)) : '';
}
