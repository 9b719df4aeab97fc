import { useState } from 'react';
import { useGo, useSegments } from '../../shared/address.ts';
import { askService } from '../../shared/api/service.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Select, TextField } from '../../shared/ui/field.tsx';
import { Row } from '../../shared/ui/layout.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { shortScope, subscriptionAddress, useTopics, VERSION } from './api.ts';

/** Subscribes a webhook to a topic or to the scope that is open. */
export function Subscribe({ close }: { readonly close: () => void }) {
  const go = useGo();
  /** The back button does not open the form again. */
  const leave = (address: string): void => {
    close();
    go(address);
  };
  const [section, shown] = useSegments('events');
  const topics = useTopics();
  const open = section === 'topics' ? shown : undefined;
  const [chosen, choose] = useState<string>();
  const [name, setName] = useState('');
  const [typed, setAddress] = useState<string>();
  const [types, setTypes] = useState('');
  const [begin, setBegin] = useState('');
  const scopes = [
    ...new Set([
      ...(open === undefined ? [] : [open]),
      ...(topics.data ?? []).filter(({ kind }) => kind !== 'partner namespace').map(({ id }) => id),
    ]),
  ];
  const scope = chosen ?? scopes[0];
  const endpointUrl = typed ?? `${location.origin}/_jar/inbox/${name.trim() || 'events'}`;
  const create = useAction(
    async () => {
      const includedEventTypes = types.split(/[\s,]+/).filter(Boolean);
      const path = `${scope}/providers/Vendor.EventGrid/eventSubscriptions/${encodeURIComponent(name.trim())}?${VERSION}`;
      const filter = { subjectBeginsWith: begin, ...(includedEventTypes.length > 0 && { includedEventTypes }) };
      const destination = { endpointType: 'WebHook', properties: { endpointUrl } };
      return (await askService<{ id: string }>(path, { method: 'PUT', body: { properties: { destination, filter } } }))
        .body.id;
    },
    { inline: true, after: (id) => leave(subscriptionAddress(id)) },
  );
  const target = create.failure?.target ?? '';
  const errorOf = (field: string): string | undefined => (target.includes(field) ? create.failure?.message : undefined);
  const fields = ['endpointUrl', 'includedEventTypes', 'subjectBeginsWith'];
  return (
    <Dialog title="Subscribe a webhook" close={close}>
      {topics.data && scope === undefined && (
        <Empty title="Create a topic first">Subscriptions are at a topic, a resource or a group.</Empty>
      )}
      {scope !== undefined && (
        <>
          <Select
            label="Topic"
            value={scope}
            onChange={choose}
            choices={scopes.map((id) => ({ value: id, label: shortScope(id) }))}
          />
          <TextField
            label="Name"
            value={name}
            onChange={setName}
            error={fields.some((field) => target.includes(field)) ? undefined : create.failure?.message}
            autoFocus
          />
          <TextField
            label="Webhook address"
            value={endpointUrl}
            onChange={setAddress}
            error={errorOf('endpointUrl')}
            description="An inbox of the jar answers the handshake by itself and keeps what it receives."
          />
          <TextField
            label="Event types"
            value={types}
            onChange={setTypes}
            error={errorOf('includedEventTypes')}
            description="Separated by commas; all types if empty."
          />
          <TextField
            label="Subject begins with"
            value={begin}
            onChange={setBegin}
            error={errorOf('subjectBeginsWith')}
          />
          <Row>
            <Button look="main" isDisabled={name.trim() === '' || create.isRunning} onPress={() => void create.run()}>
              Subscribe
            </Button>
          </Row>
        </>
      )}
    </Dialog>
  );
}
