import { useState } from 'react';
import { addressOf, useGo } from '../../shared/address.ts';
import { dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Select, TextField } from '../../shared/ui/field.tsx';
import { Row } from '../../shared/ui/layout.tsx';
import { type App, lifecycle } from './api.ts';

const PLATFORMS: Readonly<Record<App['os'], readonly App['platform'][]>> = {
  Android: ['Java', 'React-Native', 'Xamarin', 'Unity', 'Cordova'],
  iOS: ['Objective-C-Swift', 'React-Native', 'Xamarin', 'Unity', 'Cordova'],
  macOS: ['Objective-C-Swift', 'Xamarin', 'React-Native'],
  Windows: ['UWP', 'WPF', 'WinForms', 'Unity'],
  tvOS: ['Objective-C-Swift'],
  Tizen: ['Xamarin'],
  Linux: ['Electron'],
  Custom: ['Custom'],
};
const SYSTEMS = Object.keys(PLATFORMS) as App['os'][];

interface Props {
  readonly close: () => void;
  readonly after: () => void;
}

export function NewApp({ close, after }: Props) {
  const go = useGo();
  const [name, setName] = useState('');
  const [os, setOs] = useState<App['os']>('Android');
  const [platform, setPlatform] = useState<App['platform']>('Java');
  const create = useAction(() => dataOf(lifecycle.POST('/v0.1/apps', { body: { display_name: name, os, platform } })), {
    inline: true,
    after: (app) => {
      after();
      go(addressOf('lifecycle', app.owner.name, app.name));
    },
  });
  return (
    <Dialog title="Create an app" close={close}>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        error={create.failure?.message}
        autoFocus
        onEnter={() => void create.run()}
      />
      <Row align="end">
        <Select
          label="System"
          value={os}
          choices={SYSTEMS.map((value) => ({ value, label: value }))}
          onChange={(chosen) => {
            setOs(chosen);
            setPlatform(PLATFORMS[chosen][0] ?? 'Custom');
          }}
        />
        <Select
          label="Platform"
          value={platform}
          choices={PLATFORMS[os].map((value) => ({ value, label: value }))}
          onChange={setPlatform}
        />
        <Button look="main" isDisabled={name.trim() === '' || create.isRunning} onPress={() => void create.run()}>
          Create
        </Button>
      </Row>
    </Dialog>
  );
}
