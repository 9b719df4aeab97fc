import { Link } from 'wouter';
import { control, dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { counted } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Facts, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { Way } from '../../shared/ui/way.tsx';
import { CONFIGURED, isSameId, shortScope, type Trace, topicAddress } from './api.ts';
import { branchesOf } from './branches.tsx';
import { EventVerdict } from './event-verdict.tsx';

/** One published event: its way to every subscription of its topic. */
export function TraceDetail({ id }: { readonly id: string }) {
  const trace = useData(
    ['events', 'trace', id],
    (signal) => dataOf(control.GET('/_jar/events/traces/{id}', { params: { path: { id } }, signal })),
    // The reasons follow from the current filters.
    { on: CONFIGURED },
  );
  const { data } = trace;
  if (!data)
    return (
      <Detail kind="Event" title={id} failure={trace.failure}>
        {null}
      </Detail>
    );
  return (
    <Detail
      kind="Event"
      title={data.eventType}
      failure={trace.failure}
      badges={<CopyId id={data.eventId} length={40} />}
    >
      <Tabs
        label="Event"
        tabs={[
          { id: 'way', title: 'Way', content: () => <EventWay trace={data} /> },
          data.event !== undefined && {
            id: 'event',
            title: 'Event',
            content: () => <JsonView value={data.event} label="Copy the event" />,
          },
          { id: 'json', title: 'JSON', content: () => <JsonView value={data} /> },
        ]}
      />
    </Detail>
  );
}

function EventWay({ trace }: { readonly trace: Trace }) {
  const { matched, refused, topic, at, subject, eventId } = trace;
  const all = matched.length + refused;
  return (
    <Stack>
      <EventVerdict trace={trace} />
      <Way
        label="Way of the event"
        steps={[
          {
            id: 'published',
            title: 'Published',
            tone: 'info',
            children: (
              <Facts
                facts={[
                  { label: 'When', value: <Time at={at} /> },
                  { label: 'To', value: <Link href={topicAddress(topic)}>{shortScope(topic)}</Link> },
                  { label: 'Subject', value: subject },
                  { label: 'Event id', value: eventId },
                ]}
              />
            ),
          },
          {
            id: 'matched',
            title:
              all === 0
                ? 'No subscription at this topic'
                : `Compared with the filters of ${counted(all, 'subscription')}: ${matched.length} matched`,
            tone: matched.length > 0 ? 'success' : 'warning',
            children: <Unexplained trace={trace} />,
            branches: branchesOf(trace),
          },
        ]}
      />
    </Stack>
  );
}

/** Subscriptions of which the reason is not known. */
function Unexplained({ trace: { matched, refused, event, subscriptions = [] } }: { readonly trace: Trace }) {
  const known = subscriptions.filter(
    ({ subscription }) => !matched.some((each) => isSameId(each.subscription, subscription)),
  ).length;
  const missing = refused - known;
  if (missing <= 0) return null;
  return (
    <Notice>
      Why {counted(missing, 'other subscription')} did not match is not known:{' '}
      {event === undefined
        ? 'the jar keeps the content of events below 2 KiB only.'
        : 'only subscriptions that still exist are explained, at most 500 of a scope.'}
    </Notice>
  );
}
