import { Link } from 'wouter';
import { useAddressParam } from '../../shared/address.ts';
import { shortId } from '../../shared/format/ids.ts';
import { counted } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { filterOf } from '../../shared/list/filter.ts';
import { FilterBar, useFilter } from '../../shared/list/filter-bar.tsx';
import { ORDER_PARAM } from '../../shared/list/list.tsx';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Facts, Section, Stack } from '../../shared/ui/layout.tsx';
import { Empty, FailureNotice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { NOTIFIED, subscriptionAddress, type Window } from './api.ts';

const keyOf = ({ id, state }: Window): string => `${state} ${id}`;

/** Notifications that are being gathered: open windows with the time of sending, and changes that are held. */
export function Windows() {
  const { text } = useFilter();
  const [order] = useAddressParam(ORDER_PARAM);
  const rows = useControlRows('/_jar/business/windows', {
    query: { $filter: filterOf(text, ['company', 'notificationUrl']), $orderby: order },
    keyOf,
    on: NOTIFIED,
    follow: true,
  });
  return (
    <div>
      <FilterBar placeholder="Company, address or OData expression" failure={rows.failure} />
      {rows.failure?.target !== '$filter' && <FailureNotice failure={rows.failure} what="The windows" />}
      {rows.rows.length === 0 && !rows.isLoading && (
        <Empty title="No change waits to be sent">
          The first change of a watched record opens a window; thirty seconds later its changes are sent together.
        </Empty>
      )}
      <Stack>
        {rows.rows.map((window) => (
          <OneWindow key={keyOf(window)} window={window} />
        ))}
        {rows.hasMore && <Button onPress={() => rows.loadMore()}>Show more</Button>}
      </Stack>
    </div>
  );
}

function OneWindow({ window }: { readonly window: Window }) {
  return (
    <Section
      title={
        <>
          {window.notificationUrl} <Badge tone={window.state === 'open' ? 'info' : 'warning'}>{window.state}</Badge>
        </>
      }
    >
      <Facts
        facts={
          window.state === 'open'
            ? [
                { label: 'Company', value: window.company },
                { label: 'Opened', value: <Time at={window.openedAt} /> },
                { label: 'Opened by', value: window.openedBy },
                { label: 'Sent', value: <Time at={window.closesAt} /> },
              ]
            : [
                { label: 'Company', value: window.company },
                { label: 'Waits for', value: window.waitsFor },
              ]
        }
      />
      <Table
        label={`Subscriptions of ${window.notificationUrl}`}
        items={window.subscriptions}
        keyOf={({ subscription }) => subscription}
        columns={[
          {
            title: 'Subscription',
            cell: ({ subscription }) => <Link href={subscriptionAddress(subscription)}>{shortId(subscription)}</Link>,
          },
          { title: 'Resource', cell: ({ resource }) => resource },
          {
            title: 'Entries',
            cell: ({ entries, isCollection }) =>
              isCollection ? 'one for the collection' : counted(entries, 'entry', 'entries'),
          },
          { title: 'First change', cell: ({ firstChangeAt }) => <Time at={firstChangeAt} /> },
        ]}
      />
    </Section>
  );
}
