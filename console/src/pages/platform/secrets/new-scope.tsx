import { useState } from 'react';
import { useAction } from '../../../shared/api/use-action.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { TextField } from '../../../shared/ui/field.tsx';
import { Row } from '../../../shared/ui/layout.tsx';
import { usePlatform } from '../api.ts';
import { useGoTo } from '../place.tsx';
import { SECRETS } from './api.ts';

export function NewScope({ close }: { readonly close: () => void }) {
  const platform = usePlatform();
  const goTo = useGoTo();
  const [scope, setScope] = useState('');
  const create = useAction(() => platform.post(`${SECRETS}/scopes/create`, { scope }), {
    inline: true,
    after: () => goTo('secrets', scope),
  });
  return (
    <Dialog title="Create a secret scope" close={close}>
      <TextField
        label="Name"
        value={scope}
        onChange={setScope}
        error={create.failure?.message}
        autoFocus
        onEnter={() => void create.run()}
      />
      <Row>
        <Button look="main" isDisabled={scope.trim() === '' || create.isRunning} onPress={() => void create.run()}>
          Create
        </Button>
      </Row>
    </Dialog>
  );
}
