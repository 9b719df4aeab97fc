import { Plus } from 'lucide-react';
import { useState } from 'react';
import { addressOf, useAddressParam, useGo } from '../../shared/address.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { Row } from '../../shared/ui/layout.tsx';
import { freeName, makeInbox } from './api.ts';

/** One click makes an inbox and opens it; a name of one's own takes a second. */
export function MakeInbox() {
  const go = useGo();
  const [naming, setNaming] = useAddressParam('new');
  const make = useAction(async () => makeInbox(await freeName()), { after: (name) => go(addressOf('inboxes', name)) });
  return (
    <>
      <Button look="quiet" onPress={() => setNaming('inbox')}>
        With a name…
      </Button>
      <Button look="main" isDisabled={make.isRunning} onPress={() => void make.run()}>
        <Plus size={14} aria-hidden /> Make an inbox
      </Button>
      {naming !== undefined && <NamedInbox close={() => setNaming(undefined)} />}
    </>
  );
}

function NamedInbox({ close }: { readonly close: () => void }) {
  const go = useGo();
  const [name, setName] = useState('');
  const make = useAction((wanted: string) => makeInbox(wanted), {
    inline: true,
    after: (made) => go(addressOf('inboxes', made)),
  });
  const run = (): void => {
    if (!make.isRunning) void make.run(name.trim());
  };
  return (
    <Dialog title="Make an inbox" close={close}>
      <TextField
        label="Name"
        description="Letters, digits, dots, dashes or underscores; it is part of the address."
        value={name}
        onChange={setName}
        error={make.failure?.message}
        autoFocus
        isMono
        onEnter={run}
      />
      <Row>
        <Button look="main" isDisabled={name.trim() === ''} onPress={run}>
          Make
        </Button>
      </Row>
    </Dialog>
  );
}
