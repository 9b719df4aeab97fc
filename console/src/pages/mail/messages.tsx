import { X } from 'lucide-react';
import { addressOf, useAddressParam, useSegments } from '../../shared/address.ts';
import { Time } from '../../shared/format/time.tsx';
import { Explorer } from '../../shared/list/explorer.tsx';
import { bothOf, filterOf } from '../../shared/list/filter.ts';
import { FilterBar, useFilter } from '../../shared/list/filter-bar.tsx';
import { type Column, List, ORDER_PARAM } from '../../shared/list/list.tsx';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { type Message, messageAddress, SEARCHED } from './api.ts';
import { MeetingBadge } from './meeting.tsx';
import { MessageDetail } from './message-detail.tsx';

const QUICK = [
  { id: 'received', title: 'Received', received: 'true' },
  { id: 'sent', title: 'Sent', filter: "folder eq 'Sent Items'" },
  { id: 'unread', title: 'Unread', filter: 'isRead eq false', received: 'true' },
  { id: 'meetings', title: 'Meetings', filter: 'meetingMessageType ne null' },
  { id: 'files', title: 'With files', filter: 'hasAttachments eq true' },
] as const;

const keyOf = ({ user, id }: Message): string => `${user}/${id}`;

const COLUMNS: readonly Column<Message>[] = [
  {
    id: 'subject',
    title: 'Subject',
    width: 'minmax(8rem, 2fr)',
    order: 'subject',
    cell: ({ subject, isRead }) => (isRead ? subject || '(no subject)' : <strong>{subject || '(no subject)'}</strong>),
  },
  {
    id: 'from',
    title: 'From',
    width: 'minmax(6rem, 1fr)',
    order: 'from',
    isExtra: true,
    cell: ({ from, fromName }) => fromName || from,
  },
  { id: 'mailbox', title: 'Mailbox', width: 'minmax(7rem, 1fr)', order: 'mailbox', cell: ({ mailbox }) => mailbox },
  { id: 'folder', title: 'Folder', width: '7rem', order: 'folder', isExtra: true, cell: ({ folder }) => folder },
  {
    id: 'kind',
    title: 'Kind',
    width: '8rem',
    isExtra: true,
    cell: ({ isDraft, meetingMessageType, hasAttachments }) =>
      isDraft ? (
        <Badge tone="warning">draft</Badge>
      ) : meetingMessageType ? (
        <MeetingBadge type={meetingMessageType} />
      ) : (
        hasAttachments && <Badge>files</Badge>
      ),
  },
  {
    id: 'received',
    title: 'Received',
    width: '6rem',
    order: 'receivedAt',
    cell: ({ receivedAt }) => <Time at={receivedAt} />,
  },
];

/** Every message in every mailbox, the newest first. */
export function Messages() {
  const [, user, id] = useSegments('mail');
  const { text, quick } = useFilter();
  const [order] = useAddressParam(ORDER_PARAM);
  const [mailbox, choose] = useAddressParam('user');
  const chosen: { readonly filter?: string; readonly received?: string } | undefined = QUICK.find(
    (each) => each.id === quick,
  );
  const $filter = bothOf(chosen?.filter, filterOf(text, SEARCHED));
  const rows = useControlRows('/_jar/mail/messages', {
    query: { $filter, $orderby: order, received: chosen?.received, user: mailbox },
    keyOf,
    on: ['changes'],
  });
  const isAll = $filter === undefined && quick === undefined;
  const list = (
    <>
      <FilterBar placeholder="Subject, sender, mailbox or OData expression" quick={QUICK} failure={rows.failure}>
        {mailbox !== undefined && (
          <Button onPress={() => choose(undefined)}>
            Only {mailbox} <X size={14} aria-hidden />
          </Button>
        )}
      </FilterBar>
      <List
        label="Messages"
        source={rows}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={messageAddress}
        open={id === undefined ? undefined : `${user}/${id}`}
        empty={
          <Empty
            title={isAll ? 'There is no mail yet' : 'No message matches the filter'}
            {...(isAll && { command: EXAMPLE })}
          >
            Mail that arrives by SMTP or by the API appears here at once, and so does mail that users of the jar send.
          </Empty>
        }
      />
    </>
  );
  return (
    <Explorer
      label="Message"
      closed={addressOf('mail')}
      list={list}
      detail={
        user === undefined || id === undefined ? undefined : <MessageDetail key={`${user}/${id}`} user={user} id={id} />
      }
    />
  );
}

const EXAMPLE = `npx cloudjar mail send --to admin --from carol@fabrikam.example --subject Lunch --text 'At noon?'`;
