import { useState } from 'react';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { useMayChange } from '../../shared/session.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { CopyButton } from '../../shared/ui/copy.tsx';
import { Select, TextField } from '../../shared/ui/field.tsx';
import { Row, Stack } from '../../shared/ui/layout.tsx';
import { FailureNotice, Notice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import type { TranslatorKey } from './api.ts';

const TIERS = ['none', 'F0', 'S1', 'S2', 'S3', 'S4'] as const;
type Tier = (typeof TIERS)[number];

const keyOf = ({ name }: TranslatorKey): string => name;

/** The keys of clients. Their secrets can be copied, and are never shown. */
export function Keys() {
  const mayChange = useMayChange();
  const [name, setName] = useState('');
  const [tier, setTier] = useState<Tier>('none');
  const [region, setRegion] = useState('');
  const keys = useControlRows('/_jar/translator/keys', { keyOf, on: ['/_jar/translator/keys'], follow: true });
  const create = useAction(
    () =>
      dataOf(
        control.PUT('/_jar/translator/keys/{name}', {
          params: { path: { name } },
          body: { ...(tier !== 'none' && { tier }), ...(region !== '' && { region }) },
        }),
      ),
    {
      inline: true,
      done: 'The key was stored.',
      after: () => {
        setName('');
        keys.readAgain();
      },
    },
  );
  const remove = useAction(
    (which: string) => control.DELETE('/_jar/translator/keys/{name}', { params: { path: { name: which } } }),
    { done: 'The key was removed.', after: keys.readAgain },
  );
  const { failure } = create;
  return (
    <Stack>
      <FailureNotice failure={keys.failure} what="The keys" />
      {mayChange && (
        <Row align="end">
          <TextField
            label="Name"
            value={name}
            onChange={setName}
            error={failure?.target === 'name' ? failure.message : undefined}
            onEnter={() => void create.run()}
          />
          <Select
            label="Tier"
            value={tier}
            onChange={setTier}
            choices={TIERS.map((value) => ({ value, label: value }))}
          />
          <TextField
            label="Region"
            value={region}
            onChange={setRegion}
            placeholder="global"
            error={failure?.target === 'region' ? failure.message : undefined}
          />
          <Button look="main" isDisabled={name.trim() === '' || create.isRunning} onPress={() => void create.run()}>
            Store the key
          </Button>
        </Row>
      )}
      {failure && failure.target !== 'name' && failure.target !== 'region' && (
        <Notice tone="failure" title={failure.message} />
      )}
      <Table
        label="Keys"
        items={keys.rows}
        keyOf={keyOf}
        empty="There is no key. Clients can use a token of the directory instead."
        columns={[
          { title: 'Name', cell: (key) => key.name },
          { title: 'Kind', cell: ({ kind }) => <Badge>{kind}</Badge> },
          { title: 'Tier', cell: (key) => key.tier ?? '' },
          { title: 'Region', cell: (key) => key.region ?? 'global' },
          { title: 'From', cell: ({ source }) => source },
          {
            title: 'Actions',
            cell: (key) =>
              mayChange && (
                <Row>
                  <CopyButton label={`Copy the key ${key.name}`} text={() => secretOf(key.name)} />
                  {key.source === 'store' && (
                    <Confirm
                      label="Remove"
                      question={`Remove ${key.name}? Its clients and tokens are rejected at once.`}
                      onConfirm={() => void remove.run(key.name)}
                    />
                  )}
                </Row>
              ),
          },
        ]}
      />
    </Stack>
  );
}

async function secretOf(name: string): Promise<string> {
  const { key } = await dataOf(control.GET('/_jar/translator/keys/{name}', { params: { path: { name } } }));
  return key;
}
