import { useState } from 'react';
import { addressOf, useAddressParam, useSegments } from '../../shared/address.ts';
import { counted, rate } from '../../shared/format/numbers.ts';
import { CURL } from '../../shared/format/shell.ts';
import { Explorer } from '../../shared/list/explorer.tsx';
import { FilterBar } from '../../shared/list/filter-bar.tsx';
import { List } from '../../shared/list/list.tsx';
import { useListQuery } from '../../shared/list/list-query.ts';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { useRate } from '../../shared/live/rate.ts';
import { Switch } from '../../shared/ui/field.tsx';
import { Page } from '../../shared/ui/layout.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { COLUMNS, keyOf } from './columns.tsx';
import { RequestDetail } from './detail.tsx';
import { QUICK, SEARCHED } from './filters.ts';
import styles from './requests.module.css';
import { useTail } from './use-tail.ts';

/** In the address when new requests shall not move in by themselves. */
const FOLLOW_PARAM = 'follow';

/** The newest requests to the jar and messages of the jar, as they happen. */
export default function Requests() {
  const [open] = useSegments('requests');
  const [follow, setFollow] = useAddressParam(FOLLOW_PARAM);
  const [isAtTop, setAtTop] = useState(true);
  const { $filter, $orderby } = useListQuery(SEARCHED, QUICK);
  // What a person reads does not move: neither rows further down, nor the neighbours of an open request, nor an order by duration.
  const isFollowing = follow !== 'off' && isAtTop && open === undefined && $orderby === undefined;
  const read = useControlRows('/_jar/requests', {
    query: { $filter, $orderby },
    keyOf,
    on: ['requests', 'deliveries'],
    follow: isFollowing,
  });
  const { rows, skipped } = useTail(read, isFollowing, $filter === undefined && $orderby === undefined);
  const list = (
    <>
      <FilterBar placeholder="Path, caller, id or OData expression" quick={QUICK} failure={rows.failure} />
      <List
        label="Requests"
        source={rows}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={({ id }) => addressOf('requests', id)}
        open={open}
        onTop={setAtTop}
        empty={
          <Empty
            title={$filter === undefined ? 'No request yet' : 'No request matches the filter'}
            {...($filter === undefined && { command: EXAMPLE })}
          >
            Requests to the jar and messages that it sends appear here while they happen, with their headers and bodies.
            The jar keeps the latest 4,096.
          </Empty>
        }
      />
    </>
  );
  const actions = (
    <div className={styles.tail}>
      <Pace skipped={skipped} />
      <Switch
        label="Follow"
        isSelected={follow !== 'off'}
        onChange={(isSelected) => setFollow(isSelected ? undefined : 'off')}
      />
    </div>
  );
  return (
    <Page
      title="Requests"
      about="What the jar was asked and what it sent: what happened, and why."
      actions={actions}
      isFull
    >
      <Explorer
        label="Request"
        closed={addressOf('requests')}
        list={list}
        detail={
          open === undefined ? undefined : (
            <RequestDetail key={open} id={open} row={rows.rows.find(({ id }) => id === open)} />
          )
        }
      />
    </Page>
  );
}

/** How many requests there are, and how many of them the followed list left out. */
function Pace({ skipped }: { readonly skipped: number }) {
  const perSecond = useRate(({ requests: { count, outbound } }) => count + outbound);
  return (
    <span title="The list is read once a second. It shows the newest requests; those that came between are counted.">
      {rate(perSecond)} a second
      {skipped > 0 && `, sampled: ${counted(skipped, 'request')} not shown`}
    </span>
  );
}

const EXAMPLE = `${CURL} "${location.origin}/languages?api-version=3.0"`;
