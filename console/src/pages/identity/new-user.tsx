import { useState } from 'react';
import { addressOf, useGo } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Select, TextField } from '../../shared/ui/field.tsx';
import { Row } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { useTenants } from './directory.ts';
import { newGuid } from './random.ts';

interface Props {
  readonly close: () => void;
  readonly after: () => void;
}

export function NewUser({ close, after }: Props) {
  const go = useGo();
  const tenants = useTenants().data ?? [];
  const [id] = useState(newGuid);
  const [username, setUsername] = useState('');
  const [displayName, setDisplayName] = useState('');
  const [password, setPassword] = useState('');
  const [chosen, chooseTenant] = useState<string>();
  const tenantId = chosen ?? tenants[0]?.id ?? '';
  const create = useAction(
    () =>
      dataOf(
        control.PUT('/_jar/users/{id}', {
          params: { path: { id } },
          body: {
            username,
            ...(displayName !== '' && { displayName }),
            ...(password !== '' && { password }),
            ...(tenantId !== '' && { tenantId }),
          },
        }),
      ),
    {
      inline: true,
      done: 'The user may sign in.',
      after: () => {
        after();
        go(addressOf('identity', 'users', id));
      },
    },
  );
  const { failure } = create;
  const errorOf = (name: string): string | undefined => (failure?.target === name ? failure.message : undefined);
  const isNameTaken = failure?.code === 'NameTaken';
  return (
    <Dialog title="Create a user" close={close}>
      <TextField
        label="Sign-in name"
        value={username}
        onChange={setUsername}
        placeholder="zoe@vendor.example"
        error={errorOf('username') ?? (isNameTaken ? failure.message : undefined)}
        autoFocus
        onEnter={() => void create.run()}
      />
      <TextField
        label="Display name"
        value={displayName}
        onChange={setDisplayName}
        error={errorOf('displayName')}
        onEnter={() => void create.run()}
      />
      <TextField
        label="Password"
        type="password"
        value={password}
        onChange={setPassword}
        description="Empty: the password of seeded users."
        error={errorOf('password')}
        onEnter={() => void create.run()}
      />
      {tenants.length > 1 && (
        <Select
          label="Tenant"
          value={tenantId}
          onChange={chooseTenant}
          choices={tenants.map((tenant) => ({ value: tenant.id, label: tenant.displayName }))}
        />
      )}
      {failure && !isNameTaken && failure.target === undefined && (
        <Notice tone="failure" title="The user was not created.">
          {failure.message}
        </Notice>
      )}
      <Row>
        <Button look="main" isDisabled={username.trim() === '' || create.isRunning} onPress={() => void create.run()}>
          Create
        </Button>
      </Row>
    </Dialog>
  );
}
