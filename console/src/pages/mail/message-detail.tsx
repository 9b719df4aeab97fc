import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { bytes } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { Badge } from '../../shared/ui/badge.tsx';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Facts, Section, Soft, Stack } from '../../shared/ui/layout.tsx';
import { CodeBlock } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { type MessageDocument, sourcePath } from './api.ts';
import { MeetingBadge, MeetingFacts } from './meeting.tsx';
import { MessageWay } from './message-way.tsx';
import { Source } from './source.tsx';

interface Props {
  readonly user: string;
  readonly id: string;
}

/** One message in one mailbox: what it says, where it came from and where it went. */
export function MessageDetail({ user, id }: Props) {
  const message = useData(
    ['mail', 'message', user, id],
    (signal) =>
      dataOf(
        control.GET('/_jar/mail/mailboxes/{user}/messages/{message}', {
          params: { path: { user, message: id } },
          signal,
        }),
      ),
    { on: ['changes'] },
  );
  const { data } = message;
  if (!data)
    return (
      <Detail kind="Message" title={id} failure={message.failure}>
        {null}
      </Detail>
    );
  return (
    <Detail
      kind="Message"
      title={data.subject || '(no subject)'}
      failure={message.failure}
      badges={
        <>
          <Badge tone={data.isRead ? 'neutral' : 'accent'}>{data.isRead ? 'read' : 'unread'}</Badge>
          {data.isDraft && <Badge tone="warning">draft</Badge>}
          {data.meeting && <MeetingBadge type={data.meeting.type} />}
          <Soft>
            {data.folder} of <Link href={addressOf('mail', 'mailboxes', user)}>{user}</Link>
          </Soft>
          <Soft>{bytes(data.size)}</Soft>
        </>
      }
    >
      <Tabs
        label="Message"
        tabs={[
          { id: 'message', title: 'Message', content: () => <Message user={user} message={data} /> },
          { id: 'way', title: 'Way', content: () => <MessageWay user={user} message={data} /> },
          data.html !== null && {
            id: 'html',
            title: 'HTML',
            content: () => <CodeBlock text={data.html ?? ''} label="Copy the HTML" />,
          },
          {
            id: 'headers',
            title: `Headers (${data.headers.length})`,
            content: () => <Headers headers={data.headers} />,
          },
          {
            id: 'source',
            title: 'Source',
            content: () => <Source path={sourcePath(user, data.id)} size={data.size} name={`${data.id}.eml`} />,
          },
          { id: 'json', title: 'JSON', content: () => <JsonView value={data} /> },
        ]}
      />
    </Detail>
  );
}

function Message({ user, message }: { readonly user: string; readonly message: MessageDocument }) {
  const { from, fromName, to, cc, bcc, receivedAt, messageId, meeting, text, attachments } = message;
  return (
    <Stack>
      <Facts
        facts={[
          { label: 'From', value: fromName ? `${fromName} <${from}>` : from },
          { label: 'To', value: to.join(', ') },
          cc.length > 0 && { label: 'Cc', value: cc.join(', ') },
          bcc.length > 0 && { label: 'Bcc', value: bcc.join(', ') },
          { label: 'Received', value: <Time at={receivedAt} /> },
          { label: 'Message-ID', value: <CopyId id={messageId} length={48} /> },
        ]}
      />
      {meeting && <MeetingFacts meeting={meeting} />}
      {text === '' ? <Soft>The message has no text.</Soft> : <CodeBlock text={text} label="Copy the text" />}
      {attachments.length > 0 && (
        <Section title="Attachments">
          <Table
            label="Attachments"
            items={attachments}
            keyOf={(attachment) => attachment.id}
            columns={[
              {
                title: 'Name',
                cell: ({ id, name, kind }) =>
                  kind === 'reference' ? (
                    name
                  ) : (
                    <a
                      href={`/_jar/mail/mailboxes/${encodeURIComponent(user)}/messages/${encodeURIComponent(message.id)}/attachments/${encodeURIComponent(id)}`}
                      download={name}
                    >
                      {name}
                    </a>
                  ),
              },
              { title: 'Kind', cell: ({ kind, isInline }) => (isInline ? `${kind}, inline` : kind) },
              { title: 'Type', cell: ({ contentType }) => contentType ?? '' },
              { title: 'Size', isNumber: true, cell: ({ size }) => bytes(size) },
            ]}
          />
        </Section>
      )}
    </Stack>
  );
}

function Headers({ headers }: { readonly headers: MessageDocument['headers'] }) {
  return (
    <Table
      label="Headers"
      items={headers}
      keyOf={(_, index) => String(index)}
      empty="The message has no headers of its own: those of the sent mail are in its source."
      columns={[
        { title: 'Header', cell: ({ name }) => name },
        { title: 'Value', cell: ({ value }) => value },
      ]}
    />
  );
}
