import { Send } from 'lucide-react';
import { Link } from 'wouter';
import { addressOf, useGo } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useData } from '../../shared/api/use-data.ts';
import { useRemoval } from '../../shared/api/use-removal.ts';
import { counted } from '../../shared/format/numbers.ts';
import { useKeys } from '../../shared/keys.tsx';
import { useMayChange } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { CopyButton } from '../../shared/ui/copy.tsx';
import { Mono, Page, Row } from '../../shared/ui/layout.tsx';
import { FailureNotice } from '../../shared/ui/notice.tsx';
import { findInbox, INBOX_SIGNALS, sendExample } from './api.ts';
import { BehaviourSwitches } from './behaviour-switches.tsx';
import { Received } from './received.tsx';

interface Props {
  readonly name: string;
  /** The id of the open request. */
  readonly request: string | undefined;
}

/** One inbox: its address, how it answers, and what arrived. */
export function OneInbox({ name, request }: Props) {
  const go = useGo();
  const mayChange = useMayChange();
  const inbox = useData(['inbox', name], (signal) => findInbox(name, signal), { on: INBOX_SIGNALS });
  const path = { params: { path: { name } } };
  const clear = useAction(() => dataOf(control.DELETE('/_jar/inbox/{name}/requests', path)), {
    done: ({ removed }) => `${counted(removed, 'request')} removed.`,
    after: inbox.readAgain,
  });
  const remove = useRemoval(() => dataOf(control.DELETE('/_jar/inbox', { params: { query: { name } } })), {
    done: 'The inbox was removed.',
    after: () => go(addressOf('inboxes')),
  });
  const send = useAction(() => sendExample(name), { after: inbox.readAgain });
  useKeys(
    request === undefined ? [{ key: 'Escape', does: 'Back to the inboxes', run: () => go(addressOf('inboxes')) }] : [],
  );
  const { data, failure } = inbox;
  const url = data?.url ?? `${location.origin}/_jar/inbox/${encodeURIComponent(name)}`;
  const kept = data?.kept ?? 0;
  return (
    <Page
      title={name}
      about={
        <Row>
          <Link href={addressOf('inboxes')}>All inboxes</Link>
          <Mono>{url}</Mono>
          <CopyButton text={url} label="Copy the address" />
        </Row>
      }
      isFull
      actions={
        <>
          {/* Anybody may send to an inbox; only a session that may change things makes one by that. */}
          {mayChange && (
            <Button onPress={() => void send.run()}>
              <Send size={14} aria-hidden /> Send a test request
            </Button>
          )}
          {mayChange && kept > 0 && (
            <Confirm
              label="Clear"
              question={`Remove ${counted(kept, 'received request')}?`}
              onConfirm={() => void clear.run()}
            />
          )}
          {mayChange && data && (
            <Confirm
              label="Delete"
              question={`Delete the inbox with ${counted(kept, 'received request')} and its answers?`}
              onConfirm={() => void remove.run()}
            />
          )}
        </>
      }
    >
      <FailureNotice failure={failure} what="The inbox" />
      {data && <BehaviourSwitches name={name} behaviour={data.behaviour} after={inbox.readAgain} />}
      <Received name={name} url={url} open={request} exists={data !== null} />
    </Page>
  );
}
