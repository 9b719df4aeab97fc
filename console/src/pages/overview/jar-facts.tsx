import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { bytes, milliseconds } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { Facts, Section } from '../../shared/ui/layout.tsx';
import type { Overview } from './use-overview.ts';

/** The process itself. */
export function JarFacts({ overview }: { readonly overview: Overview }) {
  const { clock, startedAt, node, pid, memory, eventLoop, announcements } = overview;
  return (
    <Section title="Jar">
      <Facts
        facts={[
          { label: 'Clock', value: <Link href={addressOf('time')}>{clock}</Link> },
          { label: 'Started', value: <Time at={startedAt} wall /> },
          { label: 'Memory', value: `${bytes(memory.rss)}, heap ${bytes(memory.heap)}` },
          {
            label: 'Process',
            value: `${pid}, Node ${node}${eventLoop.p99 === null ? '' : `, delay ${milliseconds(eventLoop.p99)}`}`,
          },
          ...announcements.map(({ name, text, page }) => ({
            label: name,
            // Pages of services are outside of the console.
            value: page === undefined ? text : <a href={page}>{text}</a>,
          })),
        ]}
      />
    </Section>
  );
}
