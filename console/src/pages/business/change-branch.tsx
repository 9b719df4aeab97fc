import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { shortId } from '../../shared/format/ids.ts';
import { counted } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { Badge, StateBadge, StatusBadge } from '../../shared/ui/badge.tsx';
import { Row, Soft } from '../../shared/ui/layout.tsx';
import type { Step } from '../../shared/ui/way.tsx';
import { type Explanation, subscriptionAddress } from './api.ts';
import { STATE_TONES } from './changes.tsx';

const TONES = { success: 'success', warning: 'warning', failure: 'failure', info: 'info' } as const;

const toneOf = (state: Explanation['state']): Step['tone'] =>
  TONES[STATE_TONES[state] as keyof typeof TONES] ?? 'neutral';

/** The way of a change to one subscription: the rule, the window, the wait for another user, the delivery. */
export function branchOf(explanation: Explanation): readonly Step[] {
  const { subscription, state, rule, reason, held, window, delivery } = explanation;
  const tone = toneOf(state);
  return [
    {
      id: subscription,
      tone,
      title: (
        <Row>
          <Link href={subscriptionAddress(subscription)} title={subscription}>
            {shortId(subscription)}
          </Link>
          <Badge tone={STATE_TONES[state]}>{state}</Badge>
        </Row>
      ),
      children: (
        <p>
          {reason} <Soft>Rule: {rule}</Soft>
        </p>
      ),
    },
    ...heldStep(held),
    ...windowStep(window),
    ...deliveryStep(delivery, tone),
  ];
}

function heldStep(held: Explanation['held']): readonly Step[] {
  if (!held) return [];
  const { because, releasedAt, releasedBy, releasedByTable } = held;
  return [
    {
      id: 'held',
      tone: releasedAt === undefined ? 'warning' : 'success',
      title: releasedAt === undefined ? 'Held' : 'Held, then released',
      children: (
        <p>
          {because}
          {releasedAt !== undefined && (
            <>
              ; released <Time at={releasedAt} /> by {releasedBy} with a change of {releasedByTable}
            </>
          )}
          .
        </p>
      ),
    },
  ];
}

function windowStep(window: Explanation['window']): readonly Step[] {
  if (!window) return [];
  const { closesAt, closedAt } = window;
  return [
    {
      id: 'window',
      tone: closedAt === undefined ? 'info' : 'success',
      title: closedAt === undefined ? 'In an open window' : 'The window closed',
      children: (
        <p>
          {closedAt === undefined ? 'It closes ' : ''}
          <Time at={closedAt ?? closesAt} />
        </p>
      ),
    },
  ];
}

function deliveryStep(delivery: Explanation['delivery'], tone: Step['tone']): readonly Step[] {
  if (!delivery) return [];
  const { id, state, attempts, lastStatus, nextAttemptAt, rule, joinedAfter } = delivery;
  return [
    {
      id: 'delivery',
      tone,
      title: (
        <Row>
          <Link href={addressOf('deliveries', id)}>Delivery</Link>
          <StateBadge state={state} />
          {lastStatus !== undefined && <StatusBadge status={lastStatus} />}
        </Row>
      ),
      children: (
        <p>
          {counted(attempts, 'attempt')}
          {joinedAfter !== undefined && `, of which ${joinedAfter} failed before the change joined the message`}
          {nextAttemptAt !== undefined && (
            <>
              , the next <Time at={nextAttemptAt} />
            </>
          )}
          . {rule}
        </p>
      ),
    },
  ];
}
