import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { Time } from '../../shared/format/time.tsx';
import { literal } from '../../shared/list/filter.ts';
import { StateBadge } from '../../shared/ui/badge.tsx';
import { Soft, Stack } from '../../shared/ui/layout.tsx';
import { FailureNotice } from '../../shared/ui/notice.tsx';
import { type Step, Way } from '../../shared/ui/way.tsx';
import { type MessageDocument, messageAddress } from './api.ts';

interface Props {
  readonly user: string;
  readonly message: MessageDocument;
}

/** Where a message came from, which servers passed it on, and where each copy of it is now. */
export function MessageWay({ user, message }: Props) {
  const { messageId, subject } = message;
  const way = useData(['mail', 'way', user, messageId], (signal) => readWay(user, messageId, subject, signal), {
    on: ['changes', 'deliveries', 'work', '/_jar/mail'],
  });
  const received = message.headers.filter(({ name }) => name.toLowerCase() === 'received').toReversed();
  return (
    <Stack>
      <FailureNotice failure={way.failure} what="The way of the message" />
      <Way
        label="The way of the message"
        steps={[
          {
            id: 'from',
            title: message.isDraft ? 'Written, not sent yet' : `Sent by ${message.from ?? 'nobody'}`,
            tone: message.isDraft ? 'warning' : 'neutral',
          },
          ...received.map(
            ({ value }, index): Step => ({
              id: `received ${index}`,
              title: 'Passed on',
              children: <Soft>{value}</Soft>,
            }),
          ),
          { id: 'copies', title: 'Copies', branches: branchesOf(way.data) },
        ]}
      />
    </Stack>
  );
}

type Ways = Awaited<ReturnType<typeof readWay>>;

async function readWay(user: string, messageId: string, subject: string, signal: AbortSignal) {
  const $filter = `messageId eq ${literal(messageId)}`;
  const query = { params: { query: { $filter } }, signal };
  const mailbox = await dataOf(control.GET('/_jar/mail/mailboxes/{user}', { params: { path: { user } }, signal }));
  const [copies, kept, queued, relayed] = await Promise.all([
    dataOf(control.GET('/_jar/mail/messages', query)),
    dataOf(control.GET('/_jar/mail/kept', query)),
    dataOf(control.GET('/_jar/mail/queued', query)),
    dataOf(
      control.GET('/_jar/deliveries', {
        params: {
          query: {
            policy: 'mail.relay',
            owner: mailbox.id,
            ...(subject !== '' && { $filter: `contains(subject,${literal(`: ${subject}`)})` }),
          },
        },
        signal,
      }),
    ),
  ]);
  return { copies: copies.value, kept: kept.value, queued: queued.value, relayed: relayed.value };
}

function branchesOf(ways: Ways | undefined): readonly (readonly Step[])[] {
  if (!ways) return [];
  return [
    ...ways.copies.map((copy): Step[] => [
      {
        id: `${copy.user}/${copy.id}`,
        tone: copy.folder === 'Sent Items' || copy.isDraft ? 'neutral' : 'success',
        title: (
          <>
            {copy.folder} of <Link href={messageAddress(copy)}>{copy.mailbox}</Link>
          </>
        ),
        children: (
          <Soft>
            {copy.isRead ? 'read' : 'unread'}, <Time at={copy.receivedAt} />
          </Soft>
        ),
      },
    ]),
    ...ways.queued.map(({ id, recipients, relayed, queuedAt }): Step[] => [
      {
        id,
        tone: 'info',
        title: `Queued for ${recipients.length > 0 ? recipients.join(', ') : `${relayed} recipients at the relay`}`,
        children: <Time at={queuedAt} />,
      },
    ]),
    ...ways.kept.map(({ id, to, at }): Step[] => [
      {
        id,
        tone: 'warning',
        title: (
          <>
            Kept in the jar for <Link href={addressOf('mail', 'outgoing', id)}>{to}</Link>
          </>
        ),
        children: (
          <Soft>
            There is no relay for mail to other domains, <Time at={at} />
          </Soft>
        ),
      },
    ]),
    ...ways.relayed.map(({ id, subject, state, lastAttempt }): Step[] => [
      {
        id,
        tone: state === 'delivered' ? 'success' : state === 'queued' ? 'info' : 'failure',
        title: (
          <>
            Relay: <Link href={addressOf('deliveries', id)}>{subject ?? id}</Link> <StateBadge state={state} />
          </>
        ),
        children: lastAttempt?.error !== undefined && <Soft>{lastAttempt.error}</Soft>,
      },
    ]),
  ];
}
