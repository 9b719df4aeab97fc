import { useState } from 'react';
import { addressOf, useAddressParam, useGo } from '../../shared/address.ts';
import type { Data } from '../../shared/api/use-data.ts';
import { CURL } from '../../shared/format/shell.ts';
import { Time } from '../../shared/format/time.tsx';
import { Explorer } from '../../shared/list/explorer.tsx';
import { bothOf } from '../../shared/list/filter.ts';
import { FilterBar } from '../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../shared/list/list.tsx';
import { useListQuery } from '../../shared/list/list-query.ts';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { StateBadge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Row } from '../../shared/ui/layout.tsx';
import { Empty, FailureNotice } from '../../shared/ui/notice.tsx';
import { CHANGED, partsOf, type ResourceRow, shortType } from './api.ts';
import { NewResource } from './new-resource.tsx';
import { ResourceDetail } from './resource-detail.tsx';
import styles from './resources.module.css';
import { ScopeTree } from './scope-tree.tsx';
import { filterOfScope, namesOf, type Scopes } from './use-scopes.ts';

const QUICK = [
  { id: 'top', title: 'Top level', filter: 'location ne null' },
  { id: 'failed', title: 'Failed', filter: "provisioningState eq 'Failed'" },
  {
    id: 'busy',
    title: 'Being changed',
    filter:
      "provisioningState in ('Creating','Updating','Deleting','Pending','Accepted','InProgress','Provisioning','Repairing')",
  },
] as const;

const SEARCHED = ['name', 'type'];

const keyOf = ({ id }: ResourceRow): string => id.toLowerCase();

/** A child is named with its parents: `shop/orders`. */
const fullName = ({ id, type }: ResourceRow): string => {
  const depth = type.split('/').length - 1;
  return id
    .split('/')
    .slice(-2 * depth)
    .filter((_, index) => index % 2 === 1)
    .join('/');
};

const COLUMNS: readonly Column<ResourceRow>[] = [
  { id: 'name', title: 'Name', width: 'minmax(5rem, 2fr)', order: 'name', cell: fullName },
  {
    id: 'type',
    title: 'Type',
    width: 'minmax(5rem, 2fr)',
    order: 'type',
    cell: ({ type }) => <span title={type}>{shortType(type)}</span>,
  },
  {
    id: 'group',
    title: 'Group',
    width: 'minmax(5rem, 1fr)',
    order: 'resourceGroup',
    isExtra: true,
    cell: ({ resourceGroup }) => resourceGroup,
  },
  {
    id: 'location',
    title: 'Location',
    width: '7rem',
    order: 'location',
    isExtra: true,
    cell: ({ location }) => location,
  },
  {
    id: 'state',
    title: 'State',
    width: '6rem',
    order: 'provisioningState',
    cell: ({ provisioningState }) => <StateBadge state={provisioningState} />,
  },
  {
    id: 'changed',
    title: 'Changed',
    width: '6rem',
    order: 'changedAt',
    isExtra: true,
    cell: ({ changedAt }) => <Time at={changedAt} />,
  },
];

export const resourceAddress = (id: string): string => addressOf('resources', ...partsOf(id).segments);

interface Props {
  /** The address below the page: those of an id, or `new`. */
  readonly segments: readonly string[];
  readonly scopes: Data<Scopes>;
}

/** The tree, the resources of the chosen scope, and the open one. */
export function ResourcesOf({ segments, scopes }: Props) {
  const [scope, setScope] = useAddressParam('scope');
  const [isTreeOpen, openTree] = useState(false);
  const go = useGo();
  const isNew = segments[0] === 'new';
  const open = segments.length > 0 && !isNew ? `/${segments.join('/')}` : undefined;
  const names = namesOf(scope, scopes.data);
  const close = (chosen: string | undefined): void => {
    openTree(false);
    const params = new URLSearchParams(location.search);
    params.delete('tab');
    if (chosen === undefined) params.delete('scope');
    else params.set('scope', chosen);
    go(`${addressOf('resources')}?${params}`);
  };
  return (
    <div className={styles.columns}>
      <div className={styles.scopes}>
        <Button onPress={() => openTree(!isTreeOpen)}>{isTreeOpen ? 'Hide the tree' : 'Choose a scope'}</Button>
      </div>
      <nav className={styles.tree} aria-label="Scopes" {...(isTreeOpen && { 'data-open': true })}>
        <FailureNotice failure={scopes.failure} what="The tree" />
        {scopes.data && (
          <ScopeTree
            scopes={scopes.data}
            scope={scope}
            open={open}
            onScope={close}
            onResource={(id, group) => {
              openTree(false);
              setScope(group);
              go(resourceAddress(id), { keep: true });
            }}
          />
        )}
      </nav>
      <div className={styles.main}>
        <Explorer
          label={isNew ? 'New resource' : 'Resource'}
          closed={addressOf('resources')}
          list={
            <>
              <div className={styles.way}>
                <p className={styles.names}>
                  {names.slice(0, -1).map((name) => (
                    <span key={name}>{name} / </span>
                  ))}
                  {names.at(-1)}
                </p>
                <Row>
                  {scope?.startsWith('/') && (
                    <Button onPress={() => go(resourceAddress(scope), { keep: true })}>
                      Open the {scope.split('/').length > 3 ? 'group' : 'subscription'}
                    </Button>
                  )}
                  {scope !== undefined && (
                    <Button look="quiet" onPress={() => close(undefined)}>
                      All tenants
                    </Button>
                  )}
                </Row>
              </div>
              <ResourceList scope={scope} scopes={scopes.data} open={open} />
            </>
          }
          detail={
            isNew ? (
              <NewResource scopes={scopes.data} scope={scope} />
            ) : open === undefined ? undefined : (
              <ResourceDetail key={open.toLowerCase()} id={open} />
            )
          }
        />
      </div>
    </div>
  );
}

interface ListProps {
  readonly scope: string | undefined;
  readonly scopes: Scopes | undefined;
  readonly open: string | undefined;
}

function ResourceList({ scope, scopes, open }: ListProps) {
  const { $filter: own, $orderby } = useListQuery(SEARCHED, QUICK);
  const rows = useControlRows('/_jar/resources', {
    query: { $filter: bothOf(filterOfScope(scope, scopes), own), $orderby },
    keyOf,
    on: CHANGED,
  });
  return (
    <>
      <FilterBar placeholder="Name, type or OData expression" quick={QUICK} failure={rows.failure} />
      <List
        label="Resources"
        source={rows}
        keyOf={keyOf}
        columns={scope?.includes('/resourceGroups/') ? COLUMNS.filter(({ id }) => id !== 'group') : COLUMNS}
        addressOf={({ id }) => resourceAddress(id)}
        open={open?.toLowerCase()}
        empty={
          <Empty
            title={own === undefined ? 'There is no resource here yet' : 'No resource matches the filter'}
            {...(own === undefined && { command: EXAMPLE })}
          >
            Resources of every type appear here as soon as an SDK, a command line or this page creates them.
          </Empty>
        }
      />
    </>
  );
}

const EXAMPLE = `${CURL} -X PUT "${location.origin}/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups/demo?api-version=2021-04-01" -H "Authorization: Bearer $(npx cloudjar token)" -H 'Content-Type: application/json' -d '{"location":"westeurope"}'`;
