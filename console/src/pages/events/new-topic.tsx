import { useState } from 'react';
import { useGo } from '../../shared/address.ts';
import { askService } from '../../shared/api/service.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useData } from '../../shared/api/use-data.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Select, TextField } from '../../shared/ui/field.tsx';
import { Row } from '../../shared/ui/layout.tsx';
import { FailureNotice } from '../../shared/ui/notice.tsx';
import { topicAddress, VERSION } from './api.ts';

const KINDS = [
  { value: 'topics', label: 'Topic' },
  { value: 'domains', label: 'Domain' },
] as const;

const SCHEMAS = [
  { value: 'EventGridSchema', label: 'Native events' },
  { value: 'CloudEventSchemaV1_0', label: 'CloudEvents 1.0' },
] as const;

const GROUPS_VERSION = 'api-version=2021-04-01';
const NEW_GROUP = { name: 'events', location: 'westus' };

interface Group {
  readonly name: string;
  readonly location: string;
}

/** Creates a topic or a domain in a group, which is created too if it does not exist. */
export function NewTopic({ close }: { readonly close: () => void }) {
  const go = useGo();
  /** The back button does not open the form again. */
  const leave = (address: string): void => {
    close();
    go(address);
  };
  const [name, setName] = useState('');
  const [kind, setKind] = useState<(typeof KINDS)[number]['value']>('topics');
  const [inputSchema, setSchema] = useState<(typeof SCHEMAS)[number]['value']>('EventGridSchema');
  const [typed, setGroup] = useState<string>();
  const place = useData(['events', 'groups'], async (signal) => {
    const found = await askService<{ value: { id: string }[] }>('/subscriptions?api-version=2022-12-01', { signal });
    const [subscription] = found.body.value;
    if (!subscription) return undefined;
    const groups = await askService<{ value: Group[] }>(`${subscription.id}/resourcegroups?${GROUPS_VERSION}`, {
      signal,
    });
    return { subscription: subscription.id, groups: groups.body.value };
  });
  const known = place.data?.groups ?? [];
  const group = typed ?? known[0]?.name ?? NEW_GROUP.name;
  const create = useAction(
    async () => {
      const at = `${place.data?.subscription}/resourceGroups/${encodeURIComponent(group)}`;
      const stored = known.find((each) => each.name.toLowerCase() === group.toLowerCase());
      const { location } = stored ?? NEW_GROUP;
      if (!stored) await askService(`${at}?${GROUPS_VERSION}`, { method: 'PUT', body: { location } });
      const path = `${at}/providers/Vendor.EventGrid/${kind}/${encodeURIComponent(name.trim())}?${VERSION}`;
      const body = { location, properties: { inputSchema } };
      return (await askService<{ id: string }>(path, { method: 'PUT', body })).body.id;
    },
    { inline: true, after: (id) => leave(topicAddress(id)) },
  );
  return (
    <Dialog title="Create a topic" close={close}>
      <FailureNotice failure={place.failure} what="The resource groups" />
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        error={create.failure?.message}
        autoFocus
        onEnter={() => void create.run()}
      />
      <TextField
        label="Resource group"
        value={group}
        onChange={setGroup}
        description="A group that does not exist is created."
      />
      <Row align="end">
        <Select label="Kind" value={kind} onChange={setKind} choices={KINDS} />
        <Select label="Events are published as" value={inputSchema} onChange={setSchema} choices={SCHEMAS} />
        <Button
          look="main"
          isDisabled={name.trim() === '' || !place.data || create.isRunning}
          onPress={() => void create.run()}
        >
          Create
        </Button>
      </Row>
    </Dialog>
  );
}
