import { addressOf } from '../../shared/address.ts';
import { bytes } from '../../shared/format/numbers.ts';
import { CURL } from '../../shared/format/shell.ts';
import { Time } from '../../shared/format/time.tsx';
import { Explorer } from '../../shared/list/explorer.tsx';
import { FilterBar } from '../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../shared/list/list.tsx';
import { useListQuery } from '../../shared/list/list-query.ts';
import { readControlPage, withQuery } from '../../shared/list/pages.ts';
import { useRows } from '../../shared/list/use-rows.ts';
import { Badge, StatusBadge } from '../../shared/ui/badge.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { INBOX_SIGNALS, type ReceivedRequest } from './api.ts';
import { RequestDetail } from './request-detail.tsx';

interface Props {
  readonly name: string;
  readonly url: string;
  /** The id of the open request. */
  readonly open: string | undefined;
  /** Whether the inbox exists; the first request makes it. */
  readonly exists: boolean;
}

/** Prepared filters by their id in the address. */
const QUICK = [
  { id: 'messages', title: 'Messages', filter: 'handshake/kind eq null' },
  { id: 'handshakes', title: 'Handshakes', filter: 'handshake/kind ne null' },
  { id: 'failed', title: 'Failed', filter: 'answered/status ge 300' },
] as const;

const SEARCHED = ['body', 'path'];
const PAGE_SIZE = 200;

const keyOf = ({ id }: ReceivedRequest): string => id;

const columnsOf = (name: string): readonly Column<ReceivedRequest>[] => [
  { id: 'method', title: 'Method', width: '4.5rem', order: 'method', cell: ({ method }) => method },
  {
    id: 'path',
    title: 'Path',
    width: 'minmax(5rem, 1fr)',
    order: 'path',
    cell: ({ path }) => shortPath(path, name),
  },
  {
    id: 'answer',
    title: 'Answer',
    width: '4rem',
    order: 'answered/status',
    cell: ({ answered }) => <StatusBadge status={answered.status} />,
  },
  {
    id: 'handshake',
    title: 'Handshake',
    width: '8rem',
    isExtra: true,
    cell: ({ handshake }) =>
      handshake && <Badge tone={handshake.answered ? 'success' : 'warning'}>{handshake.kind}</Badge>,
  },
  { id: 'body', title: 'Body', width: 'minmax(8rem, 2fr)', isExtra: true, cell: beginning },
  {
    id: 'bytes',
    title: 'Size',
    width: '5rem',
    order: 'bodyBytes',
    isNumber: true,
    isExtra: true,
    cell: ({ bodyBytes }) => bytes(bodyBytes),
  },
  { id: 'at', title: 'Received', width: '5rem', order: 'at', cell: ({ at }) => <Time at={at} /> },
  { id: 'id', title: 'No.', width: '3rem', isNumber: true, isExtra: true, cell: ({ id }) => id },
];

/** What arrived, the newest first, while it arrives. */
export function Received({ name, url, open, exists }: Props) {
  const { $filter, $orderby } = useListQuery(SEARCHED, QUICK);
  const first = withQuery(`/_jar/inbox/${encodeURIComponent(name)}/requests`, {
    $top: PAGE_SIZE,
    $filter,
    $orderby: $orderby ?? 'at desc',
  });
  const rows = useRows<ReceivedRequest>({
    listKey: first,
    read: (link, signal) => readControlPage(link ?? first, signal),
    keyOf,
    on: INBOX_SIGNALS,
    // While one is read, the list does not move.
    follow: open === undefined,
  });
  const list = (
    <>
      <FilterBar placeholder="Text of body or path, or OData expression" quick={QUICK} failure={rows.failure} />
      <List
        label="Received requests"
        source={rows}
        keyOf={keyOf}
        columns={columnsOf(name)}
        addressOf={({ id }) => addressOf('inboxes', name, id)}
        open={open}
        empty={
          <Empty
            title={$filter === undefined ? 'Nothing has arrived yet' : 'No request matches the filter'}
            {...($filter === undefined && { command: exampleFor(url) })}
          >
            {exists
              ? 'Use the address of the inbox as the endpoint of a subscription or webhook. Handshakes are answered by themselves.'
              : 'The inbox does not exist yet: the first request to its address makes it.'}
          </Empty>
        }
      />
    </>
  );
  return (
    <Explorer
      label="Received request"
      closed={addressOf('inboxes', name)}
      list={list}
      detail={open === undefined ? undefined : <RequestDetail key={open} name={name} id={open} />}
    />
  );
}

const SHOWN = 120;

const beginning = ({ body, bodyEncoding }: ReceivedRequest): string =>
  bodyEncoding === 'utf8' ? body.slice(0, SHOWN) : 'binary';

/** The path below the address of the inbox. */
export function shortPath(path: string, name: string): string {
  const own = `/_jar/inbox/${name}`;
  return path.toLowerCase().startsWith(own) ? path.slice(own.length) || '/' : path;
}

const exampleFor = (url: string): string =>
  `${CURL} -X POST ${url} -H 'content-type: application/json' -d '{"order":7}'`;
