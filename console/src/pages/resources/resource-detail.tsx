import { useState } from 'react';
import { addressOf, useGo } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useData } from '../../shared/api/use-data.ts';
import { useRemoval } from '../../shared/api/use-removal.ts';
import type { Members } from '../../shared/form/schema.ts';
import { counted } from '../../shared/format/numbers.ts';
import { literal } from '../../shared/list/filter.ts';
import { useMayChange } from '../../shared/session.ts';
import { Badge, StateBadge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Soft, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { Activity } from './activity.tsx';
import { type ArmDocument, type ArmType, askArm, CHANGED, partsOf, shortType, useArmType } from './api.ts';
import { Editor, editable } from './editor.tsx';
import { Summary } from './summary.tsx';

const MOST_COUNTED = 1000;

/** A resource, a group or a subscription: everything that the management API answers at its id. */
export function ResourceDetail({ id }: { readonly id: string }) {
  const mayChange = useMayChange();
  const go = useGo();
  const type = useArmType(id);
  const document = useData(
    ['arm', id.toLowerCase()],
    async (signal) => (await askArm(id, type.data?.apiVersion ?? '', { signal })).body,
    { on: CHANGED, enabled: type.data !== undefined },
  );
  const below = useData(
    ['arm-below', id.toLowerCase()],
    async (signal) => {
      const query = { $filter: `startswith(id,${literal(`${id.toLowerCase()}/`)})`, $top: MOST_COUNTED };
      return (await dataOf(control.GET('/_jar/resources', { params: { query }, signal }))).value.length;
    },
    { on: CHANGED, enabled: /\/resourceGroups\//i.test(id) },
  );
  const remove = useRemoval(() => askArm(id, type.data?.apiVersion ?? '', { method: 'DELETE' }), {
    done: ({ status }) =>
      status === 202 ? `${partsOf(id).name} is being deleted.` : `${partsOf(id).name} was deleted.`,
    after: () => go(addressOf('resources'), { keep: true }),
  });
  const parts = partsOf(id);
  const { data } = document;
  const failure = document.failure ?? type.failure;
  if (!data || !type.data)
    return (
      <Detail kind={shortType(parts.type)} title={parts.name} failure={failure}>
        {!failure && <Soft>Reading…</Soft>}
      </Detail>
    );
  const state = data.properties?.provisioningState ?? data.state;
  return (
    <Detail
      kind={shortType(data.type ?? parts.type)}
      title={typeof data.displayName === 'string' ? data.displayName : (data.name ?? parts.name)}
      failure={failure}
      badges={
        <>
          {typeof state === 'string' && <StateBadge state={state} />}
          {data.location !== undefined && <Badge>{data.location}</Badge>}
          <CopyId id={data.id ?? id} length={40} />
        </>
      }
      actions={
        mayChange &&
        type.data.methods.includes('delete') && (
          <Confirm
            label="Delete"
            question={`Delete ${parts.name}${below.data ? ` with ${counted(below.data, 'resource')} in it` : ''}?`}
            isDisabled={remove.isRunning}
            onConfirm={() => void remove.run()}
          />
        )
      }
    >
      <Content
        id={data.id ?? id}
        document={data}
        type={type.data}
        mayEdit={mayChange && type.data.methods.includes('put')}
        after={document.readAgain}
      />
    </Detail>
  );
}

interface ContentProps {
  readonly id: string;
  readonly document: ArmDocument;
  readonly type: ArmType;
  readonly mayEdit: boolean;
  readonly after: () => void;
}

function Content({ id, document, type, mayEdit, after }: ContentProps) {
  const [draft, setDraft] = useState<Members>();
  const [isEditing, edit] = useState(false);
  const value = draft ?? editable(document, type);
  const save = useAction(() => askArm(id, type.apiVersion, { method: 'PUT', body: value }), {
    inline: true,
    done: `${document.name ?? 'The document'} was saved.`,
    after: () => {
      setDraft(undefined);
      edit(false);
      after();
    },
  });
  const editor = (as: 'form' | 'json') => (
    <Editor
      as={as}
      type={type}
      value={value}
      onChange={setDraft}
      save={save}
      label="Save"
      isReady={draft !== undefined}
      onUndo={
        draft &&
        (() => {
          setDraft(undefined);
          edit(false);
        })
      }
    />
  );
  return (
    <Stack>
      {draft !== undefined && <Notice title="There are changes that are not saved." />}
      <Tabs
        label="Resource"
        tabs={[
          { id: 'summary', title: 'Summary', content: () => <Summary id={id} document={document} type={type} /> },
          mayEdit && { id: 'form', title: 'Form', content: () => editor('form') },
          {
            id: 'json',
            title: 'JSON',
            content: () =>
              isEditing ? (
                editor('json')
              ) : (
                <Stack>
                  {mayEdit && (
                    <div>
                      <Button onPress={() => edit(true)}>Edit as JSON</Button>
                    </div>
                  )}
                  <JsonView value={document} />
                </Stack>
              ),
          },
          { id: 'activity', title: 'Activity', content: () => <Activity id={id} /> },
        ]}
      />
    </Stack>
  );
}
