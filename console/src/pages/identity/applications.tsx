import { useState } from 'react';
import { addressOf, useAddressParam } from '../../shared/address.ts';
import { Explorer } from '../../shared/list/explorer.tsx';
import { FilterBar } from '../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../shared/list/list.tsx';
import { useListQuery } from '../../shared/list/list-query.ts';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { useMayChange } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { ApplicationDetail } from './application-detail.tsx';
import type { Application } from './directory.ts';
import { NewApplication } from './new-application.tsx';

const QUICK = [
  { id: 'public', title: 'Public', filter: 'public' },
  { id: 'confidential', title: 'Confidential', filter: 'public eq false' },
] as const;
const SEARCHED = ['displayName', 'alias', 'id'];

const keyOf = ({ id }: Application): string => id;

const COLUMNS: readonly Column<Application>[] = [
  {
    id: 'name',
    title: 'Application',
    width: 'minmax(9rem, 2fr)',
    order: 'displayName',
    cell: ({ displayName }) => displayName,
  },
  { id: 'id', title: 'Client id', width: 'minmax(8rem, 1fr)', cell: ({ id }) => <CopyId id={id} /> },
  { id: 'kind', title: 'Kind', width: '7rem', order: 'public', isExtra: true, cell: (each) => kindOf(each) },
  {
    id: 'redirects',
    title: 'Redirect addresses',
    width: 'minmax(8rem, 2fr)',
    isExtra: true,
    cell: ({ redirectUris }) => redirectUris.join(', '),
  },
];

export const kindOf = ({ public: isPublic }: Application): string => (isPublic ? 'public' : 'confidential');

/** A secret is shown once, on the page of its application, and is kept nowhere. */
export interface ShownSecret {
  readonly id: string;
  readonly secret: string;
}

export function Applications({ open }: { readonly open: string | undefined }) {
  const [making, make] = useAddressParam('new');
  const [shown, show] = useState<ShownSecret>();
  const mayChange = useMayChange();
  const { $filter, $orderby } = useListQuery(SEARCHED, QUICK);
  const rows = useControlRows('/_jar/applications', {
    query: { $filter, $orderby },
    keyOf,
    on: ['/_jar/applications', 'changes'],
    follow: true,
  });
  const list = (
    <>
      <FilterBar placeholder="Name, client id or OData expression" quick={QUICK} failure={rows.failure}>
        {mayChange && <Button onPress={() => make('application')}>Register an application</Button>}
      </FilterBar>
      <List
        label="Applications"
        source={rows}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={({ id }) => addressOf('identity', 'applications', id)}
        open={open}
        empty={
          <Empty title={$filter === undefined ? 'There is no application' : 'No application matches the filter'}>
            An application requests tokens: for itself with a secret or certificate, or for users who sign in to it.
          </Empty>
        }
      />
    </>
  );
  return (
    <>
      <Explorer
        label="Application"
        closed={addressOf('identity', 'applications')}
        list={list}
        detail={
          open === undefined ? undefined : (
            <ApplicationDetail
              key={open}
              id={open}
              after={rows.readAgain}
              secret={shown?.id === open ? shown.secret : undefined}
              show={show}
            />
          )
        }
      />
      {making === 'application' && <NewApplication close={() => make(undefined)} after={rows.readAgain} show={show} />}
    </>
  );
}
