import { Badge } from '../../../shared/ui/badge.tsx';
import { Mono, Soft, Stack } from '../../../shared/ui/layout.tsx';
import { FailureNotice } from '../../../shared/ui/notice.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import { type Child, type ShareSubscription, useChildren } from '../api.ts';
import { placeOf, textOf } from '../places.ts';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly mapping: Child | undefined;
}

/** The data sets of the source, and the target of each. */
export function Mappings({ subscription: { id, status } }: { readonly subscription: ShareSubscription }) {
  // Without access, the source cannot be read.
  const source = useChildren(id, 'consumerSourceDataSets', status === 'Active');
  const mapped = useChildren(id, 'dataSetMappings');
  return (
    <Stack>
      <FailureNotice failure={source.failure} what="The data sets of the source" />
      <FailureNotice failure={mapped.failure} what="The mappings" />
      <Table
        label="Data sets and their targets"
        items={rowsOf(source.data ?? [], mapped.data ?? [])}
        keyOf={(row) => row.id}
        empty="The share has no data set."
        columns={[
          {
            title: 'Data set',
            cell: ({ name, kind }) => (
              <>
                {name} <Soft>{kind}</Soft>
              </>
            ),
          },
          {
            title: 'Mapped to',
            cell: ({ mapping }) => (mapping ? <Mono>{placeOf(mapping)}</Mono> : <Soft>not mapped: not copied</Soft>),
          },
          {
            title: 'Mapping',
            cell: ({ mapping }) => mapping && <Status status={textOf(mapping, 'dataSetMappingStatus')} />,
          },
        ]}
      />
    </Stack>
  );
}

/** Broken: the provider has deleted the data set. */
const Status = ({ status }: { readonly status: string }) => (
  <Badge tone={status === 'Ok' ? 'success' : 'failure'}>{status}</Badge>
);

function rowsOf(source: readonly Child[], mappings: readonly Child[]): readonly Row[] {
  const byId = new Map(mappings.map((mapping) => [textOf(mapping, 'dataSetId'), mapping]));
  const known = source.map((set): Row => {
    const id = textOf(set, 'dataSetId');
    const name = textOf(set, 'dataSetName') || set.name;
    return { id, name, kind: textOf(set, 'dataSetType'), mapping: byId.get(id) };
  });
  const shown = new Set(known.map(({ id }) => id));
  const others = [...byId].filter(([id]) => !shown.has(id));
  return [...known, ...others.map(([id, mapping]) => ({ id, name: mapping.name, kind: mapping.kind ?? '', mapping }))];
}
