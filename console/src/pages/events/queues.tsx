import { addressOf, useAddressParam } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { counted } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { Explorer } from '../../shared/list/explorer.tsx';
import { filterOf } from '../../shared/list/filter.ts';
import { FilterBar, useFilter } from '../../shared/list/filter-bar.tsx';
import { type Column, List, ORDER_PARAM } from '../../shared/list/list.tsx';
import type { RowOf } from '../../shared/list/pages.ts';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { useMayChange } from '../../shared/session.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { QueueMessages } from './queue-messages.tsx';

type Queue = RowOf<'/_jar/events/queues'>;

const keyOf = ({ id }: Queue): string => id;

const COLUMNS: readonly Column<Queue>[] = [
  { id: 'name', title: 'Name', width: 'minmax(7rem, 1fr)', order: 'name', cell: ({ name }) => name },
  { id: 'for', title: 'Instead of', width: '9rem', order: 'endpointType', cell: ({ endpointType }) => endpointType },
  { id: 'messages', title: 'Messages', width: '6rem', isNumber: true, cell: ({ messages }) => messages.total },
  {
    id: 'hidden',
    title: 'Received',
    width: '6rem',
    isNumber: true,
    isExtra: true,
    cell: ({ messages }) => messages.hidden,
  },
  {
    id: 'created',
    title: 'Created',
    width: '7rem',
    order: 'createdAt',
    isExtra: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

/** The queues of the jar, which replace brokers and storage without a configured connection. */
export function Queues({ open }: { readonly open: string | undefined }) {
  const { text } = useFilter();
  const [order] = useAddressParam(ORDER_PARAM);
  const $filter = filterOf(text, ['name', 'endpointType', 'resourceId']);
  const rows = useControlRows('/_jar/events/queues', {
    query: { $filter, $orderby: order },
    keyOf,
    on: ['deliveries', '/_jar/events/queues', 'clock'],
  });
  const opened = rows.rows.find(({ id }) => id === open);
  const list = (
    <>
      <FilterBar placeholder="Name, kind or OData expression" failure={rows.failure} />
      <List
        label="Queues"
        source={rows}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={({ id }) => addressOf('events', 'queues', id)}
        open={open}
        empty={
          <Empty title={$filter === undefined ? 'There is no queue yet' : 'No queue matches the filter'}>
            Events for a storage queue, an event hub or a service bus arrive here if no connection to a server is
            configured, and so do dead letters. The first event makes the queue.
          </Empty>
        }
      />
    </>
  );
  return (
    <Explorer
      label="Queue"
      closed={addressOf('events', 'queues')}
      list={list}
      detail={opened && <QueueDetail key={opened.id} queue={opened} after={rows.readAgain} />}
    />
  );
}

function QueueDetail({ queue, after }: { readonly queue: Queue; readonly after: () => void }) {
  const { id, name, endpointType, resourceId, messages } = queue;
  const mayChange = useMayChange();
  const purge = useAction(
    () => dataOf(control.DELETE('/_jar/events/queues/{queue}/messages', { params: { path: { queue: id } } })),
    { done: ({ removed }) => `${counted(removed, 'message')} deleted.`, after },
  );
  return (
    <Detail
      kind="Queue"
      title={name}
      badges={
        <>
          <Badge>{endpointType}</Badge>
          <CopyId id={resourceId} length={40} />
        </>
      }
      actions={
        mayChange &&
        messages.total > 0 && (
          <Confirm
            label="Delete all messages"
            question={`Delete ${counted(messages.total, 'message')}?`}
            isDisabled={purge.isRunning}
            onConfirm={() => void purge.run()}
          />
        )
      }
    >
      <QueueMessages queue={id} />
    </Detail>
  );
}
