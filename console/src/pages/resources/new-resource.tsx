import { useState } from 'react';
import { useAddressParam, useGo } from '../../shared/address.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { mistakesOf } from '../../shared/form/mistakes.ts';
import type { Members } from '../../shared/form/schema.ts';
import { ComboBox } from '../../shared/ui/combo-box.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { askArm, partsOf, shortType, useArmType } from './api.ts';
import { Editor } from './editor.tsx';
import { resourceAddress } from './resources-of.tsx';
import { useLocations } from './use-locations.ts';
import type { Scopes } from './use-scopes.ts';
import { useTypes } from './use-types.ts';

interface Props {
  readonly scopes: Scopes | undefined;
  readonly scope: string | undefined;
}

/** A resource of any type: its place, its name, and its properties with the help of their schema. */
export function NewResource({ scopes, scope }: Props) {
  const go = useGo();
  const [chosenType, chooseType] = useAddressParam('type');
  const [chosenGroup, chooseGroup] = useState<string>();
  const groups = scopes?.groups ?? [];
  const group = chosenGroup ?? (scope && partsOf(scope).group) ?? groups[0]?.id;
  const subscription = group === undefined ? undefined : partsOf(group).subscription;
  const types = useTypes(subscription);
  const locations = useLocations(subscription);
  const [name, setName] = useState('');
  const [location, setLocation] = useState<string | undefined>('westeurope');
  const [draft, setDraft] = useState<Members>({});
  const template = group && chosenType ? idOf(group, chosenType, 'name') : undefined;
  const type = useArmType(template);
  const hasLocation = type.data?.properties.some((each) => each.name === 'location') ?? false;
  const id = group && chosenType ? idOf(group, chosenType, name.trim()) : '';
  const create = useAction(
    () =>
      askArm(id, type.data?.apiVersion ?? '', {
        method: 'PUT',
        body: { ...draft, ...(hasLocation && location !== undefined && { location }) },
      }),
    {
      inline: true,
      done: ({ status }) => (status === 202 ? `${name} is being created.` : `${name} was created.`),
      after: () => go(`${resourceAddress(id)}${scope === undefined ? '' : `?scope=${encodeURIComponent(scope)}`}`),
    },
  );
  const mistakes = mistakesOf(create.failure);
  const parents = (chosenType?.split('/').length ?? 2) - 2;
  const mayPut = type.data?.methods.includes('put') ?? false;
  if (scopes && groups.length === 0)
    return (
      <Detail kind="New resource" title="There is no resource group yet">
        <Notice title="Create a resource group first: every resource is in one." />
      </Detail>
    );
  return (
    <Detail kind="New resource" title={chosenType ? shortType(chosenType) : 'Choose its type'} failure={type.failure}>
      <Stack>
        <ComboBox
          label="Resource group"
          choices={groups.map((each) => ({ value: each.id, label: each.name }))}
          value={group}
          onChange={chooseGroup}
        />
        <ComboBox
          label="Type"
          placeholder="storage, topics, containerGroups…"
          choices={types}
          value={chosenType}
          onChange={(next) => {
            chooseType(next);
            setDraft({});
          }}
        />
        {type.data && !mayPut && <Notice tone="warning" title="Resources of this type are not created by a PUT." />}
        {type.data && mayPut && (
          <>
            <TextField
              label="Name"
              value={name}
              onChange={setName}
              error={mistakes.at('name') ?? mistakes.at('resourceName')}
              {...(parents > 0 && {
                description: `With the names of its ${parents === 1 ? 'parent' : 'parents'}: ${'parent/'.repeat(parents)}name`,
              })}
            />
            {hasLocation && (
              <ComboBox
                label="Location"
                choices={locations}
                value={location}
                onChange={setLocation}
                {...(mistakes.at('location') !== undefined && { description: mistakes.at('location') })}
              />
            )}
            <Tabs
              label="Properties"
              param="view"
              tabs={(['form', 'json'] as const).map((as) => ({
                id: as,
                title: as === 'form' ? 'Form' : 'JSON',
                content: () =>
                  type.data && (
                    <Editor
                      as={as}
                      type={type.data}
                      value={draft}
                      onChange={setDraft}
                      save={create}
                      label="Create"
                      isReady={isNamed(name, parents)}
                      without={['location', 'name', 'resourceName']}
                    />
                  ),
              }))}
            />
          </>
        )}
      </Stack>
    </Detail>
  );
}

const isNamed = (name: string, parents: number): boolean =>
  name.trim().split('/').filter(Boolean).length === parents + 1;

/** `Vendor.ServiceBus/namespaces/queues` and `shop/orders` are `…/namespaces/shop/queues/orders`. */
function idOf(group: string, type: string, name: string): string {
  const [namespace = '', ...types] = type.split('/');
  const names = name.split('/');
  const pairs = types.map((each, index) => `${each}/${names[index] ?? 'name'}`);
  return `${group}/providers/${namespace}/${pairs.join('/')}`;
}
