import { Badge, type Tone } from '../../shared/ui/badge.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { Soft, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import type { Difference } from './api.ts';
import type { DifferenceRow } from './comparison.ts';
import styles from './snapshots.module.css';

type Field = NonNullable<Difference['fields']>[number];

export const CHANGE_TONES: Readonly<Record<Difference['change'], Tone>> = {
  added: 'success',
  changed: 'warning',
  removed: 'failure',
};

/** The names of the members that differ, for one line of a list. */
export const summaryOf = ({ fields, moreFields }: DifferenceRow): string =>
  fields === undefined ? '' : `${fields.map(({ path }) => path).join(', ')}${moreFields ? ', …' : ''}`;

/** One item that differs, member by member. */
export function DifferenceDetail({ row }: { readonly row: DifferenceRow | undefined }) {
  if (!row)
    return (
      <Detail kind="Difference" title="Not among the differences">
        <Notice title="The item is the same on both sides, or among the differences that are not read yet." />
      </Detail>
    );
  const { key, collection, change, fields, moreFields } = row;
  return (
    <Detail kind={collection} title={key} badges={<Badge tone={CHANGE_TONES[change]}>{change}</Badge>}>
      {fields === undefined ? (
        <Notice
          title={
            change === 'added' ? 'The item exists only on the second side.' : 'The item exists only on the first side.'
          }
        />
      ) : (
        <Stack>
          <Table
            label="Members that differ"
            items={fields}
            keyOf={({ path }) => path}
            columns={[
              { title: 'Member', cell: ({ path }) => path },
              { title: 'Before', cell: (field) => <Value field={field} side="before" /> },
              { title: 'After', cell: (field) => <Value field={field} side="after" /> },
            ]}
          />
          {moreFields && <Soft>More members differ than are listed.</Soft>}
        </Stack>
      )}
    </Detail>
  );
}

function Value({ field, side }: { readonly field: Field; readonly side: 'before' | 'after' }) {
  if (field.secret) return <Soft>secret</Soft>;
  const value = field[side];
  if (value === undefined) return <Soft>missing</Soft>;
  return <code className={styles.value}>{JSON.stringify(value, null, 2)}</code>;
}
