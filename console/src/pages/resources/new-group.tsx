import { useState } from 'react';
import { useAction } from '../../shared/api/use-action.ts';
import { mistakesOf } from '../../shared/form/mistakes.ts';
import { Button } from '../../shared/ui/button.tsx';
import { ComboBox } from '../../shared/ui/combo-box.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Select, TextField } from '../../shared/ui/field.tsx';
import { Row } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { askArm, partsOf, useArmType } from './api.ts';
import { useLocations } from './use-locations.ts';
import type { Scopes } from './use-scopes.ts';

interface Props {
  readonly scopes: Scopes;
  readonly scope: string | undefined;
  readonly close: () => void;
  readonly after: (id: string) => void;
}

export function NewGroup({ scopes, scope, close, after }: Props) {
  const [subscription, setSubscription] = useState(
    (scope === undefined ? undefined : partsOf(scope).subscription) ?? scopes.subscriptions[0]?.id ?? '',
  );
  const [name, setName] = useState('');
  const [location, setLocation] = useState<string | undefined>('westeurope');
  const locations = useLocations(subscription);
  const id = `${subscription}/resourceGroups/${name.trim()}`;
  const type = useArmType(`${subscription}/resourceGroups/new`);
  const create = useAction(() => askArm(id, type.data?.apiVersion ?? '', { method: 'PUT', body: { location } }), {
    inline: true,
    done: `The group ${name.trim()} was created.`,
    after: () => after(id),
  });
  const mistakes = mistakesOf(create.failure);
  return (
    <Dialog title="Create a resource group" close={close}>
      <Select
        label="Subscription"
        value={subscription}
        choices={scopes.subscriptions.map((each) => ({ value: each.id, label: each.displayName }))}
        onChange={setSubscription}
      />
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        autoFocus
        error={mistakes.at('name') ?? mistakes.at('resourceGroupName')}
        onEnter={() => void create.run()}
      />
      <ComboBox label="Location" choices={locations} value={location} onChange={setLocation} />
      {mistakes.besides(['name', 'resourceGroupName']).map((message) => (
        <Notice key={message} tone="failure" title={message} />
      ))}
      <Row>
        <Button
          look="main"
          isDisabled={name.trim() === '' || location === undefined || !type.data || create.isRunning}
          onPress={() => void create.run()}
        >
          Create
        </Button>
      </Row>
    </Dialog>
  );
}
