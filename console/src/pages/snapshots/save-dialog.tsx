import { useState } from 'react';
import { addressOf, useGo } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { exact } from '../../shared/format/times.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { Row } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { findSnapshot, type Snapshot } from './api.ts';

interface Props {
  readonly close: () => void;
  readonly after: () => void;
}

/** Saves the present state. A name that is in use asks before its snapshot is replaced. */
export function SaveDialog({ close, after }: Props) {
  const go = useGo();
  const [name, setName] = useState('');
  const [replaced, setReplaced] = useState<Snapshot>();
  const save = useAction(
    async (wanted: string, mayReplace: boolean) => {
      const existing = mayReplace ? undefined : await findSnapshot(wanted);
      if (existing) return existing;
      await dataOf(control.PUT('/_jar/snapshots/{name}', { params: { path: { name: wanted } } }));
      return undefined;
    },
    {
      inline: true,
      after: (existing, wanted) => {
        setReplaced(existing);
        if (existing) return;
        after();
        go(addressOf('snapshots', wanted));
      },
    },
  );
  // The button is not disabled meanwhile: it would lose the focus, and with it the dialog its keys.
  const run = (): void => {
    if (!save.isRunning) void save.run(name.trim(), replaced?.name === name.trim());
  };
  return (
    <Dialog title="Save a snapshot" close={close}>
      <TextField
        label="Name"
        description="Letters, digits, dots, dashes or underscores"
        placeholder="before-the-test"
        value={name}
        onChange={(text) => {
          setName(text);
          setReplaced(undefined);
        }}
        error={save.failure?.message}
        autoFocus
        isMono
        onEnter={run}
      />
      {replaced && (
        <Notice tone="warning" title={`Replace '${replaced.name}' of ${exact(Date.parse(replaced.takenAt))}?`}>
          Its state is lost.
        </Notice>
      )}
      <Row>
        <Button look={replaced ? 'danger' : 'main'} isDisabled={name.trim() === ''} onPress={run}>
          {replaced ? 'Replace' : save.isRunning ? 'Saving…' : 'Save'}
        </Button>
      </Row>
    </Dialog>
  );
}
