import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { useNow } from '../../shared/format/now.tsx';
import { count } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { Badge } from '../../shared/ui/badge.tsx';
import { Section, Soft } from '../../shared/ui/layout.tsx';
import styles from './overview.module.css';
import type { Overview } from './use-overview.ts';

type Queue = Overview['queues'][number];

const MOST_SHOWN = 5;
/** Work is due for a moment before it runs. */
const OVERDUE_MS = 2_000;

/** What waits for its time, and how old the oldest of it is. */
export function DueWork({ queues }: { readonly queues: readonly Queue[] }) {
  const list = addressOf('time', 'work');
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0);
  const parked = queues.reduce((sum, queue) => sum + queue.parked, 0);
  const shown = queues.toSorted((a, b) => b.parked - a.parked || oldest(a) - oldest(b)).slice(0, MOST_SHOWN);
  return (
    <Section
      title="Due work"
      actions={
        <span className={styles.links}>
          {parked > 0 && <Link href={`${list}?show=parked`}>{count(parked)} parked</Link>}
          <Link href={addressOf('time')}>{count(waiting)} waiting</Link>
        </span>
      }
    >
      {shown.length === 0 ? (
        <Soft>Nothing waits for its time.</Soft>
      ) : (
        <ul className={styles.list}>
          {shown.map((queue) => (
            <li key={queue.kind}>
              <Link
                href={`${list}?filter=${encodeURIComponent(`kind eq '${queue.kind}'`)}`}
                className={styles.sideRow}
                title={queue.kind}
              >
                <span className={styles.what}>{queue.title ?? queue.kind}</span>
                <span className={styles.number}>{count(queue.waiting + queue.leased)}</span>
                <span className={styles.at}>
                  <Age queue={queue} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const oldest = ({ oldestDueAt }: Queue): number =>
  oldestDueAt === null ? Number.POSITIVE_INFINITY : Date.parse(oldestDueAt);

function Age({ queue: { parked, leased, oldestDueAt } }: { readonly queue: Queue }) {
  const { now } = useNow();
  if (parked > 0) return <Badge tone="failure">{count(parked)} parked</Badge>;
  if (oldestDueAt === null) return leased > 0 ? <Badge tone="info">running</Badge> : null;
  if (Date.parse(oldestDueAt) < now - OVERDUE_MS)
    return (
      <Badge tone="warning">
        due <Time at={oldestDueAt} />
      </Badge>
    );
  return <Time at={oldestDueAt} />;
}
