import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { control, dataOf } from '../../shared/api/control.ts';
import { type Data, useData } from '../../shared/api/use-data.ts';
import { useMayChange } from '../../shared/session.ts';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { FailureNotice } from '../../shared/ui/notice.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { GroupActions } from './actions.tsx';
import { type FullGroup, type GroupResource, REAL_ENGINE_MS, readResource, SIGNALS } from './api.ts';
import { Configuration } from './configuration.tsx';
import { Events } from './events.tsx';
import { GroupState } from './group-state.tsx';
import { Logs } from './logs.tsx';
import { Summary } from './summary.tsx';

interface Names {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly name: string;
}

/** The emulator of a terminal is large, and few people need one. */
const Terminal = lazy(() => import('./terminal.tsx'));

interface Props {
  readonly names: Names;
}

export function GroupDetail({ names: { subscriptionId: subscription, resourceGroup, name } }: Props) {
  const mayChange = useMayChange();
  const [isReal, setReal] = useState(false);
  const key = ['containers', 'group', subscription, resourceGroup, name];
  const known = useData(
    key,
    (signal) =>
      dataOf(
        control.GET('/_jar/containers/groups/{subscription}/{resourceGroup}/{name}', {
          params: { path: { subscription, resourceGroup, name } },
          signal,
        }),
      ),
    { on: SIGNALS, everyMs: isReal ? REAL_ENGINE_MS : undefined },
  );
  const { data: group } = known;
  const engine = group?.engine;
  useEffect(() => setReal(engine !== undefined && engine !== 'simulated'), [engine]);
  if (!group)
    return (
      <Detail kind="Container group" title={name} failure={known.failure}>
        {null}
      </Detail>
    );
  return (
    <Detail
      kind="Container group"
      title={group.name}
      failure={known.failure}
      badges={
        <>
          <GroupState group={group} />
          <CopyId id={group.id} />
        </>
      }
      actions={mayChange && <GroupActions group={group} after={known.readAgain} />}
    >
      <GroupTabs group={group} mayChange={mayChange} />
    </Detail>
  );
}

function GroupTabs({ group, mayChange }: { readonly group: FullGroup; readonly mayChange: boolean }) {
  const resource = useData(['containers', 'resource', group.id, group.uid], (signal) => readResource(group, signal), {
    on: ['changes', '/subscriptions'],
  });
  return (
    <Tabs
      label="Container group"
      tabs={[
        { id: 'summary', title: 'Summary', content: () => <Summary group={group} resource={resource.data} /> },
        { id: 'logs', title: 'Logs', content: () => <Logs group={group} /> },
        mayChange && {
          id: 'terminal',
          title: 'Terminal',
          content: () => (
            <Suspense fallback={null}>
              <Terminal group={group} />
            </Suspense>
          ),
        },
        { id: 'events', title: 'Events', content: () => <Events group={group} /> },
        {
          id: 'config',
          title: 'Config',
          content: () => <FromResource resource={resource}>{(data) => <Configuration resource={data} />}</FromResource>,
        },
        {
          id: 'json',
          title: 'JSON',
          content: () => <FromResource resource={resource}>{(data) => <JsonView value={data} />}</FromResource>,
        },
      ]}
    />
  );
}

interface FromResourceProps {
  readonly resource: Data<GroupResource>;
  readonly children: (resource: GroupResource) => ReactNode;
}

function FromResource({ resource: { data, failure }, children }: FromResourceProps) {
  return (
    <>
      <FailureNotice failure={failure} what="The configuration" />
      {data && children(data)}
    </>
  );
}
