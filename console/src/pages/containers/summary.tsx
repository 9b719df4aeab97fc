import { Link } from 'wouter';
import { count } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { Badge } from '../../shared/ui/badge.tsx';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Facts, Mono, Section, Soft, Stack } from '../../shared/ui/layout.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { type ContainerStates, type FullGroup, type GroupResource, groupAddress } from './api.ts';
import { CONTAINER_PARAM } from './container-choice.tsx';
import { Probes } from './probes.tsx';
import { StatesOverTime, toneOf } from './states-over-time.tsx';
import { Verdict } from './verdict.tsx';

interface Props {
  readonly group: FullGroup;
  /** Undefined until it is read. */
  readonly resource: GroupResource | undefined;
}

/** Do the containers run, and since when. */
export function Summary({ group, resource }: Props) {
  const { containerStates, ip, fqdn, osType, restartPolicy, engine, location, createdAt, transition } = group;
  return (
    <Stack>
      <Verdict group={group} />
      <Table
        label="Containers"
        items={containerStates}
        keyOf={({ name }) => name}
        empty="The engine has not begun with the containers."
        columns={[
          { title: 'Container', cell: (container) => <Name container={container} group={group} /> },
          { title: 'State', cell: (container) => <State container={container} /> },
          { title: 'Since', cell: (container) => <Time at={sinceOf(group, container)} /> },
          { title: 'Restarts', isNumber: true, cell: ({ restarts }) => count(restarts) },
          { title: 'Exit', isNumber: true, cell: (container) => exitOf(container) },
        ]}
      />
      <StatesOverTime group={group} />
      <Probes group={group} resource={resource} />
      <Section title="About">
        <Facts
          facts={[
            { label: 'Address', value: ip && <CopyId id={ip} length={40} /> },
            { label: 'Name', value: fqdn && <CopyId id={fqdn} length={72} /> },
            { label: 'Subscription', value: <CopyId id={group.subscriptionId} length={40} /> },
            { label: 'Resource group', value: group.resourceGroup },
            { label: 'Location', value: location },
            { label: 'System', value: osType },
            { label: 'Restart policy', value: restartPolicy },
            { label: 'Engine', value: engine },
            { label: 'Images', value: <Mono>{group.images.join(', ')}</Mono> },
            { label: 'Created', value: <Time at={createdAt} /> },
            transition && { label: `In progress: ${transition.kind}`, value: <Time at={transition.startedAt} /> },
          ]}
        />
      </Section>
    </Stack>
  );
}

function Name({
  container: { name, isInit },
  group,
}: {
  readonly container: ContainerStates;
  readonly group: FullGroup;
}) {
  const logs = new URLSearchParams({ tab: 'logs', [CONTAINER_PARAM]: name });
  return (
    <>
      <Link href={`${groupAddress(group)}?${logs}`} aria-label={`Logs of ${name}`}>
        {name}
      </Link>{' '}
      {isInit && <Badge>init</Badge>}
    </>
  );
}

function State({ container: { current } }: { readonly container: ContainerStates }) {
  return (
    <>
      <Badge tone={toneOf(current)}>{current.state}</Badge> <Soft>{current.reason}</Soft>
    </>
  );
}

/** A container that waits has no time of its own. */
const sinceOf = ({ history }: FullGroup, { name, current }: ContainerStates): string | undefined =>
  current.at ?? history.findLast(({ container }) => container === name)?.at;

function exitOf({ current, previous }: ContainerStates) {
  const code = current.exitCode ?? previous?.exitCode;
  if (code === undefined) return '';
  return <Badge tone={code === 0 ? 'success' : 'failure'}>{code}</Badge>;
}
