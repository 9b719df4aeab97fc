import { Link } from 'wouter';
import type { operations } from '../../shared/api/control.ts';
import { count, counted } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { exact, longSpan } from '../../shared/format/times.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Soft, Stack } from '../../shared/ui/layout.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { workAddress } from './addresses.ts';
import { Subject } from './subject.tsx';

export type PreviewDocument = operations['Jar_PreviewAdvance']['responses'][200]['content']['application/json'];

interface Props {
  readonly preview: PreviewDocument;
  readonly isStale: boolean;
}

/** What an advance would run, as far as it is known now. */
export function Preview({ preview: { from, to, total, byKind, value, recurring, note }, isStale }: Props) {
  const repeated = new Set(recurring.map(({ kind }) => kind));
  const span = longSpan(Date.parse(to) - Date.parse(from));
  return (
    <Stack>
      <h3>{`${sentenceOf(total)} in the next ${span}, until ${exact(Date.parse(to)).replace(/\.\d+/, '')}.`}</h3>
      {total > 0 && (
        <>
          <Table
            label={isStale ? 'What will run, being read again' : 'What will run'}
            items={byKind}
            keyOf={({ kind }) => kind}
            columns={[
              {
                title: 'Work',
                cell: ({ kind, title }) => (
                  <>
                    {title ?? kind} {repeated.has(kind) && <Badge tone="info">repeats</Badge>}
                  </>
                ),
              },
              { title: 'Items', isNumber: true, cell: (of) => count(of.count) },
              { title: 'First', cell: ({ firstAt }) => <Time at={firstAt} /> },
              { title: 'Last', cell: ({ lastAt }) => <Time at={lastAt} /> },
              {
                title: 'First item',
                cell: ({ kind }) => {
                  const item = value.find((each) => each.kind === kind);
                  return (
                    item && (
                      <Link href={workAddress(item.id)}>
                        <Subject of={item.subject ?? item.id} />
                      </Link>
                    )
                  );
                },
              },
            ]}
          />
          <Soft>{note}</Soft>
        </>
      )}
    </Stack>
  );
}

const sentenceOf = (total: number): string =>
  total === 0 ? 'Nothing is due' : total === 1 ? '1 item is due' : `${counted(total, 'item')} are due`;
