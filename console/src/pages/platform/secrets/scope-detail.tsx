import { useState } from 'react';
import { useAction } from '../../../shared/api/use-action.ts';
import { useData } from '../../../shared/api/use-data.ts';
import { useRemoval } from '../../../shared/api/use-removal.ts';
import { Time } from '../../../shared/format/time.tsx';
import { useMayChange } from '../../../shared/session.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Confirm } from '../../../shared/ui/confirm.tsx';
import { CopyButton } from '../../../shared/ui/copy.tsx';
import { Detail } from '../../../shared/ui/detail.tsx';
import { TextField } from '../../../shared/ui/field.tsx';
import { Row, Stack } from '../../../shared/ui/layout.tsx';
import { FailureNotice } from '../../../shared/ui/notice.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import { Tabs } from '../../../shared/ui/tabs.tsx';
import { usePlatform } from '../api.ts';
import { useGoTo } from '../place.tsx';
import { type Permission, SECRETS, SECRETS_CHANGE, type Secret } from './api.ts';

/** One scope: the names of its secrets, and who may use them. */
export function ScopeDetail({ name }: { readonly name: string }) {
  const platform = usePlatform();
  const mayChange = useMayChange();
  const goTo = useGoTo();
  const remove = useRemoval(() => platform.post(`${SECRETS}/scopes/delete`, { scope: name }), {
    done: 'The scope was deleted.',
    after: () => goTo('secrets'),
  });
  return (
    <Detail
      kind="Secret scope"
      title={name}
      actions={
        mayChange && (
          <Confirm
            label="Delete"
            question={`Delete ${name} with all its secrets? Tasks that refer to them fail.`}
            onConfirm={() => void remove.run()}
          />
        )
      }
    >
      <Tabs
        label="Scope"
        tabs={[
          { id: 'keys', title: 'Secrets', content: () => <Keys scope={name} /> },
          { id: 'permissions', title: 'Permissions', content: () => <Permissions scope={name} /> },
        ]}
      />
    </Detail>
  );
}

function Keys({ scope }: { readonly scope: string }) {
  const platform = usePlatform();
  const mayChange = useMayChange();
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const secrets = useData(
    [platform.key, 'secrets', scope],
    (signal) => platform.get<{ readonly secrets?: readonly Secret[] }>(`${SECRETS}/list`, { scope }, signal),
    { on: SECRETS_CHANGE },
  );
  const put = useAction(() => platform.post(`${SECRETS}/put`, { scope, key, string_value: value }), {
    inline: true,
    done: `The secret ${key} was written.`,
    after: () => {
      setKey('');
      setValue('');
    },
  });
  const remove = useAction((each: string) => platform.post(`${SECRETS}/delete`, { scope, key: each }));
  return (
    <Stack>
      <FailureNotice failure={secrets.failure} what="The secrets" />
      {mayChange && (
        <Row align="end">
          <TextField label="Key" value={key} onChange={setKey} error={put.failure?.message} />
          <TextField label="Value" type="password" value={value} onChange={setValue} onEnter={() => void put.run()} />
          <Button look="main" isDisabled={key.trim() === '' || put.isRunning} onPress={() => void put.run()}>
            Write
          </Button>
        </Row>
      )}
      <Table
        label="Secrets of the scope"
        items={secrets.data?.secrets ?? []}
        keyOf={(secret) => secret.key}
        empty={secrets.data && 'The scope has no secret.'}
        columns={[
          { title: 'Key', cell: (secret) => <code>{secret.key}</code> },
          { title: 'Written', cell: ({ last_updated_timestamp }) => <Time at={last_updated_timestamp} /> },
          {
            title: 'Reference',
            cell: (secret) => (
              <CopyButton text={`{{secrets/${scope}/${secret.key}}}`} label={`Copy the reference to ${secret.key}`} />
            ),
          },
          {
            title: 'Delete',
            cell: (secret) =>
              mayChange && (
                <Confirm
                  label="Delete"
                  question={`Delete ${secret.key}? Its value is lost.`}
                  onConfirm={() => void remove.run(secret.key)}
                />
              ),
          },
        ]}
      />
    </Stack>
  );
}

function Permissions({ scope }: { readonly scope: string }) {
  const platform = usePlatform();
  const acl = useData(
    [platform.key, 'scope permissions', scope],
    (signal) => platform.get<{ readonly items?: readonly Permission[] }>(`${SECRETS}/acls/list`, { scope }, signal),
    { on: SECRETS_CHANGE },
  );
  return (
    <Stack>
      <FailureNotice failure={acl.failure} what="The permissions" />
      <Table
        label="Permissions on the scope"
        items={acl.data?.items ?? []}
        keyOf={({ principal }) => principal}
        empty={acl.data && 'Nobody has a permission on the scope.'}
        columns={[
          { title: 'Who', cell: ({ principal }) => principal },
          { title: 'May', cell: ({ permission }) => permission.toLowerCase() },
        ]}
      />
    </Stack>
  );
}
