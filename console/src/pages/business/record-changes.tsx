import { Link } from 'wouter';
import { control, dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { Time } from '../../shared/format/time.tsx';
import { FailureNotice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { changeAddress, NOTIFIED } from './api.ts';

const MOST = 50;

/** The newest changes of one record with the outcome of their notifications. */
export function RecordChanges({ id }: { readonly id: string }) {
  const changes = useData(
    ['business', 'changes', id],
    async (signal) =>
      (await dataOf(control.GET('/_jar/business/changes', { params: { query: { id, $top: MOST } }, signal }))).value,
    { on: NOTIFIED },
  );
  return (
    <>
      <FailureNotice failure={changes.failure} what="The changes" />
      <Table
        label="Changes"
        items={changes.data ?? []}
        keyOf={(change) => change.id}
        empty="No change of this record is kept. Changes of the sample company are not recorded."
        columns={[
          { title: 'Change', cell: (change) => <Link href={changeAddress(change.id)}>{change.changeType}</Link> },
          { title: 'By', cell: ({ user }) => user.name },
          { title: 'Notified', cell: ({ summary }) => summary },
          { title: 'When', cell: ({ at }) => <Time at={at} /> },
        ]}
      />
    </>
  );
}
