import { control, dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { counted } from '../../shared/format/numbers.ts';
import { literal } from '../../shared/list/filter.ts';
import { Notice } from '../../shared/ui/notice.tsx';
import type { Trace } from './api.ts';

/** Of an event with more subscriptions, only the branches tell. */
const MOST_READ = 50;

/** Did it arrive, and if not, why not. */
export function EventVerdict({ trace: { id, matched, refused } }: { readonly trace: Trace }) {
  const ids = matched.slice(0, MOST_READ).map(({ delivery }) => delivery);
  const deliveries = useData(
    ['events', 'verdict', id],
    async (signal) => {
      const query = { $filter: `id in (${ids.map(literal).join(',')})`, $top: MOST_READ };
      return (await dataOf(control.GET('/_jar/deliveries', { params: { query }, signal }))).value;
    },
    { on: ['deliveries', 'work'], enabled: ids.length > 0 },
  );
  if (matched.length === 0) return <Unmatched refused={refused} />;
  if (!deliveries.data || matched.length > MOST_READ) return null;
  const count = (wanted: string): number => deliveries.data?.filter(({ state }) => state === wanted).length ?? 0;
  const [delivered, queued] = [count('delivered'), count('queued')];
  const all = counted(matched.length, 'subscription');
  if (delivered === matched.length)
    return <Notice tone="success" title={matched.length === 1 ? 'It arrived.' : `It arrived at all ${all}.`} />;
  const parts = [
    `Delivered to ${delivered} of ${all}`,
    ...(queued > 0 ? [`${queued} on the way`] : []),
    ...(['dead-lettered', 'dropped', 'cancelled'] as const).flatMap((state) =>
      count(state) > 0 ? [`${count(state)} ${state}`] : [],
    ),
  ];
  const isOver = queued === 0;
  return (
    <Notice tone={isOver ? 'failure' : 'warning'} title={`${parts.join(', ')}.`}>
      {isOver
        ? 'Mend the receiver, then send the delivery again.'
        : 'The jar retries by itself; advancing the clock brings the next attempt.'}
    </Notice>
  );
}

function Unmatched({ refused }: { readonly refused: number }) {
  if (refused === 0)
    return (
      <Notice tone="warning" title="Nobody subscribed to the topic when the event was published.">
        Subscribe a webhook, then publish it again: events are not kept for later subscriptions.
      </Notice>
    );
  return (
    <Notice tone="warning" title="No filter matched, so that nothing was sent.">
      Each subscription below says which condition the event does not meet.
    </Notice>
  );
}
