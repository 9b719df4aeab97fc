import { Mono } from '../../../shared/ui/layout.tsx';
import { FailureNotice } from '../../../shared/ui/notice.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import { useChildren } from '../api.ts';
import { placeOf } from '../places.ts';

/** What the share offers, and where it is read. */
export function DataSets({ id }: { readonly id: string }) {
  const sets = useChildren(id, 'dataSets');
  return (
    <>
      <FailureNotice failure={sets.failure} what="The data sets" />
      <Table
        label="Data sets of the share"
        items={sets.data ?? []}
        keyOf={({ name }) => name}
        empty="The share has no data set, so there is nothing to copy."
        columns={[
          { title: 'Data set', cell: ({ name }) => name },
          { title: 'Kind', cell: ({ kind }) => kind },
          { title: 'Read from', cell: (set) => <Mono>{placeOf(set)}</Mono> },
        ]}
      />
    </>
  );
}
