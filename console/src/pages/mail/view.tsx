import { ExternalLink } from 'lucide-react';
import { addressOf, useAddressParam, useSegments } from '../../shared/address.ts';
import { useMayChange } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Page } from '../../shared/ui/layout.tsx';
import { Sections } from '../../shared/ui/sections.tsx';
import { Mailboxes } from './mailboxes.tsx';
import { Messages } from './messages.tsx';
import { Outgoing } from './outgoing.tsx';
import { Receivers } from './receivers.tsx';
import { SendMail } from './send-mail.tsx';
import styles from './view.module.css';

const SECTIONS = [
  { path: 'messages', title: 'Messages', View: Messages },
  { path: 'outgoing', title: 'To other domains', View: Outgoing },
  { path: 'mailboxes', title: 'Mailboxes', View: Mailboxes },
  { path: 'receivers', title: 'Notified receivers', View: Receivers },
] as const;

/** The mail of all mailboxes as it arrives, and the outcome of mail to others. */
export default function Mail() {
  const [section = 'messages'] = useSegments('mail');
  const [making, make] = useAddressParam('new');
  const mayChange = useMayChange();
  const { View } = SECTIONS.find(({ path }) => path === section) ?? SECTIONS[0];
  return (
    <Page
      title="Mail"
      about="Mail of all mailboxes as it arrives, and the outcome of mail that was sent."
      isFull
      actions={
        <>
          {mayChange && <Button onPress={() => make('mail')}>Send a test mail</Button>}
          <a className={styles.link} href="/mail/" target="_blank" rel="noreferrer">
            Open a mailbox <ExternalLink size={14} aria-hidden />
          </a>
        </>
      }
    >
      <Sections
        label="Parts of the mail"
        sections={SECTIONS.map(({ path, title }) => ({
          title,
          address: path === 'messages' ? addressOf('mail') : addressOf('mail', path),
          isCurrent: path === section,
        }))}
      />
      <View />
      {making === 'mail' && mayChange && <SendMail close={() => make(undefined)} />}
    </Page>
  );
}
