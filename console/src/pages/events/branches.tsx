import { Link } from 'wouter';
import { lastSegment } from '../../shared/format/ids.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Row } from '../../shared/ui/layout.tsx';
import type { Step } from '../../shared/ui/way.tsx';
import { isSameId, subscriptionAddress, type Trace, type Verdict } from './api.ts';
import { DeliveryWay } from './delivery-way.tsx';

/** Each branch reads its delivery. */
const MOST_READ = 20;

/** A branch for each subscription: its deliveries if it matched, otherwise the condition that was not met. */
export function branchesOf({ matched, subscriptions = [] }: Trace): readonly (readonly Step[])[] {
  const others = subscriptions.filter(
    ({ subscription }) => !matched.some((each) => isSameId(each.subscription, subscription)),
  );
  return [
    ...matched.map(({ subscription, delivery }, index): readonly Step[] => [
      {
        id: subscription,
        title: <Title id={subscription} badge={<Badge tone="success">matched</Badge>} />,
        tone: 'success',
        children: <DeliveryWay id={delivery} isRead={index < MOST_READ} />,
      },
    ]),
    ...others.map((verdict): readonly Step[] => [
      {
        id: verdict.subscription,
        title: <Title id={verdict.subscription} badge={<Badge>did not match</Badge>} />,
        children: <p>{reasonOf(verdict)}</p>,
      },
    ]),
  ];
}

function Title({ id, badge }: { readonly id: string; readonly badge: React.ReactNode }) {
  return (
    <Row>
      <Link href={subscriptionAddress(id)} title={id}>
        {lastSegment(id)}
      </Link>
      {badge}
    </Row>
  );
}

/** The reason is found with the current filter. */
const reasonOf = ({ matches, reason }: Verdict): string =>
  matches
    ? 'Its current filter would match: it was made or changed after the event.'
    : `By its current filter: ${reason ?? 'no reason is known'}.`;
