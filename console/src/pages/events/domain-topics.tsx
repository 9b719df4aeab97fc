import { Link } from 'wouter';
import { useServiceRows } from '../../shared/list/use-rows.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Stack } from '../../shared/ui/layout.tsx';
import { FailureNotice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { CONFIGURED, PUBLISHED, topicAddress, VERSION } from './api.ts';

interface DomainTopic {
  readonly id: string;
  readonly name: string;
}

/** The topics of a domain, which events or subscriptions may have created. */
export function DomainTopics({ domain }: { readonly domain: string }) {
  const topics = useServiceRows<DomainTopic>(`${domain}/topics?${VERSION}`, {
    keyOf: ({ id }) => id,
    on: [...CONFIGURED, ...PUBLISHED],
    follow: true,
  });
  return (
    <Stack>
      <FailureNotice failure={topics.failure} what="The topics of the domain" />
      <Table
        label="Topics of the domain"
        items={topics.rows}
        keyOf={({ id }) => id}
        empty="The domain has no topic yet: the first event or subscription of a topic creates it."
        columns={[{ title: 'Topic', cell: ({ id, name }) => <Link href={topicAddress(id)}>{name}</Link> }]}
      />
      {topics.hasMore && <Button onPress={() => topics.loadMore()}>Show more</Button>}
    </Stack>
  );
}
