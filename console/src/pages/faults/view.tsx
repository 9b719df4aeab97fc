import { addressOf, useGo, useSegments } from '../../shared/address.ts';
import { control } from '../../shared/api/control.ts';
import { useRemoval } from '../../shared/api/use-removal.ts';
import { count } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { Explorer } from '../../shared/list/explorer.tsx';
import { FilterBar } from '../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../shared/list/list.tsx';
import { useListQuery } from '../../shared/list/list-query.ts';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { useMayChange } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { Page } from '../../shared/ui/layout.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { FaultDetail } from './detail.tsx';
import { FaultState } from './fault-state.tsx';
import { FaultSwitch } from './fault-switch.tsx';
import { NewFault } from './new-fault.tsx';
import { effectOf, oftenOf, type Rule, whichOf } from './rule.ts';

/** Prepared filters by their id in the address. */
const QUICK = [
  { id: 'armed', title: 'Armed', filter: "state eq 'armed'" },
  { id: 'exhausted', title: 'Used up', filter: "state eq 'exhausted'" },
  { id: 'disabled', title: 'Disabled', filter: 'enabled eq false' },
  { id: 'deliveries', title: 'Of deliveries', filter: "match/direction eq 'outbound'" },
] as const;

const SEARCHED = ['match/path', 'match/service', 'id'];
/** The segment of the address that stands for a rule that is being made. */
const NEW = 'new';

const keyOf = ({ id }: Rule): string => id;

const COLUMNS: readonly Column<Rule>[] = [
  { id: 'which', title: 'Requests', width: 'minmax(9rem, 2fr)', order: 'match/path', cell: whichOf },
  { id: 'enabled', title: 'On', width: '2.5rem', cell: (rule) => <FaultSwitch rule={rule} hideLabel /> },
  { id: 'effect', title: 'Effect', width: 'minmax(8rem, 2fr)', cell: effectOf },
  { id: 'often', title: 'How often', width: 'minmax(6rem, 1fr)', isExtra: true, cell: oftenOf },
  {
    id: 'state',
    title: 'State',
    width: '5.5rem',
    order: 'state',
    isExtra: true,
    cell: ({ state }) => <FaultState state={state} />,
  },
  {
    id: 'hits',
    title: 'Hits',
    width: '3.5rem',
    order: 'hits',
    isNumber: true,
    cell: ({ hits }) => count(hits),
  },
  {
    id: 'matched',
    title: 'Matches',
    width: '5rem',
    order: 'matched',
    isNumber: true,
    isExtra: true,
    cell: ({ matched }) => count(matched),
  },
  {
    id: 'last',
    title: 'Last hit',
    width: '6rem',
    order: 'lastHitAt',
    isExtra: true,
    cell: ({ lastHitAt }) => <Time at={lastHitAt} />,
  },
];

/** The fault rules: which requests fail on purpose, how, and how often they did. */
export default function Faults() {
  const [open] = useSegments('faults');
  const go = useGo();
  const mayChange = useMayChange();
  const { $filter, $orderby } = useListQuery(SEARCHED, QUICK);
  const rows = useControlRows('/_jar/faults', {
    query: { $filter, $orderby },
    keyOf,
    on: ['/_jar/faults', 'requests', 'deliveries'],
    follow: true,
  });
  const removeAll = useRemoval(() => control.DELETE('/_jar/faults'), {
    done: 'All fault rules were removed.',
    after: () => go(addressOf('faults')),
  });
  const list = (
    <>
      <FilterBar placeholder="Path, service, id or OData expression" quick={QUICK} failure={rows.failure}>
        {mayChange && <Button onPress={() => go(addressOf('faults', NEW), { keep: true })}>Add a fault</Button>}
        {mayChange && rows.rows.length > 0 && (
          <Confirm
            label="Remove all"
            question="Remove every fault rule with its counts? Requests are answered normally again."
            onConfirm={() => void removeAll.run()}
          />
        )}
      </FilterBar>
      <List
        label="Fault rules"
        source={rows}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={({ id }) => addressOf('faults', id)}
        open={open}
        empty={
          <Empty
            title={$filter === undefined ? 'Nothing fails on purpose' : 'No fault rule matches the filter'}
            {...($filter === undefined && { command: EXAMPLE })}
          >
            A fault rule selects requests or deliveries, what happens to them, and how often: a client can be tested
            with throttling, outages, slow answers and cut connections.
          </Empty>
        }
      />
    </>
  );
  return (
    <Page title="Faults" about="Requests and deliveries that fail on purpose, and how often they did." isFull>
      <Explorer
        label="Fault rule"
        closed={addressOf('faults')}
        list={list}
        detail={
          open === undefined ? undefined : open === NEW ? (
            <NewFault after={rows.readAgain} />
          ) : (
            <FaultDetail key={open} id={open} after={rows.readAgain} />
          )
        }
      />
    </Page>
  );
}

const EXAMPLE = "npx cloudjar faults add --path '/subscriptions*' --status 429 --count 3";
