import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { Time } from '../../shared/format/time.tsx';
import { longSpan } from '../../shared/format/times.ts';
import { Explorer } from '../../shared/list/explorer.tsx';
import { literal } from '../../shared/list/filter.ts';
import { FilterBar } from '../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../shared/list/list.tsx';
import { useListQuery } from '../../shared/list/list-query.ts';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { StateBadge } from '../../shared/ui/badge.tsx';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Facts, Stack } from '../../shared/ui/layout.tsx';
import { Progress } from '../../shared/ui/meter.tsx';
import { Empty, Notice } from '../../shared/ui/notice.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { CHANGED, type OperationRow, partsOf, shortType } from './api.ts';

const QUICK = [
  { id: 'running', title: 'In progress', filter: "status eq 'InProgress'" },
  { id: 'failed', title: 'Failed', filter: "status in ('Failed','Canceled')" },
  { id: 'done', title: 'Succeeded', filter: "status eq 'Succeeded'" },
] as const;

const SEARCHED = ['resource', 'operationName', 'by', 'id'];

const keyOf = ({ id }: OperationRow): string => id;

const titleOf = ({ operationName, namespace }: OperationRow): string => shortType(operationName ?? namespace);

const COLUMNS: readonly Column<OperationRow>[] = [
  { id: 'what', title: 'Operation', width: 'minmax(6rem, 2fr)', order: 'operationName', cell: titleOf },
  {
    id: 'resource',
    title: 'Resource',
    width: 'minmax(4rem, 2fr)',
    order: 'resource',
    cell: ({ resource }) => resource && partsOf(resource).name,
  },
  {
    id: 'status',
    title: 'State',
    width: '6rem',
    order: 'status',
    cell: ({ status, step }) => <StateBadge state={step ?? status} />,
  },
  { id: 'by', title: 'By', width: 'minmax(6rem, 1fr)', order: 'by', isExtra: true, cell: ({ by }) => by },
  {
    id: 'started',
    title: 'Started',
    width: '5rem',
    isExtra: true,
    order: 'startedAt',
    cell: ({ startedAt }) => <Time at={startedAt} />,
  },
];

/** Writes that go on after their answer: how far they are, how they ended, and who began them. */
export function Operations({ open }: { readonly open: string | undefined }) {
  const { $filter, $orderby } = useListQuery(SEARCHED, QUICK);
  const rows = useControlRows('/_jar/resources/operations', {
    query: { $filter, $orderby: $orderby ?? 'startedAt desc' },
    keyOf,
    on: CHANGED,
  });
  const one = useControlRows('/_jar/resources/operations', {
    query: { $filter: `id eq ${literal(open ?? '')}` },
    keyOf,
    on: open === undefined ? [] : CHANGED,
  });
  const opened = open === undefined ? undefined : one.rows.find(({ id }) => id === open);
  return (
    <Explorer
      label="Operation"
      closed={addressOf('resources', 'operations')}
      list={
        <>
          <FilterBar
            placeholder="Resource, operation, caller or OData expression"
            quick={QUICK}
            failure={rows.failure}
          />
          <List
            label="Operations"
            source={rows}
            keyOf={keyOf}
            columns={COLUMNS}
            addressOf={({ id }) => addressOf('resources', 'operations', id)}
            open={open}
            empty={
              <Empty
                title={$filter === undefined ? 'No operation ran within a day' : 'No operation matches the filter'}
              >
                Creations and deletions that go on after their answer appear here: of groups, topics, container groups
                and others.
              </Empty>
            }
          />
        </>
      }
      detail={
        open === undefined ? undefined : opened ? (
          <OperationDetail operation={opened} />
        ) : (
          <Detail kind="Operation" title={open} failure={one.failure}>
            {!one.isLoading && <Notice title="There is no such operation. Ended ones are kept for a day." />}
          </Detail>
        )
      }
    />
  );
}

function OperationDetail({ operation }: { readonly operation: OperationRow }) {
  const { id, status, step, percentComplete, resource, by, startedAt, endedAt, location } = operation;
  return (
    <Detail
      kind="Operation"
      title={titleOf(operation)}
      badges={
        <>
          <StateBadge state={step ?? status} />
          <CopyId id={id} />
        </>
      }
    >
      <Tabs
        label="Operation"
        tabs={[
          {
            id: 'summary',
            title: 'Summary',
            content: () => (
              <Stack>
                <Outcome operation={operation} />
                {status === 'InProgress' && (
                  <Progress
                    label={`${titleOf(operation)} of ${resource ? partsOf(resource).name : id}`}
                    {...(percentComplete > 0 && { share: percentComplete / 100 })}
                  />
                )}
                <Facts
                  facts={[
                    resource !== undefined && {
                      label: 'Resource',
                      value: <Link href={addressOf('resources', ...partsOf(resource).segments)}>{resource}</Link>,
                    },
                    { label: 'Requested by', value: by },
                    { label: 'Operation', value: operation.operationName },
                    { label: 'Location', value: location },
                    { label: 'Started', value: <Time at={startedAt} /> },
                    endedAt !== undefined && { label: 'Ended', value: <Time at={endedAt} /> },
                    endedAt !== undefined && {
                      label: 'Took',
                      value: longSpan(Date.parse(endedAt) - Date.parse(startedAt)),
                    },
                  ]}
                />
              </Stack>
            ),
          },
          { id: 'json', title: 'JSON', content: () => <JsonView value={operation} /> },
        ]}
      />
    </Detail>
  );
}

function Outcome({ operation: { status, error } }: { readonly operation: OperationRow }) {
  switch (status) {
    case 'Succeeded':
      return <Notice tone="success" title="It succeeded." />;
    case 'InProgress':
      return (
        <Notice title="It is in progress.">
          Operations that take time by the jar's clock go on when the clock is advanced.
        </Notice>
      );
    default:
      return (
        <Notice tone="failure" title={status === 'Failed' ? 'It failed.' : 'It was canceled.'}>
          {error && (
            <span>
              {error.message} <code>{error.code}</code>
            </span>
          )}
        </Notice>
      );
  }
}
