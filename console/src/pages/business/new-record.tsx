import { useState } from 'react';
import { useGo } from '../../shared/address.ts';
import { askService } from '../../shared/api/service.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Row } from '../../shared/ui/layout.tsx';
import { type BusinessRecord, recordAddress, setPath } from './api.ts';
import type { EntitySet } from './metadata.ts';
import { RecordFields, writable } from './record-fields.tsx';

interface Props {
  readonly api: string;
  readonly company: string;
  readonly set: EntitySet;
  readonly close: () => void;
}

/** Creates a record from the fields that were filled in; the application computes the others. */
export function NewRecord({ api, company, set, close }: Props) {
  const go = useGo();
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>({});
  const create = useAction(
    async () => {
      const body = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
      return (await askService<BusinessRecord>(setPath(api, company, set.name), { method: 'POST', body })).body;
    },
    {
      inline: true,
      after: (made) => {
        close();
        go(recordAddress(api, company, set.name, String(made[set.key])));
      },
    },
  );
  return (
    <Dialog title={`Create in ${set.name}`} close={close}>
      <RecordFields
        properties={writable(set.properties)}
        values={values}
        onChange={(name, value) => setValues({ ...values, [name]: value })}
        failure={create.failure}
      />
      <Row>
        <Button look="main" isDisabled={create.isRunning} onPress={() => void create.run()}>
          Create
        </Button>
      </Row>
    </Dialog>
  );
}
