import { useState } from 'react';
import { dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useData } from '../../shared/api/use-data.ts';
import { Time } from '../../shared/format/time.tsx';
import { useMayChange } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { Select, TextField } from '../../shared/ui/field.tsx';
import { Row, Stack } from '../../shared/ui/layout.tsx';
import { CodeBlock, FailureNotice, Notice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { type AppName, lifecycle } from './api.ts';

const SCOPES = [
  { value: 'all', label: 'Full access' },
  { value: 'viewer', label: 'Read only' },
] as const;

const PATH = '/v0.1/apps/{owner_name}/{app_name}/api_tokens';

/** The tokens of an app. A new one is shown once, and never again. */
export function Tokens({ name }: { readonly name: AppName }) {
  const mayChange = useMayChange();
  const [description, setDescription] = useState('');
  const [scope, setScope] = useState<'all' | 'viewer'>('viewer');
  const [shown, show] = useState<string>();
  const tokens = useData(
    ['lifecycle', 'tokens', name],
    (signal) => dataOf(lifecycle.GET(PATH, { params: { path: name }, signal })),
    { on: ['/v0.1/apps'] },
  );
  const create = useAction(
    () => dataOf(lifecycle.POST(PATH, { params: { path: name }, body: { description, scope: [scope] } })),
    {
      after: ({ api_token }) => {
        show(api_token);
        setDescription('');
        tokens.readAgain();
      },
    },
  );
  const revoke = useAction(
    (id: string) => lifecycle.DELETE(`${PATH}/{api_token_id}`, { params: { path: { ...name, api_token_id: id } } }),
    { done: 'The token was revoked.', after: tokens.readAgain },
  );
  return (
    <Stack>
      <FailureNotice failure={tokens.failure} what="The tokens" />
      {shown !== undefined && (
        <Notice tone="success" title="Copy the token now: it is not shown again.">
          <CodeBlock text={shown} label="Copy the token" />
        </Notice>
      )}
      {mayChange && (
        <Row align="end">
          <TextField label="Description" value={description} onChange={setDescription} />
          <Select label="Rights" value={scope} onChange={setScope} choices={SCOPES} />
          <Button look="main" isDisabled={create.isRunning} onPress={() => void create.run()}>
            Create a token
          </Button>
        </Row>
      )}
      <Table
        label="Tokens of the app"
        items={tokens.data ?? []}
        keyOf={({ id }) => id}
        empty="The app has no token of its own."
        columns={[
          { title: 'Description', cell: (token) => token.description ?? '' },
          { title: 'Rights', cell: (token) => token.scope.join(', ') },
          { title: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
          { title: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
          {
            title: 'Revoke',
            cell: ({ id }) =>
              mayChange && (
                <Confirm
                  label="Revoke"
                  question="Clients with this token are rejected at once."
                  onConfirm={() => void revoke.run(id)}
                />
              ),
          },
        ]}
      />
    </Stack>
  );
}
