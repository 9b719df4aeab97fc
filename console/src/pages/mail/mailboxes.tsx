import { useState } from 'react';
import { Link } from 'wouter';
import { addressOf, useAddressParam, useSegments } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useData } from '../../shared/api/use-data.ts';
import { count, counted } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { Explorer } from '../../shared/list/explorer.tsx';
import { filterOf } from '../../shared/list/filter.ts';
import { FilterBar, useFilter } from '../../shared/list/filter-bar.tsx';
import { type Column, List, ORDER_PARAM } from '../../shared/list/list.tsx';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { useMayChange } from '../../shared/session.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { Facts, Row, Section, Soft, Stack } from '../../shared/ui/layout.tsx';
import { Empty, FailureNotice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import type { Mailbox, MailboxEvent } from './api.ts';

const keyOf = ({ user }: Mailbox): string => user;

const COLUMNS: readonly Column<Mailbox>[] = [
  { id: 'address', title: 'Mailbox', width: 'minmax(8rem, 2fr)', order: 'address', cell: ({ address }) => address },
  { id: 'name', title: 'Name', width: 'minmax(6rem, 1fr)', isExtra: true, cell: ({ displayName }) => displayName },
  {
    id: 'messages',
    title: 'Messages',
    width: '6rem',
    order: 'messages',
    isNumber: true,
    cell: (row) => count(row.messages),
  },
  {
    id: 'unread',
    title: 'Unread',
    width: '5rem',
    order: 'unread',
    isNumber: true,
    cell: ({ unread }) => count(unread),
  },
  { id: 'made', title: 'Created', width: '7rem', isExtra: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** The mailboxes in use, with their calendars. */
export function Mailboxes() {
  const [, open] = useSegments('mail');
  const { text } = useFilter();
  const [order] = useAddressParam(ORDER_PARAM);
  const $filter = filterOf(text, ['address', 'displayName']);
  const rows = useControlRows('/_jar/mail/mailboxes', {
    query: { $filter, $orderby: order },
    keyOf,
    on: ['changes'],
  });
  const list = (
    <>
      <FilterBar placeholder="Address, name or OData expression" failure={rows.failure} />
      <List
        label="Mailboxes"
        source={rows}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={({ user }) => addressOf('mail', 'mailboxes', user)}
        open={open}
        empty={
          <Empty
            title={text === undefined ? 'No mailbox is in use yet' : 'No mailbox matches the filter'}
            {...(text === undefined && { command: 'npx cloudjar mail list admin' })}
          >
            Every user of the jar has a mailbox; it is created with its first use.
          </Empty>
        }
      />
    </>
  );
  return (
    <Explorer
      label="Mailbox"
      closed={addressOf('mail', 'mailboxes')}
      list={list}
      detail={open === undefined ? undefined : <MailboxDetail key={open} user={open} />}
    />
  );
}

function MailboxDetail({ user }: { readonly user: string }) {
  const mayChange = useMayChange();
  const path = { user };
  const mailbox = useData(
    ['mail', 'mailbox', user],
    (signal) => dataOf(control.GET('/_jar/mail/mailboxes/{user}', { params: { path }, signal })),
    { on: ['changes'] },
  );
  const empty = useAction(() => dataOf(control.DELETE('/_jar/mail/mailboxes/{user}/messages', { params: { path } })), {
    done: ({ removed }) => `${counted(removed, 'message')} removed.`,
    after: mailbox.readAgain,
  });
  const { data } = mailbox;
  if (!data)
    return (
      <Detail kind="Mailbox" title={user} failure={mailbox.failure}>
        {null}
      </Detail>
    );
  return (
    <Detail
      kind="Mailbox"
      title={data.address}
      failure={mailbox.failure}
      badges={
        <>
          <Badge>{counted(data.messages, 'message')}</Badge>
          <Badge tone={data.unread > 0 ? 'accent' : 'neutral'}>{`${count(data.unread)} unread`}</Badge>
        </>
      }
      actions={
        mayChange &&
        data.messages > 0 && (
          <Confirm
            label="Empty the mailbox"
            question={`Permanently remove ${counted(data.messages, 'message')}? The calendar stays.`}
            onConfirm={() => void empty.run()}
          />
        )
      }
    >
      <Stack>
        <Facts
          facts={[
            { label: 'Name', value: data.displayName },
            { label: 'User', value: data.user },
            { label: 'Object id', value: <CopyId id={data.id} length={36} /> },
            { label: 'Created', value: <Time at={data.createdAt} /> },
            {
              label: 'Messages',
              value: <Link href={`${addressOf('mail')}?user=${encodeURIComponent(user)}`}>List of its messages</Link>,
            },
          ]}
        />
        <Calendar user={user} />
      </Stack>
    </Detail>
  );
}

const FIRST = 100;

function Calendar({ user }: { readonly user: string }) {
  const [most, setMost] = useState(FIRST);
  const events = useData(
    ['mail', 'events', user, most],
    (signal) =>
      dataOf(
        control.GET('/_jar/mail/mailboxes/{user}/events', {
          params: { path: { user }, query: { $top: most } },
          signal,
        }),
      ),
    { on: ['changes'], keepPrevious: true },
  );
  return (
    <Section title="Calendar">
      <FailureNotice failure={events.failure} what="The calendar" />
      <Table
        label="Events"
        items={events.data?.value ?? []}
        keyOf={({ id }) => id}
        empty="The calendar has no event."
        columns={[
          { title: 'Event', cell: ({ subject, isCancelled }) => (isCancelled ? <s>{subject}</s> : subject) },
          { title: 'Start', cell: startOf },
          { title: 'Organizer', cell: ({ organizer, isOrganizer }) => (isOrganizer ? 'this mailbox' : organizer) },
          { title: 'Answer', cell: ({ response }) => response },
          {
            title: 'Attendees',
            cell: ({ attendees }) =>
              attendees.map(({ address, response }) => (
                <div key={address}>
                  {address} <Soft>{response}</Soft>
                </div>
              )),
          },
        ]}
      />
      {events.data?.nextLink !== undefined && (
        <Row>
          <Button onPress={() => setMost(most * 2)}>Show more</Button>
        </Row>
      )}
    </Section>
  );
}

const startOf = ({ start, isAllDay }: MailboxEvent) =>
  isAllDay ? start.slice(0, 10) : `${start.slice(0, 16).replace('T', '\u00a0')}\u00a0UTC`;
