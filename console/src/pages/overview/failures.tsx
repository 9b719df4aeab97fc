import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { shortPath } from '../../shared/format/ids.ts';
import { count, counted } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { Badge, StatusBadge } from '../../shared/ui/badge.tsx';
import { Section, Soft } from '../../shared/ui/layout.tsx';
import { grouped } from './grouped.ts';
import styles from './overview.module.css';
import type { Overview } from './use-overview.ts';

const MOST_SHOWN = 7;

/** What failed last; equal failures are one row with their number. */
export function Failures({ overview: { failures, deliveries } }: { readonly overview: Overview }) {
  const rows = grouped(failures.requests);
  const parked = failures.parkedWork;
  const isQuiet = rows.length === 0 && parked.length === 0;
  return (
    <Section
      title="What failed last"
      actions={
        <span className={styles.links}>
          <DeliveryLink
            show="failing"
            value={deliveries.failingDestinations}
            text="destination failing"
            many="destinations failing"
          />
          <DeliveryLink
            show="dead"
            value={deliveries.deadLettered}
            text="delivery dead-lettered"
            many="deliveries dead-lettered"
          />
          <Link href={`${addressOf('requests')}?show=errors`}>All errors</Link>
        </span>
      }
    >
      {isQuiet ? (
        <Soft>Nothing has failed.</Soft>
      ) : (
        <ul className={styles.list}>
          {parked.slice(0, MOST_SHOWN).map(({ id, kind, title, reason, attempts, dueAt }) => (
            <Row key={id} href={addressOf('time', 'work', id)} at={<Time at={dueAt} />}>
              <Badge tone="failure">parked</Badge>
              <span className={styles.what}>{title ?? kind}</span>
              <span className={styles.why}>{reason ?? counted(attempts, 'attempt')}</span>
              <span className={styles.times} />
            </Row>
          ))}
          {rows.slice(0, Math.max(0, MOST_SHOWN - parked.length)).map(({ latest, times }) => (
            <Row key={latest.id} href={hrefOf(latest)} at={<Time at={latest.systemAt} wall />}>
              <StatusBadge status={latest.status} />
              <span className={styles.what} title={latest.path ?? latest.target}>
                <span className={styles.method}>{latest.method}</span> {endOf(latest.path ?? latest.target ?? '')}
              </span>
              <span className={styles.why}>
                {latest.fault === undefined ? (latest.error?.code ?? latest.service) : 'fault rule'}
              </span>
              <span className={styles.times}>{times > 1 && `×${count(times)}`}</span>
            </Row>
          ))}
        </ul>
      )}
    </Section>
  );
}

const SEGMENTS = 3;

/** The end of a path without its query, which says more than its beginning. */
function endOf(path: string): string {
  const [before = ''] = path.split('?');
  const segments = before.split('/').filter(Boolean);
  return !before.startsWith('/') || segments.length <= SEGMENTS
    ? shortPath(before)
    : shortPath(`…/${segments.slice(-SEGMENTS).join('/')}`);
}

/** A delivery explains more than its last attempt does. */
const hrefOf = ({ id, delivery }: Overview['failures']['requests'][number]): string =>
  delivery === undefined ? addressOf('requests', id) : addressOf('deliveries', delivery.id);

function Row({ href, at, children }: { readonly href: string; readonly at: ReactNode; readonly children: ReactNode }) {
  return (
    <li>
      <Link href={href} className={styles.failureRow}>
        {children}
        <span className={styles.at}>{at}</span>
      </Link>
    </li>
  );
}

interface DeliveryLinkProps {
  readonly show: string;
  readonly value: number;
  readonly text: string;
  readonly many: string;
}

function DeliveryLink({ show, value, text, many }: DeliveryLinkProps) {
  if (value === 0) return null;
  return <Link href={`${addressOf('deliveries')}?show=${show}`}>{counted(value, text, many)}</Link>;
}
