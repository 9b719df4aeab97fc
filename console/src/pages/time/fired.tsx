import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { operations } from '../../shared/api/control.ts';
import { counted } from '../../shared/format/numbers.ts';
import { clockTime, exact } from '../../shared/format/times.ts';
import { StateBadge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Row, Soft, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { effectAddress, requestsAddress, workAddress } from './addresses.ts';
import { Subject } from './subject.tsx';

type Advanced = operations['Jar_AdvanceClock']['responses'][200]['content']['application/json'];
type Item = Advanced['items'][number];

/** What an advance ran, with the time at which it began. */
export interface FiredDocument extends Advanced {
  readonly from: string;
}

const KEY = ['clock', 'fired'];

/** The last advance of this page; kept while the person follows a link and comes back. */
export function useFired() {
  const client = useQueryClient();
  const { data } = useQuery<FiredDocument | null>({ queryKey: KEY, enabled: false, initialData: null });
  return {
    fired: data ?? undefined,
    setFired: (fired: FiredDocument | undefined): void => {
      client.setQueryData(KEY, fired ?? null);
    },
  };
}

interface Props {
  readonly fired: FiredDocument;
  readonly dismiss: () => void;
}

/** What ran, by kind and one by one, with links to what it did. */
export function Fired({ fired: { from, now, fired, work, items, more }, dismiss }: Props) {
  const failed = work.reduce((sum, each) => sum + each.failed, 0);
  const title = `${fired === 0 ? 'Nothing ran' : `${counted(fired, 'item')} ran`}${failed > 0 ? `, ${failed} failed` : ''}. It is ${exact(Date.parse(now)).replace(/\.\d+/, '')}.`;
  return (
    <Stack>
      <Notice
        tone={failed > 0 ? 'warning' : 'success'}
        title={title}
        actions={
          <Row>
            <Link href={requestsAddress(from, now)}>Requests and deliveries of this time</Link>
            <Button look="quiet" onPress={dismiss}>
              Dismiss
            </Button>
          </Row>
        }
      />
      {fired > 0 && (
        <>
          <Table
            label="What ran"
            items={items}
            keyOf={(_, index) => `${index}`}
            columns={[
              {
                title: 'At',
                cell: ({ at }) => <time dateTime={at}>{clockTime(Date.parse(at), Date.parse(now))}</time>,
              },
              { title: 'Work', cell: ({ kind }) => work.find((each) => each.kind === kind)?.title ?? kind },
              { title: 'About', cell: (item) => <About item={item} /> },
              { title: 'Outcome', cell: ({ outcome }) => <StateBadge state={outcome} /> },
            ]}
          />
          {more && <Soft>Only the first {items.length} are listed.</Soft>}
        </>
      )}
    </Stack>
  );
}

/** Failed items still exist and lead to their reason; the others to the page of what they did. */
function About({ item: { id, kind, subject, outcome } }: { readonly item: Item }) {
  const isKept = outcome === 'parked' || outcome === 'retried';
  const address = isKept ? workAddress(id) : effectAddress({ kind, ...(subject !== undefined && { subject }) });
  const text = <Subject of={subject ?? id} />;
  return address === undefined ? text : <Link href={address}>{text}</Link>;
}
