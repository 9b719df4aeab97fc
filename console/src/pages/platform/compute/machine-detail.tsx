import { useAction } from '../../../shared/api/use-action.ts';
import { useRemoval } from '../../../shared/api/use-removal.ts';
import { Time } from '../../../shared/format/time.tsx';
import { useMayChange } from '../../../shared/session.ts';
import { StateBadge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Confirm } from '../../../shared/ui/confirm.tsx';
import { CopyId } from '../../../shared/ui/copy.tsx';
import { Detail } from '../../../shared/ui/detail.tsx';
import { JsonView } from '../../../shared/ui/json-view.tsx';
import { Facts } from '../../../shared/ui/layout.tsx';
import { Tabs } from '../../../shared/ui/tabs.tsx';
import { type Platform, usePlatform } from '../api.ts';
import { useGoTo } from '../place.tsx';
import { CLUSTERS, isUp, type Machine, WAREHOUSES } from './api.ts';
import { ClusterEvents } from './cluster-events.tsx';
import { Statements } from './statements.tsx';

type Verb = 'start' | 'stop';

/** One cluster or SQL warehouse: its state, and what has happened to it. */
export function MachineDetail({ machine }: { readonly machine: Machine }) {
  const platform = usePlatform();
  const mayChange = useMayChange();
  const goTo = useGoTo();
  const { kind, id, name, state, document } = machine;
  const act = useAction((verb: Verb) => change(platform, machine, verb));
  const remove = useRemoval(() => deleted(platform, machine), {
    done: `${name} was deleted.`,
    after: () => goTo('compute'),
  });
  return (
    <Detail
      kind={kind === 'cluster' ? 'Cluster' : 'SQL warehouse'}
      title={name}
      badges={
        <>
          <StateBadge state={state.toLowerCase()} />
          <CopyId id={id} />
        </>
      }
      actions={
        mayChange && (
          <>
            {isUp(machine) ? (
              <Confirm
                label="Stop"
                question={`Stop ${name}? What runs on it ends.`}
                onConfirm={() => void act.run('stop')}
              />
            ) : (
              <Button look="main" isDisabled={act.isRunning} onPress={() => void act.run('start')}>
                Start
              </Button>
            )}
            <Confirm
              label="Delete"
              question={`Delete ${name} with its configuration?`}
              onConfirm={() => void remove.run()}
            />
          </>
        )
      }
    >
      <Tabs
        label={kind}
        tabs={[
          { id: 'summary', title: 'Summary', content: () => <Summary machine={machine} /> },
          kind === 'cluster' && { id: 'events', title: 'Events', content: () => <ClusterEvents id={id} /> },
          kind === 'warehouse' && { id: 'statements', title: 'Statements', content: () => <Statements id={id} /> },
          { id: 'json', title: 'JSON', content: () => <JsonView value={document} /> },
        ]}
      />
    </Detail>
  );
}

/** Both APIs call it differently: the clusters API deletes what it stops. */
function change(platform: Platform, { kind, id }: Machine, verb: Verb): Promise<unknown> {
  return kind === 'cluster'
    ? platform.post(`${CLUSTERS}/${verb === 'start' ? 'start' : 'delete'}`, { cluster_id: id })
    : platform.post(`${WAREHOUSES}/${encodeURIComponent(id)}/${verb}`, {});
}

const deleted = (platform: Platform, { kind, id }: Machine): Promise<unknown> =>
  kind === 'cluster'
    ? platform.post(`${CLUSTERS}/permanent-delete`, { cluster_id: id })
    : platform.send('DELETE', `${WAREHOUSES}/${encodeURIComponent(id)}`);

const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

function Summary({ machine: { size, owner, source, since, document } }: { readonly machine: Machine }) {
  const reason = document.termination_reason as { readonly code?: string } | undefined;
  return (
    <Facts
      facts={[
        { label: 'State', value: text(document.state_message) },
        { label: 'Ended because', value: reason?.code?.toLowerCase().replaceAll('_', ' ') },
        { label: 'Size', value: size },
        { label: 'Owner', value: owner },
        { label: 'Made by', value: source },
        { label: 'Runtime', value: text(document.spark_version) },
        { label: 'Node type', value: text(document.node_type_id) },
        { label: 'Stops when idle for', value: minutes(document.autotermination_minutes ?? document.auto_stop_mins) },
        since !== undefined && { label: 'Started', value: <Time at={since} /> },
        { label: 'Cores', value: text(document.cluster_cores) },
        { label: 'JDBC', value: text(document.jdbc_url) },
      ]}
    />
  );
}

const minutes = (value: unknown): string | undefined =>
  typeof value === 'number' && value > 0 ? `${value} min` : undefined;
