import { useAddressParam } from '../../shared/address.ts';
import type { Failure } from '../../shared/api/failure.ts';
import { CURL } from '../../shared/format/shell.ts';
import { Explorer } from '../../shared/list/explorer.tsx';
import { FILTER_PARAM } from '../../shared/list/filter-bar.tsx';
import { List, ORDER_PARAM } from '../../shared/list/list.tsx';
import { withQuery } from '../../shared/list/pages.ts';
import { useServiceRows } from '../../shared/list/use-rows.ts';
import { useMayChange } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { CopyButton } from '../../shared/ui/copy.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { type BusinessRecord, recordAddress, setPath, WRITTEN, withTarget } from './api.ts';
import { columnOf, columnsOf } from './columns.tsx';
import type { EntitySet } from './metadata.ts';
import { NewRecord } from './new-record.tsx';
import { ClearQuery, QueryBar, SELECT_PARAM } from './query-bar.tsx';
import { RecordDetail } from './record-detail.tsx';
import styles from './records.module.css';

interface Props {
  readonly api: string;
  readonly company: string;
  readonly set: EntitySet;
  readonly open: string | undefined;
  readonly closed: string;
}

const PAGE = { headers: { prefer: 'odata.maxpagesize=200' } } as const;

/** The records of one set, by the query of the bar above them. */
export function Grid({ api, company, set, open, closed }: Props) {
  const [filter] = useAddressParam(FILTER_PARAM);
  const [order] = useAddressParam(ORDER_PARAM);
  const [select] = useAddressParam(SELECT_PARAM);
  const [making, make] = useAddressParam('new');
  const mayChange = useMayChange();
  const { key } = set;
  const keyOf = (row: BusinessRecord): string => String(row[key]);
  const selected = select
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const path = withQuery(setPath(api, company, set.name), {
    $filter: filter,
    $orderby: order,
    // Rows are told apart by their key.
    $select: selected && [...new Set([key, ...selected])].join(','),
  });
  const rows = useServiceRows<BusinessRecord>(path, { request: PAGE, keyOf, on: WRITTEN });
  const failure = withTarget(rows.failure);
  const list = (
    <div className={styles.grid}>
      <QueryBar failure={failure}>
        <ClearQuery />
        <CopyButton label="Copy as curl" text={() => curlOf(path)} />
        {mayChange && set.canInsert && <Button onPress={() => make('record')}>Create</Button>}
      </QueryBar>
      <List
        label={set.name}
        source={{ ...rows, failure: failure?.status === 400 ? undefined : failure }}
        keyOf={keyOf}
        columns={columnsOf(set, selected).map(columnOf)}
        addressOf={(row) => recordAddress(api, company, set.name, keyOf(row))}
        open={open}
        empty={<Empty title={emptyTitle(set.name, filter, failure)} />}
      />
    </div>
  );
  return (
    <>
      <Explorer
        label="Record"
        closed={closed}
        list={list}
        detail={
          open === undefined ? undefined : <RecordDetail key={open} api={api} company={company} set={set} id={open} />
        }
      />
      {mayChange && making === 'record' && (
        <NewRecord api={api} company={company} set={set} close={() => make(undefined)} />
      )}
    </>
  );
}

function emptyTitle(set: string, filter: string | undefined, failure: Failure | undefined): string {
  if (failure) return 'The query is not valid';
  return filter === undefined ? `The company has no ${set}` : 'No record matches the query';
}

const curlOf = (path: string): string =>
  `${CURL} '${location.origin}${path}' -H "Authorization: Bearer $(npx cloudjar token)"`;
