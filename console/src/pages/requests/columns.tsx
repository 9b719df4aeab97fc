import { ArrowUpRight } from 'lucide-react';
import { shortPath } from '../../shared/format/ids.ts';
import { milliseconds } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import type { Column } from '../../shared/list/list.tsx';
import type { RowOf } from '../../shared/list/pages.ts';
import { Badge, StatusBadge } from '../../shared/ui/badge.tsx';
import { Soft } from '../../shared/ui/layout.tsx';
import styles from './requests.module.css';

export type Request = RowOf<'/_jar/requests'>;

export const keyOf = ({ id }: Request): string => id;

export const COLUMNS: readonly Column<Request>[] = [
  { id: 'request', title: 'Request', width: 'minmax(7rem, 1fr)', cell: (row) => <Line request={row} /> },
  {
    id: 'status',
    title: 'Status',
    width: '4.25rem',
    order: 'status',
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    id: 'error',
    title: 'Why',
    width: 'minmax(6rem, 12rem)',
    isExtra: true,
    cell: ({ error, fault, repeats }) => (
      <>
        {fault !== undefined && <Badge tone="warning">fault</Badge>}{' '}
        {repeats !== undefined && <Badge>sent again</Badge>} <Soft>{error?.code}</Soft>
      </>
    ),
  },
  { id: 'service', title: 'Service', width: '7rem', order: 'service', isExtra: true, cell: ({ service }) => service },
  {
    id: 'ms',
    title: 'Duration',
    width: '4.5rem',
    order: 'ms',
    isNumber: true,
    isExtra: true,
    cell: ({ ms }) => milliseconds(ms),
  },
  {
    id: 'at',
    title: 'When',
    width: '4.5rem',
    order: 'systemAt',
    isNumber: true,
    // By the system's clock: the jar's may stand still, and all requests would be of the same moment.
    cell: ({ systemAt }) => <Time at={systemAt} wall />,
  },
];

/** Method and path; ids of the path are shortened, so that its end is seen. */
function Line({ request: { method, path, target } }: { readonly request: Request }) {
  const url = path ?? target ?? '';
  const [before = '', ...query] = url.split('?');
  return (
    <span className={styles.line} title={`${method} ${url}`}>
      <span className={styles.method}>{method}</span>
      {path === undefined && <ArrowUpRight size={12} aria-label="to" className={styles.out} />}
      {shortPath(before)}
      {query.length > 0 && <span className={styles.query}>?{query.join('?')}</span>}
    </span>
  );
}
