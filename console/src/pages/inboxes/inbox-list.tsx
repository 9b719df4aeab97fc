import { addressOf, useAddressParam } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { bytes, count, counted } from '../../shared/format/numbers.ts';
import { CURL } from '../../shared/format/shell.ts';
import { Time } from '../../shared/format/time.tsx';
import { filterOf } from '../../shared/list/filter.ts';
import { FilterBar, useFilter } from '../../shared/list/filter-bar.tsx';
import { type Column, List, ORDER_PARAM } from '../../shared/list/list.tsx';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { useMayChange } from '../../shared/session.ts';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { CopyButton } from '../../shared/ui/copy.tsx';
import { Page } from '../../shared/ui/layout.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { INBOX_SIGNALS, type Inbox } from './api.ts';
import { BehaviourBadges } from './behaviour-badges.tsx';
import { MakeInbox } from './make-inbox.tsx';

const keyOf = ({ name }: Inbox): string => name;

const COLUMNS: readonly Column<Inbox>[] = [
  { id: 'name', title: 'Inbox', width: 'minmax(6rem, 1fr)', order: 'name', cell: ({ name }) => name },
  {
    id: 'received',
    title: 'Received',
    width: '5rem',
    order: 'received',
    isNumber: true,
    cell: ({ received }) => count(received),
  },
  { id: 'last', title: 'Last', width: '6rem', order: 'lastAt', cell: ({ lastAt }) => <Time at={lastAt} /> },
  {
    id: 'behaviour',
    title: 'Answers',
    width: 'minmax(14rem, 1fr)',
    cell: ({ behaviour }) => <BehaviourBadges behaviour={behaviour} />,
    isExtra: true,
  },
  {
    id: 'kept',
    title: 'Kept',
    width: '5rem',
    order: 'kept',
    isNumber: true,
    isExtra: true,
    cell: ({ kept }) => count(kept),
  },
  {
    id: 'bytes',
    title: 'Size',
    width: '6rem',
    order: 'bytes',
    isNumber: true,
    isExtra: true,
    cell: (row) => bytes(row.bytes),
  },
  {
    id: 'address',
    title: 'Address',
    width: 'minmax(12rem, 2fr)',
    isExtra: true,
    cell: ({ url }) => (
      <>
        <CopyButton text={url} label="Copy the address" /> {url}
      </>
    ),
  },
];

/** All inboxes, the newest first. */
export function InboxList() {
  const { text } = useFilter();
  const [order] = useAddressParam(ORDER_PARAM);
  const mayChange = useMayChange();
  const $filter = filterOf(text, ['name']);
  const rows = useControlRows('/_jar/inbox', {
    query: { $filter, $orderby: order ?? 'createdAt desc' },
    keyOf,
    on: INBOX_SIGNALS,
    follow: true,
  });
  const removeAll = useAction(() => dataOf(control.DELETE('/_jar/inbox')), {
    done: ({ removed }) => `${counted(removed, 'inbox', 'inboxes')} removed.`,
    after: rows.readAgain,
  });
  return (
    <Page
      title="Inboxes"
      about="Webhook receivers of the jar: what arrived, and how they answer."
      isFull
      actions={mayChange && <MakeInbox />}
    >
      <FilterBar placeholder="Name or OData expression" failure={rows.failure}>
        {mayChange && rows.rows.length > 0 && (
          <Confirm
            label="Remove all"
            question="Remove all inboxes with what they received?"
            onConfirm={() => void removeAll.run()}
          />
        )}
      </FilterBar>
      <List
        label="Inboxes"
        source={rows}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={({ name }) => addressOf('inboxes', name)}
        empty={
          <Empty
            title={$filter === undefined ? 'There is no inbox yet' : 'No inbox has this name'}
            {...($filter === undefined && { command: exampleCommand() })}
          >
            An inbox is a webhook receiver: use its address as the endpoint of subscriptions and webhooks. The first
            request to it makes it.
          </Empty>
        }
      />
    </Page>
  );
}

const exampleCommand = (): string =>
  `${CURL} -X POST ${location.origin}/_jar/inbox/orders -H 'content-type: application/json' -d '{"order":7}'`;
