import { ArrowLeftRight, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { addressOf, useAddressParam, useGo } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { counted } from '../../shared/format/numbers.ts';
import { Explorer } from '../../shared/list/explorer.tsx';
import { type Column, List } from '../../shared/list/list.tsx';
import { useFrames } from '../../shared/live/live.tsx';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button, IconButton } from '../../shared/ui/button.tsx';
import { Select } from '../../shared/ui/field.tsx';
import { Page, Soft } from '../../shared/ui/layout.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { SNAPSHOT_SIGNALS, sumOf } from './api.ts';
import { type DifferenceRow, keyOf, useComparison } from './comparison.ts';
import { CHANGE_TONES, DifferenceDetail, summaryOf } from './difference.tsx';
import styles from './snapshots.module.css';

interface Props {
  readonly from: string;
  /** The key of the open difference. */
  readonly open: string | undefined;
}

/** In the address and in the choice: no snapshot has an empty name. */
const NOW = '';
const ALL = '';

const COLUMNS: readonly Column<DifferenceRow>[] = [
  { id: 'key', title: 'Item', width: 'minmax(8rem, 2fr)', cell: ({ key }) => key },
  {
    id: 'change',
    title: 'Change',
    width: '6rem',
    cell: ({ change }) => <Badge tone={CHANGE_TONES[change]}>{change}</Badge>,
  },
  { id: 'collection', title: 'Collection', width: 'minmax(8rem, 1fr)', isExtra: true, cell: (row) => row.collection },
  { id: 'what', title: 'Members', width: 'minmax(8rem, 2fr)', isExtra: true, cell: summaryOf },
];

/** What differs between two snapshots, or a snapshot and now: by collection, item by item, member by member. */
export function Compare({ from, open }: Props) {
  const go = useGo();
  const [to = NOW, setTo] = useAddressParam('to');
  const [collection = ALL, setCollection] = useAddressParam('collection');
  const names = useData(
    ['snapshots', 'names'],
    (signal) => dataOf(control.GET('/_jar/snapshots', { params: { query: { $top: 1000 } }, signal })),
    { on: SNAPSHOT_SIGNALS },
  );
  const { rows, collections } = useComparison({ from, to, collection });
  const known = names.data?.value.map(({ name }) => ({ value: name, label: name })) ?? [];
  const differing = collections?.filter(({ added, removed, changed }) => added + removed + changed > 0) ?? [];
  const choices = [
    { value: ALL, label: `All ${differing.length} that differ` },
    ...differing.map((each) => ({ value: each.collection, label: `${each.collection} ${signsOf(each)}` })),
  ];
  const address = addressOf('snapshots', from, 'compare');
  const isSame = collections !== undefined && differing.length === 0;
  const goTo = (other: string): void => {
    const query = to === NOW ? '' : `?${new URLSearchParams({ to })}`;
    go(`${addressOf('snapshots', other, 'compare')}${query}`);
  };
  const sum = collections && sumOf(collections);
  return (
    <Page
      title="Compare snapshots"
      about={
        <>
          <Link href={addressOf('snapshots', from)}>{from}</Link>
          {' to '}
          {to === NOW ? 'now' : <Link href={addressOf('snapshots', to)}>{to}</Link>}
          {sum &&
            `: ${sum.added} added, ${sum.changed} changed, ${sum.removed} removed; ${counted(collections.length - differing.length, 'collection')} the same`}
        </>
      }
      isFull
    >
      <div className={styles.sides}>
        <Select label="From" value={from} choices={known} onChange={goTo} />
        {to !== NOW && (
          <IconButton
            label="Swap the sides"
            icon={<ArrowLeftRight size={16} aria-hidden />}
            onPress={() => go(`${addressOf('snapshots', to, 'compare')}?${new URLSearchParams({ to: from })}`)}
          />
        )}
        <Select
          label="To"
          value={to}
          choices={[{ value: NOW, label: 'Now' }, ...known]}
          onChange={(name) => {
            setTo(name);
          }}
        />
        {differing.length > 0 && (
          <Select label="Collection" value={collection} choices={choices} onChange={setCollection} />
        )}
        {to === NOW && <Again key={rows.listKey} readAgain={rows.readAgain} />}
      </div>
      <Explorer
        label="Difference"
        closed={address}
        list={
          <List
            label="Differences"
            source={rows}
            keyOf={keyOf}
            columns={COLUMNS}
            addressOf={(row) => addressOf('snapshots', from, 'compare', keyOf(row))}
            open={open}
            empty={
              isSame ? (
                <Empty title="Nothing differs">
                  Every document, row, due work item and change record is the same on both sides.
                </Empty>
              ) : (
                <Empty title="Nothing differs in this collection" />
              )
            }
          />
        }
        detail={
          open === undefined ? undefined : <DifferenceDetail row={rows.rows.find((row) => keyOf(row) === open)} />
        }
      />
    </Page>
  );
}

interface Counts {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

/** `+2 ~1 −3` */
const signsOf = ({ added, removed, changed }: Counts): string =>
  [added > 0 && `+${added}`, changed > 0 && `~${changed}`, removed > 0 && `−${removed}`].filter(Boolean).join(' ');

/** A comparison reads all state, so it is not repeated with every change: the person says when. */
function Again({ readAgain }: { readonly readAgain: () => void }) {
  const [changes, setChanges] = useState(0);
  useFrames((frame) => {
    if (frame.stateReplaced || frame.changes.count > 0)
      setChanges((before) => before + Math.max(1, frame.changes.count));
  });
  return (
    <>
      <Button
        onPress={() => {
          setChanges(0);
          readAgain();
        }}
      >
        <RefreshCw size={14} aria-hidden /> Compare again
      </Button>
      {changes > 0 && <Soft>{counted(changes, 'change')} since</Soft>}
    </>
  );
}
