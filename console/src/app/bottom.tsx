import { useState } from 'react';
import { Link } from 'wouter';
import { addressOf } from '../shared/address.ts';
import { shortCount } from '../shared/format/numbers.ts';
import type { ChangeRow, Frame, RequestRow } from '../shared/live/frame.ts';
import { useFrames } from '../shared/live/live.tsx';
import { StatusBadge } from '../shared/ui/badge.tsx';
import styles from './bottom.module.css';

interface Latest {
  readonly request?: RequestRow | undefined;
  readonly delivery?: RequestRow | undefined;
  readonly change?: ChangeRow | undefined;
}

/** What just happened, with the way there. */
export function Bottom() {
  const [latest, setLatest] = useState<Latest>({});
  const [total, setTotal] = useState(0);
  useFrames((frame) => {
    setTotal((before) => before + frame.requests.count);
    setLatest((before) => ({ ...before, ...newestOf(frame) }));
  });
  const { request, delivery, change } = latest;
  return (
    <footer className={styles.bottom}>
      {request && (
        <Link className={styles.entry} href={addressOf('requests', request.id)}>
          <StatusBadge status={request.status} /> {request.method} {request.path}
        </Link>
      )}
      {delivery?.delivery && (
        <Link className={styles.entry} href={addressOf('deliveries', delivery.delivery.id)}>
          <StatusBadge status={delivery.status} /> to {delivery.target}
        </Link>
      )}
      {change && (
        <span className={styles.entry}>
          {change.kind} {change.subject}
        </span>
      )}
      {!request && !delivery && !change && (
        <span className={styles.entry}>Nothing has happened since this page was opened.</span>
      )}
      <span className={styles.total}>{shortCount(total)} since opened</span>
    </footer>
  );
}

function newestOf({ requests, changes }: Frame): Latest {
  const request = requests.sample.find(({ direction }) => direction === 'inbound');
  const delivery = requests.sample.find(({ direction }) => direction === 'outbound');
  const [change] = changes.sample;
  return { ...(request && { request }), ...(delivery && { delivery }), ...(change && { change }) };
}
