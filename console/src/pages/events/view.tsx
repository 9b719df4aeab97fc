import { Send } from 'lucide-react';
import { addressOf, useAddressParam, useSegments } from '../../shared/address.ts';
import { useMayChange } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Page } from '../../shared/ui/layout.tsx';
import { Sections } from '../../shared/ui/sections.tsx';
import { NewTopic } from './new-topic.tsx';
import { Publish } from './publish.tsx';
import { Queues } from './queues.tsx';
import { Subscribe } from './subscribe.tsx';
import { Subscriptions } from './subscriptions.tsx';
import { Topics } from './topics.tsx';
import { Traces } from './traces.tsx';

const SECTIONS = [
  { id: 'traces', title: 'Events', Part: Traces },
  { id: 'topics', title: 'Topics', Part: Topics },
  { id: 'subscriptions', title: 'Subscriptions', Part: Subscriptions },
  { id: 'queues', title: 'Queues', Part: Queues },
] as const;

/** Topics, who subscribes to them, and the way of every event from its publisher to its receivers. */
export default function Events() {
  const [section = 'traces', ...rest] = useSegments('events');
  const [form, show] = useAddressParam('form');
  const mayChange = useMayChange();
  const current = SECTIONS.find(({ id }) => id === section) ?? SECTIONS[0];
  const close = (): void => show(undefined);
  return (
    <Page
      title="Events"
      about="What was published, who matched and why not, and whether it arrived."
      actions={
        mayChange && (
          <>
            <Button onPress={() => show('topic')}>Create a topic</Button>
            <Button onPress={() => show('subscription')}>Subscribe</Button>
            <Button look="main" onPress={() => show('publish')}>
              <Send size={14} aria-hidden /> Publish a test event
            </Button>
          </>
        )
      }
      isFull
    >
      <Sections
        label="Events"
        sections={SECTIONS.map(({ id, title }) => ({
          title,
          address: addressOf('events', id),
          isCurrent: id === current.id,
        }))}
      />
      <current.Part key={current.id} open={rest[0]} />
      {mayChange && form === 'topic' && <NewTopic close={close} />}
      {mayChange && form === 'subscription' && <Subscribe close={close} />}
      {mayChange && form === 'publish' && <Publish close={close} />}
    </Page>
  );
}
