import { addressOf, useAddressParam } from '../../shared/address.ts';
import { Explorer } from '../../shared/list/explorer.tsx';
import { FilterBar } from '../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../shared/list/list.tsx';
import { useListQuery } from '../../shared/list/list-query.ts';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { useMayChange } from '../../shared/session.ts';
import { StateBadge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { type Tenant, tenantName, type User, useTenants } from './directory.ts';
import { NewUser } from './new-user.tsx';
import { UserDetail } from './user-detail.tsx';

const QUICK = [
  { id: 'disabled', title: 'Disabled', filter: 'enabled eq false' },
  { id: 'own', title: 'With a password of their own', filter: 'hasPassword' },
] as const;
const SEARCHED = ['displayName', 'username', 'id'];
export const USERS_ON = ['/_jar/users', 'changes'] as const;

const keyOf = ({ id }: User): string => id;

const columnsOf = (tenants: readonly Tenant[] | undefined): readonly Column<User>[] => [
  {
    id: 'name',
    title: 'Name',
    width: 'minmax(8rem, 1.5fr)',
    order: 'displayName',
    cell: ({ displayName }) => displayName,
  },
  {
    id: 'username',
    title: 'Sign-in name',
    width: 'minmax(9rem, 2fr)',
    order: 'username',
    cell: (user) => user.username,
  },
  {
    id: 'tenant',
    title: 'Tenant',
    width: 'minmax(6rem, 1fr)',
    isExtra: true,
    cell: ({ tenantId }) => tenantName(tenants, tenantId),
  },
  {
    id: 'attributes',
    title: 'Attributes',
    width: 'minmax(6rem, 1.5fr)',
    isExtra: true,
    cell: ({ attributes }) => attributeWords(attributes),
  },
  {
    id: 'enabled',
    title: 'State',
    width: '5.5rem',
    cell: ({ enabled }) => <StateBadge state={enabled ? 'enabled' : 'disabled'} />,
  },
];

/** `licensed, businessPermission: read` */
export const attributeWords = (attributes: User['attributes']): string =>
  Object.entries(attributes)
    .filter(([, value]) => value !== false)
    .map(([name, value]) => (value === true ? name : `${name}: ${value}`))
    .join(', ');

export function Users({ open }: { readonly open: string | undefined }) {
  const [making, make] = useAddressParam('new');
  const mayChange = useMayChange();
  const tenants = useTenants();
  const { $filter, $orderby } = useListQuery(SEARCHED, QUICK);
  const rows = useControlRows('/_jar/users', {
    query: { $filter, $orderby },
    keyOf,
    on: USERS_ON,
    follow: true,
  });
  const list = (
    <>
      <FilterBar placeholder="Name, id or OData expression" quick={QUICK} failure={rows.failure}>
        {mayChange && <Button onPress={() => make('user')}>Create a user</Button>}
      </FilterBar>
      <List
        label="Users"
        source={rows}
        keyOf={keyOf}
        columns={columnsOf(tenants.data)}
        addressOf={({ id }) => addressOf('identity', 'users', id)}
        open={open}
        empty={
          <Empty title={$filter === undefined ? 'There is no user' : 'No user matches the filter'}>
            Users sign in on the jar's page or with their password, and tokens are issued for them.
          </Empty>
        }
      />
    </>
  );
  return (
    <>
      <Explorer
        label="User"
        closed={addressOf('identity', 'users')}
        list={list}
        detail={open === undefined ? undefined : <UserDetail key={open} id={open} after={rows.readAgain} />}
      />
      {making === 'user' && <NewUser close={() => make(undefined)} after={rows.readAgain} />}
    </>
  );
}
