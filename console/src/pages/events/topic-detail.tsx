import { Link } from 'wouter';
import { addressOf, useAddressParam, useGo } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { askService } from '../../shared/api/service.ts';
import { useData } from '../../shared/api/use-data.ts';
import { useRemoval } from '../../shared/api/use-removal.ts';
import { Time } from '../../shared/format/time.tsx';
import { literal } from '../../shared/list/filter.ts';
import { useMayChange } from '../../shared/session.ts';
import { Badge, StateBadge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Facts, Section, Stack } from '../../shared/ui/layout.tsx';
import { FailureNotice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { CONFIGURED, PUBLISHED, shortScope, subscriptionAddress, type Topic, traceAddress, VERSION } from './api.ts';
import { DomainTopics } from './domain-topics.tsx';
import { filterText } from './filter-view.tsx';

const MOST = 50;

/** A topic, or another scope with event subscriptions: who subscribes to it, and its newest events. */
export function TopicDetail({ id }: { readonly id: string }) {
  const mayChange = useMayChange();
  const go = useGo();
  const [, show] = useAddressParam('form');
  const topic = useData(
    ['events', 'topic', id],
    async (signal) => {
      const query = { $filter: `id eq ${literal(id)}` };
      const { value } = await dataOf(control.GET('/_jar/events/topics', { params: { query }, signal }));
      // A resource, a group or a subscription is a scope as well, without being a topic.
      return value[0] ?? null;
    },
    { on: CONFIGURED },
  );
  const remove = useRemoval(() => askService(`${id}?${VERSION}`, { method: 'DELETE' }), {
    done: 'The topic was deleted.',
    after: () => go(addressOf('events', 'topics'), { keep: true }),
  });
  const { data } = topic;
  return (
    <Detail
      kind={capitalised(data?.kind ?? 'scope')}
      title={shortScope(data?.id ?? id)}
      failure={topic.failure}
      badges={
        <>
          {data?.state !== undefined && <StateBadge state={data.state} />}
          {data?.inputSchema !== undefined && <Badge>{data.inputSchema}</Badge>}
          <CopyId id={data?.id ?? id} length={40} />
        </>
      }
      actions={
        mayChange &&
        data && (
          <>
            {data.endpoint !== undefined && <Button onPress={() => show('publish')}>Publish to it</Button>}
            <Button onPress={() => show('subscription')}>Subscribe to it</Button>
            <Confirm
              label="Delete"
              question={`Delete ${data.name} with its keys and its event subscriptions?`}
              isDisabled={remove.isRunning}
              onConfirm={() => void remove.run()}
            />
          </>
        )
      }
    >
      <Tabs
        label="Topic"
        tabs={[
          { id: 'summary', title: 'Summary', content: () => <Summary id={data?.id ?? id} topic={data ?? undefined} /> },
          data?.kind === 'domain' && {
            id: 'topics',
            title: 'Topics of the domain',
            content: () => <DomainTopics domain={data.id} />,
          },
          data !== undefined &&
            data !== null && { id: 'json', title: 'JSON', content: () => <JsonView value={data} /> },
        ]}
      />
    </Detail>
  );
}

function Summary({ id, topic }: { readonly id: string; readonly topic: Topic | undefined }) {
  const subscriptions = useData(
    ['events', 'subscriptions', id],
    async (signal) => {
      const query = { $filter: `topic eq ${literal(id)}`, $top: MOST };
      return (await dataOf(control.GET('/_jar/events/subscriptions', { params: { query }, signal }))).value;
    },
    { on: CONFIGURED },
  );
  // Events of a domain are those of its topics.
  const isDomain = topic?.kind === 'domain';
  const within = isDomain ? `startswith(topic,${literal(`${id}/topics/`)})` : `topic eq ${literal(id)}`;
  const events = useData(
    ['events', 'traces', id, isDomain],
    async (signal) => {
      const of = isDomain ? { $filter: within } : { topic: id };
      const query = { ...of, $top: MOST };
      return (await dataOf(control.GET('/_jar/events/traces', { params: { query }, signal }))).value;
    },
    { on: PUBLISHED },
  );
  const all = `${addressOf('events', 'traces')}?filter=${encodeURIComponent(within)}`;
  return (
    <Stack>
      <Facts
        facts={[
          { label: 'Publish to', value: topic?.endpoint !== undefined && <CopyId id={topic.endpoint} length={70} /> },
          { label: 'Events of', value: topic?.source },
          { label: 'Location', value: topic?.location },
          { label: 'Resource group', value: topic?.resourceGroup },
        ].map(({ label, value }) => ({ label, value: value || undefined }))}
      />
      <Section title="Event subscriptions">
        <FailureNotice failure={subscriptions.failure} what="The event subscriptions" />
        <Table
          label="Event subscriptions"
          items={subscriptions.data ?? []}
          keyOf={(each) => each.id}
          empty="Nobody subscribes to it: its events go nowhere."
          columns={[
            { title: 'Name', cell: (each) => <Link href={subscriptionAddress(each.id)}>{each.name}</Link> },
            { title: 'State', cell: ({ state }) => <StateBadge state={state} /> },
            { title: 'Filter', cell: ({ filter }) => filterText(filter) },
            {
              title: 'Destination',
              cell: ({ endpointType = 'none', endpoint = '' }) => <span title={endpoint}>{endpointType}</span>,
            },
          ]}
        />
      </Section>
      <Section title="Newest events" actions={<Link href={all}>All events</Link>}>
        <FailureNotice failure={events.failure} what="The events" />
        <Table
          label="Newest events"
          items={events.data ?? []}
          keyOf={(each) => each.id}
          empty="No event was published to it yet."
          columns={[
            { title: 'Type', cell: (each) => <Link href={traceAddress(each.id)}>{each.eventType}</Link> },
            { title: 'Subject', cell: ({ subject }) => subject },
            { title: 'Matched', cell: ({ matched }) => matched.length, isNumber: true },
            { title: 'Published', cell: ({ at }) => <Time at={at} /> },
          ]}
        />
      </Section>
    </Stack>
  );
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
