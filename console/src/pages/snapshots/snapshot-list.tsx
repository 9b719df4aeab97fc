import { addressOf, useAddressParam } from '../../shared/address.ts';
import { bytes, count } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { Explorer } from '../../shared/list/explorer.tsx';
import { filterOf } from '../../shared/list/filter.ts';
import { FilterBar, useFilter } from '../../shared/list/filter-bar.tsx';
import { type Column, List, ORDER_PARAM } from '../../shared/list/list.tsx';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { useMayChange } from '../../shared/session.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Page } from '../../shared/ui/layout.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { SNAPSHOT_SIGNALS, type Snapshot } from './api.ts';
import { ImportDialog } from './import-dialog.tsx';
import { SaveDialog } from './save-dialog.tsx';
import { SnapshotDetail } from './snapshot-detail.tsx';

const keyOf = ({ name }: Snapshot): string => name;

const COLUMNS: readonly Column<Snapshot>[] = [
  { id: 'name', title: 'Snapshot', width: 'minmax(8rem, 2fr)', order: 'name', cell: ({ name }) => name },
  { id: 'taken', title: 'Taken', width: '6rem', order: 'takenAt', cell: ({ takenAt }) => <Time at={takenAt} /> },
  {
    id: 'documents',
    title: 'Documents',
    width: '6rem',
    order: 'counts/documents',
    isNumber: true,
    cell: ({ counts }) => count(counts.documents),
  },
  {
    id: 'work',
    title: 'Due work',
    width: '5rem',
    order: 'counts/work',
    isNumber: true,
    isExtra: true,
    cell: ({ counts }) => count(counts.work),
  },
  {
    id: 'size',
    title: 'Size',
    width: '6rem',
    order: 'sizes/stored',
    isNumber: true,
    isExtra: true,
    cell: ({ sizes }) => bytes(sizes.stored),
  },
  {
    id: 'imported',
    title: 'From',
    width: 'minmax(6rem, 1fr)',
    order: 'imported',
    isExtra: true,
    cell: ({ imported }) => (imported ? <Badge tone="info">a file</Badge> : 'this jar'),
  },
];

export function SnapshotList({ open }: { readonly open: string | undefined }) {
  const { text } = useFilter();
  const [order] = useAddressParam(ORDER_PARAM);
  const [making, make] = useAddressParam('new');
  const mayChange = useMayChange();
  const $filter = filterOf(text, ['name']);
  const rows = useControlRows('/_jar/snapshots', {
    query: { $filter, $orderby: order },
    keyOf,
    on: SNAPSHOT_SIGNALS,
    follow: open === undefined,
  });
  const close = (): void => make(undefined);
  const list = (
    <>
      <FilterBar placeholder="Name or OData expression" failure={rows.failure} />
      <List
        label="Snapshots"
        source={rows}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={({ name }) => addressOf('snapshots', name)}
        open={open}
        empty={
          <Empty
            title={$filter === undefined ? 'There is no snapshot yet' : 'No snapshot has this name'}
            {...($filter === undefined && { command: 'npx cloudjar snapshot save before-the-test' })}
          >
            A snapshot is all state of the jar under a name: the data of every service, due work, and the time. A test
            prepares a state once and restores it before each run.
          </Empty>
        }
      />
    </>
  );
  return (
    <Page
      title="Snapshots"
      about="States of the jar: save, restore, compare two."
      isFull
      actions={
        mayChange && (
          <>
            <Button onPress={() => make('import')}>Import…</Button>
            <Button look="main" onPress={() => make('snapshot')}>
              Save a snapshot
            </Button>
          </>
        )
      }
    >
      <Explorer
        label="Snapshot"
        closed={addressOf('snapshots')}
        list={list}
        detail={open === undefined ? undefined : <SnapshotDetail key={open} name={open} />}
      />
      {making === 'snapshot' && mayChange && <SaveDialog close={close} after={rows.readAgain} />}
      {making === 'import' && mayChange && <ImportDialog close={close} after={rows.readAgain} />}
    </Page>
  );
}
