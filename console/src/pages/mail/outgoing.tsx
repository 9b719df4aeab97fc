import { addressOf, useAddressParam, useGo, useSegments } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useRemoval } from '../../shared/api/use-removal.ts';
import { bytes, counted } from '../../shared/format/numbers.ts';
import { CURL } from '../../shared/format/shell.ts';
import { Time } from '../../shared/format/time.tsx';
import { Explorer } from '../../shared/list/explorer.tsx';
import { filterOf } from '../../shared/list/filter.ts';
import { FilterBar, useFilter } from '../../shared/list/filter-bar.tsx';
import { type Column, List, ORDER_PARAM } from '../../shared/list/list.tsx';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { useMayChange } from '../../shared/session.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { Facts, Stack } from '../../shared/ui/layout.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import type { KeptMail } from './api.ts';
import { Relay } from './relay.tsx';
import { Source } from './source.tsx';

const keyOf = ({ id }: KeptMail): string => id;

const COLUMNS: readonly Column<KeptMail>[] = [
  { id: 'subject', title: 'Subject', width: 'minmax(8rem, 2fr)', cell: ({ subject }) => subject || '(no subject)' },
  { id: 'to', title: 'To', width: 'minmax(8rem, 1fr)', order: 'to', cell: ({ to }) => to },
  { id: 'from', title: 'From', width: 'minmax(8rem, 1fr)', order: 'from', isExtra: true, cell: ({ from }) => from },
  { id: 'size', title: 'Size', width: '6rem', isNumber: true, isExtra: true, cell: ({ size }) => bytes(size) },
  { id: 'at', title: 'Sent', width: '6rem', order: 'at', cell: ({ at }) => <Time at={at} /> },
];

const ON = ['changes', 'work', 'deliveries', '/_jar/mail'] as const;

/** Mail to domains that are not of the jar: what waits, what the relay said, and what was kept because there is no relay. */
export function Outgoing() {
  const [, open] = useSegments('mail');
  const { text } = useFilter();
  const [order] = useAddressParam(ORDER_PARAM);
  const mayChange = useMayChange();
  const $filter = filterOf(text, ['to', 'from', 'subject']);
  const kept = useControlRows('/_jar/mail/kept', { query: { $filter, $orderby: order }, keyOf, on: ON });
  const clear = useAction(() => dataOf(control.DELETE('/_jar/mail/kept')), {
    done: ({ removed }) => `${counted(removed, 'kept mail')} removed.`,
    after: kept.readAgain,
  });
  const opened = kept.rows.find(({ id }) => id === open);
  const list = (
    <>
      <FilterBar placeholder="Address, subject or OData expression" failure={kept.failure}>
        {mayChange && kept.rows.length > 0 && (
          <Confirm
            label="Remove all kept mail"
            question="Remove all mail that was kept? It is in no mailbox of its recipients."
            onConfirm={() => void clear.run()}
          />
        )}
      </FilterBar>
      <List
        label="Kept mail"
        source={kept}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={({ id }) => addressOf('mail', 'outgoing', id)}
        open={open}
        empty={
          <Empty
            title={text === undefined ? 'No mail was kept' : 'No kept mail matches the filter'}
            {...(text === undefined && { command: EXAMPLE })}
          >
            Without a relay, the jar keeps mail to other domains here, one entry for each recipient.
          </Empty>
        }
      />
    </>
  );
  return (
    <>
      <Relay />
      <Explorer
        label="Kept mail"
        closed={addressOf('mail', 'outgoing')}
        list={list}
        detail={opened && <Kept key={opened.id} mail={opened} />}
      />
    </>
  );
}

function Kept({ mail }: { readonly mail: KeptMail }) {
  const mayChange = useMayChange();
  const go = useGo();
  const { id, subject, from, to, messageId, size, at } = mail;
  const remove = useRemoval(() => control.DELETE('/_jar/mail/kept/{mail}', { params: { path: { mail: id } } }), {
    done: 'The kept mail was removed.',
    after: () => go(addressOf('mail', 'outgoing'), { keep: true }),
  });
  return (
    <Detail
      kind="Kept mail"
      title={subject || '(no subject)'}
      badges={<Badge tone="warning">kept, there is no relay</Badge>}
      actions={
        mayChange && (
          <Confirm label="Remove" question={`Remove the mail to ${to}?`} onConfirm={() => void remove.run()} />
        )
      }
    >
      <Stack>
        <Facts
          facts={[
            { label: 'From', value: from },
            { label: 'To', value: to },
            { label: 'Sent', value: <Time at={at} /> },
            { label: 'Size', value: bytes(size) },
            { label: 'Message-ID', value: <CopyId id={messageId} length={48} /> },
          ]}
        />
        <Source path={`/_jar/mail/kept/${encodeURIComponent(id)}/source`} size={size} name={`${id}.eml`} />
      </Stack>
    </Detail>
  );
}

const EXAMPLE = [
  `${CURL} '${location.origin}/v1.0/me/sendMail' -H "Authorization: Bearer $(npx cloudjar token)"`,
  '  -H \'Content-Type: application/json\' -d \'{"message":{"subject":"Your order","toRecipients":',
  '  [{"emailAddress":{"address":"eve@fabrikam.example"}}]}}\'',
].join(' \\\n');
