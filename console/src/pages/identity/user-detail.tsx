import { Link } from 'wouter';
import { addressOf, useGo } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useData } from '../../shared/api/use-data.ts';
import { useRemoval } from '../../shared/api/use-removal.ts';
import { withQuery } from '../../shared/list/pages.ts';
import { useMayChange } from '../../shared/session.ts';
import { StateBadge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Facts, Section, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { putUser, tenantName, type User, useTenants } from './directory.ts';
import { LastSignIns } from './last-sign-ins.tsx';

interface Props {
  readonly id: string;
  readonly after: () => void;
}

/** One user: who it is, what services read about it, and its sign-ins. */
export function UserDetail({ id, after }: Props) {
  const go = useGo();
  const mayChange = useMayChange();
  const read = useData(
    ['user', id],
    (signal) => dataOf(control.GET('/_jar/users/{id}', { params: { path: { id } }, signal })),
    { on: ['/_jar/users'] },
  );
  const enable = useAction((user: User, enabled: boolean) => putUser(user, { enabled }), {
    done: ({ enabled }) => (enabled ? 'The user may sign in again.' : 'The user can no longer sign in.'),
    after: () => {
      read.readAgain();
      after();
    },
  });
  const remove = useRemoval(() => control.DELETE('/_jar/users/{id}', { params: { path: { id } } }), {
    done: 'The user was deleted.',
    after: () => go(addressOf('identity', 'users'), { keep: true }),
  });
  const { data } = read;
  if (!data)
    return (
      <Detail kind="User" title={id} failure={read.failure}>
        {null}
      </Detail>
    );
  return (
    <Detail
      kind="User"
      title={data.displayName}
      failure={read.failure}
      badges={
        <>
          <StateBadge state={data.enabled ? 'enabled' : 'disabled'} />
          <CopyId id={data.id} length={36} />
        </>
      }
      actions={
        <>
          <Link href={withQuery(addressOf('identity', 'tokens'), { for: data.username })}>Issue a token</Link>
          {mayChange && (
            <>
              <Button isDisabled={enable.isRunning} onPress={() => void enable.run(data, !data.enabled)}>
                {data.enabled ? 'Disable' : 'Enable'}
              </Button>
              <Confirm
                label="Delete"
                question={`Delete ${data.displayName}? Sessions and refresh tokens end.`}
                onConfirm={() => void remove.run()}
              />
            </>
          )}
        </>
      }
    >
      <Tabs
        label="User"
        tabs={[
          { id: 'summary', title: 'Summary', content: () => <Summary user={data} /> },
          {
            id: 'sign-ins',
            title: 'Sign-ins',
            content: () => <LastSignIns filter={`userId eq '${data.id}'`} empty="The user has not signed in." />,
          },
          { id: 'json', title: 'JSON', content: () => <JsonView value={data} /> },
        ]}
      />
    </Detail>
  );
}

function Summary({ user }: { readonly user: User }) {
  const { username, alias, givenName, surname, tenantId, guestOf = [], hasPassword, attributes, enabled } = user;
  const tenants = useTenants();
  return (
    <Stack>
      {!enabled && (
        <Notice tone="warning" title="The user is disabled.">
          Sign-ins and refresh tokens are rejected. Access tokens stay valid until they expire.
        </Notice>
      )}
      <Facts
        facts={[
          { label: 'Sign-in name', value: <CopyId id={username} length={60} /> },
          { label: 'Alias', value: alias },
          { label: 'First name', value: givenName },
          { label: 'Last name', value: surname },
          { label: 'Tenant', value: tenantName(tenants.data, tenantId) },
          guestOf.length > 0 && {
            label: 'Guest of',
            value: guestOf.map((tenant) => tenantName(tenants.data, tenant)).join(', '),
          },
          { label: 'Password', value: hasPassword ? 'their own' : 'that of seeded users' },
        ]}
      />
      <Section title="Attributes">
        <Table
          label="Attributes"
          items={Object.entries(attributes)}
          keyOf={([name]) => name}
          empty="Services have no attribute of this user to read."
          columns={[
            { title: 'Attribute', cell: ([name]) => name },
            { title: 'Value', cell: ([, value]) => String(value) },
          ]}
        />
      </Section>
    </Stack>
  );
}
