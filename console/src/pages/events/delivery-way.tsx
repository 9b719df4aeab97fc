import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { counted, milliseconds } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { StatusBadge } from '../../shared/ui/badge.tsx';
import { Mono, Row, Soft } from '../../shared/ui/layout.tsx';
import { FailureNotice, Notice } from '../../shared/ui/notice.tsx';
import { type Step, Way } from '../../shared/ui/way.tsx';
import type { Delivery } from './api.ts';

interface Props {
  readonly id: string;
  /** Of an event with many subscriptions, only the first deliveries are read. */
  readonly isRead: boolean;
}

const MOST_ATTEMPTS = 6;

/** The attempts of one delivery and its end, as the continuation of the way of an event. */
export function DeliveryWay({ id, isRead }: Props) {
  const delivery = useData(
    ['delivery', id],
    (signal) => dataOf(control.GET('/_jar/deliveries/{id}', { params: { path: { id } }, signal })),
    { on: ['deliveries', 'work'], enabled: isRead },
  );
  const address = addressOf('deliveries', id);
  const { data, failure } = delivery;
  if (!isRead) return <Link href={address}>Show the delivery</Link>;
  if (failure?.status === 404) return <Notice>The record of the delivery is no longer kept.</Notice>;
  if (!data) return <FailureNotice failure={failure} what="The delivery" />;
  return <Way label="Attempts" steps={[...attemptsOf(data), endOf(data, address)]} />;
}

function attemptsOf({ history, attempts }: Delivery): Step[] {
  const shown = history.slice(-MOST_ATTEMPTS);
  const left = attempts - shown.length;
  const earlier: Step[] = left > 0 ? [{ id: 'earlier', title: `${counted(left, 'earlier attempt')}` }] : [];
  return [
    ...earlier,
    ...shown.map(({ number, at, ms, status, outcome, error, fault, nextAt }): Step => {
      const isDone = outcome === 'Succeeded';
      return {
        id: `attempt ${number}`,
        tone: isDone ? 'success' : nextAt === undefined ? 'failure' : 'warning',
        title: (
          <Row>
            Attempt {number} {status !== undefined && <StatusBadge status={status} />}
          </Row>
        ),
        children: (
          <p>
            {outcome} after {milliseconds(ms)}, <Time at={at} />
            {error !== undefined && `: ${error}`}
            {fault !== undefined && `. Struck by the fault rule ${fault}`}
          </p>
        ),
      };
    }),
  ];
}

const ENDS: Readonly<Record<Delivery['state'], readonly [string, Step['tone']]>> = {
  queued: ['Waits', 'warning'],
  delivered: ['Delivered', 'success'],
  'dead-lettered': ['Dead-lettered', 'failure'],
  dropped: ['Dropped', 'failure'],
  cancelled: ['Cancelled', 'neutral'],
};

function endOf(delivery: Delivery, address: string): Step {
  const { state, attempts, address: to, nextAttemptAt, expiresAt, endedAt, rule } = delivery;
  const [title, tone] = ENDS[state];
  return {
    id: 'end',
    tone,
    title: (
      <Link href={address}>
        {state === 'queued' ? (attempts === 0 ? 'Waits for its first attempt' : 'Waits to be retried') : title}
      </Link>
    ),
    children: (
      <>
        <p>
          {endedAt !== undefined && <Time at={endedAt} />} <Soft>to</Soft> <Mono>{to}</Mono>
        </p>
        {state === 'queued' ? (
          <p>
            Next attempt <Time at={nextAttemptAt} />, given up <Time at={expiresAt} />.
          </p>
        ) : (
          rule !== undefined && <p>{rule}</p>
        )}
      </>
    ),
  };
}
