import { useState } from 'react';
import { addressOf, useGo } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Switch, TextField } from '../../shared/ui/field.tsx';
import { Row } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';

const FIELDS: ReadonlySet<string> = new Set(['to', 'from', 'subject', 'meeting.start', 'meeting.duration']);

const listed = (addresses: string): string[] =>
  addresses
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);

/** Delivers a mail to mailboxes of the jar as if it had arrived by SMTP; with a meeting it is an invitation. */
export function SendMail({ close }: { readonly close: () => void }) {
  const go = useGo();
  const [from, setFrom] = useState('Carol <carol@fabrikam.example>');
  const [to, setTo] = useState('admin');
  const [subject, setSubject] = useState('');
  const [text, setText] = useState('');
  const [isMeeting, setMeeting] = useState(false);
  const [start, setStart] = useState('');
  const [duration, setDuration] = useState('45m');
  const [place, setPlace] = useState('');
  const send = useAction(
    () =>
      dataOf(
        control.POST('/_jar/mail/send', {
          body: {
            from,
            to: listed(to),
            subject,
            text,
            ...(isMeeting && {
              meeting: { duration, ...(start !== '' && { start }), ...(place !== '' && { location: place }) },
            }),
          },
        }),
      ),
    {
      inline: true,
      done: ({ recipients }) => `The mail arrived in ${recipients.map(({ mailbox }) => mailbox).join(', ')}.`,
      after: ({ recipients: [first] }) =>
        go(first?.id ? addressOf('mail', 'messages', first.mailbox, first.id) : addressOf('mail')),
    },
  );
  const { failure } = send;
  const target = failure?.target?.replace(/\[\d+\]$/, '');
  const at = (field: string): string | undefined => (target === field ? failure?.message : undefined);
  return (
    <Dialog title="Send a test mail" close={close}>
      <TextField label="From" value={from} onChange={setFrom} error={at('from')} />
      <TextField
        label="To"
        value={to}
        onChange={setTo}
        error={at('to')}
        description="Addresses or aliases of users, with commas between them"
      />
      <TextField label="Subject" value={subject} onChange={setSubject} error={at('subject')} autoFocus />
      <TextField label="Text" value={text} onChange={setText} rows={5} />
      <Switch label="It is an invitation to a meeting" isSelected={isMeeting} onChange={setMeeting} />
      {isMeeting && (
        <Row align="start">
          <TextField
            label="Start"
            value={start}
            onChange={setStart}
            placeholder="2027-01-05T10:00:00Z"
            error={at('meeting.start')}
            description="The next full hour if empty"
          />
          <TextField label="Length" value={duration} onChange={setDuration} error={at('meeting.duration')} />
          <TextField label="Location" value={place} onChange={setPlace} />
        </Row>
      )}
      {failure && !FIELDS.has(target ?? '') && <Notice tone="failure" title={failure.message} />}
      <Row>
        <Button look="main" isDisabled={send.isRunning} onPress={() => void send.run()}>
          Send
        </Button>
      </Row>
    </Dialog>
  );
}
