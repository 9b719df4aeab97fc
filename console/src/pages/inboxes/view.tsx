import { useSegments } from '../../shared/address.ts';
import { InboxList } from './inbox-list.tsx';
import { OneInbox } from './one-inbox.tsx';

/** Webhook receivers of the jar: what arrived, and how they answer. */
export default function Inboxes() {
  const [name, request] = useSegments('inboxes');
  return name === undefined ? <InboxList /> : <OneInbox key={name} name={name} request={request} />;
}
