import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { count, milliseconds } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { Section } from '../../shared/ui/layout.tsx';
import { Table } from '../../shared/ui/table.tsx';
import styles from './overview.module.css';
import type { Overview } from './use-overview.ts';

type Service = Overview['services'][number];

/** Services whose page has another name than the service; those without a page have none. */
const PAGE_OF: Readonly<Record<string, string | undefined>> = {
  'event-publishing': 'events',
  'management-groups': 'resources',
  'mail-pages': 'mail',
  subscriptions: undefined,
  'subscription-pages': undefined,
};

/** Every API of the jar, the busiest first. */
export function Services({ services }: { readonly services: readonly Service[] }) {
  const sorted = services.toSorted((a, b) => b.requests - a.requests || a.title.localeCompare(b.title));
  return (
    <Section title="Services">
      <Table
        label="Services"
        items={sorted}
        keyOf={({ name }) => name}
        empty="This jar has no services."
        columns={[
          { title: 'Service', cell: (service) => <Name service={service} /> },
          {
            title: 'Requests',
            isNumber: true,
            cell: ({ name, requests }) => <Counted value={requests} href={requestsOf(name)} />,
          },
          {
            title: 'Errors',
            isNumber: true,
            cell: ({ name, failed }) => <Counted value={failed} href={`${requestsOf(name)}&show=errors`} isFailure />,
          },
          { title: 'p50', isNumber: true, cell: ({ p50 }) => (p50 === null ? '—' : milliseconds(p50)) },
          { title: 'p99', isNumber: true, cell: ({ p99 }) => (p99 === null ? '—' : milliseconds(p99)) },
          { title: 'Last request', isNumber: true, cell: ({ lastAt }) => <Time at={lastAt} wall /> },
        ]}
      />
    </Section>
  );
}

const requestsOf = (service: string): string =>
  `${addressOf('requests')}?filter=${encodeURIComponent(`service eq '${service}'`)}`;

function Name({ service: { name, title } }: { readonly service: Service }) {
  const page = name in PAGE_OF ? PAGE_OF[name] : name;
  return (
    <Link href={page === undefined ? requestsOf(name) : addressOf(page)} className={styles.plain}>
      {title}
    </Link>
  );
}

interface CountedProps {
  readonly value: number;
  readonly href: string;
  readonly isFailure?: boolean;
}

function Counted({ value, href, isFailure = false }: CountedProps) {
  if (value === 0) return <span className={styles.none}>0</span>;
  return (
    <Link href={href} className={isFailure ? styles.failure : styles.plain}>
      {count(value)}
    </Link>
  );
}
