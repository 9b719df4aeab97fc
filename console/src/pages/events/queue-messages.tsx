import { Time } from '../../shared/format/time.tsx';
import type { RowOf } from '../../shared/list/pages.ts';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Facts, Row, Section, Stack } from '../../shared/ui/layout.tsx';
import { FailureNotice } from '../../shared/ui/notice.tsx';

type Message = RowOf<'/_jar/events/queues/{queue}/messages'>;

const keyOf = ({ id }: Message): string => id;

/** What is in a queue, the oldest first. Looking receives nothing. */
export function QueueMessages({ queue }: { readonly queue: string }) {
  const path = `/_jar/events/queues/${encodeURIComponent(queue)}/messages` as '/_jar/events/queues/{queue}/messages';
  const messages = useControlRows(path, {
    query: { $top: 20 },
    keyOf,
    on: ['deliveries', '/_jar/events/queues', 'clock'],
    follow: true,
  });
  return (
    <Stack>
      <FailureNotice failure={messages.failure} what="The messages" />
      {messages.rows.length === 0 && !messages.isLoading && <p>The queue is empty.</p>}
      {messages.rows.map((message) => (
        <Section
          key={message.id}
          title={
            <Row>
              {message.id} {message.dequeueCount > 0 && <Badge>received {message.dequeueCount} times</Badge>}
            </Row>
          }
        >
          <Facts
            facts={[
              { label: 'Queued', value: <Time at={message.enqueuedAt} /> },
              message.expiresAt !== null && { label: 'Expires', value: <Time at={message.expiresAt} /> },
              ...Object.entries(message.properties).map(([label, value]) => ({ label, value })),
            ]}
          />
          <JsonView value={message.body} label="Copy the message" />
        </Section>
      ))}
      {messages.hasMore && <Button onPress={() => messages.loadMore()}>Show more</Button>}
    </Stack>
  );
}
