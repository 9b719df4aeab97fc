import { counted, milliseconds } from '../../shared/format/numbers.ts';
import { Badge, StatusBadge } from '../../shared/ui/badge.tsx';
import type { Behaviour } from './api.ts';

/** How an inbox answers, in a few words. */
export function BehaviourBadges({
  behaviour: { status, fail, delayMs, handshake },
}: {
  readonly behaviour: Behaviour;
}) {
  return (
    <>
      {fail && fail.left > 0 && (
        <Badge tone="failure">
          fails {counted(fail.left, 'time')} with {fail.status}
        </Badge>
      )}{' '}
      <StatusBadge status={status} /> {delayMs > 0 && <Badge tone="warning">slow by {milliseconds(delayMs)}</Badge>}{' '}
      {handshake !== 'answer' && <Badge tone="info">handshakes: {handshake}</Badge>}
    </>
  );
}
