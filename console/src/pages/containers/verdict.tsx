import type { ReactNode } from 'react';
import { Time } from '../../shared/format/time.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import type { ContainerStates, FullGroup } from './api.ts';

/** Does the group run, and if not, why not, and what to do. */
export function Verdict({ group }: { readonly group: FullGroup }) {
  const { state, provisioningState, transition, containerStates, wanted } = group;
  const waiting = containerStates.find(({ retryAt }) => retryAt !== undefined);
  if (waiting) return <Waiting container={waiting} />;
  if (transition && wanted === 'Stopped') return <Notice tone="warning" title="The group is being stopped." />;
  if (provisioningState === 'Failed')
    return (
      <Notice tone="failure" title="The deployment failed.">
        {lastWarning(group)}
      </Notice>
    );
  if (transition)
    return (
      <Notice title="The group is being deployed.">
        {lastWarning(group) ?? 'The engine pulls images and starts containers.'}
      </Notice>
    );
  if (provisioningState === 'Unhealthy')
    return (
      <Notice tone="warning" title={`${unready(group) ?? 'A container'} runs, but fails its readiness probe.`}>
        {lastWarning(group)}
      </Notice>
    );
  switch (state) {
    case 'Running':
      return <Running group={group} />;
    case 'Stopped':
      return (
        <Notice tone="warning" title="The group was stopped by a request. Start it to run its containers again." />
      );
    case 'Succeeded':
      return <Notice tone="success" title="All containers ended with exit code 0." />;
    case 'Failed':
      return <Ended containers={containerStates} />;
    default:
      return <Notice title={`The group is ${state.toLowerCase()}.`}>{lastWarning(group)}</Notice>;
  }
}

function Waiting({ container: { name, current, previous, retryAt, events } }: { readonly container: ContainerStates }) {
  const next: ReactNode = (
    <span>
      It starts again <Time at={retryAt} />; advancing the clock brings the next start. {warningOf(events)}
    </span>
  );
  if (current.reason === 'ImagePullBackOff')
    return (
      <Notice tone="failure" title={`The image of ${name} cannot be pulled.`}>
        {next}
      </Notice>
    );
  const code = previous?.exitCode;
  return (
    <Notice
      tone="failure"
      title={`${name} ${code === undefined ? 'cannot be started' : `ended with exit code ${code}`}.`}
    >
      {next}
    </Notice>
  );
}

function Running({ group: { containerStates, containers, running, restarts } }: { readonly group: FullGroup }) {
  const ended = containerStates.filter(({ isInit, current }) => !isInit && current.state !== 'Running');
  if (ended.length > 0)
    return (
      <Notice tone="warning" title={`${running} of ${containers} containers run.`}>
        {`Not running: ${ended.map(({ name }) => name).join(', ')}.`}
      </Notice>
    );
  const crashed = containerStates.filter((each) => each.restarts > 0).map(({ name }) => name);
  return restarts === 0 ? (
    <Notice tone="success" title="All containers run." />
  ) : (
    <Notice tone="warning" title={`All containers run now. Restarted since the deployment: ${crashed.join(', ')}.`} />
  );
}

function Ended({ containers }: { readonly containers: readonly ContainerStates[] }) {
  const failed = containers.filter(({ current }) => (current.exitCode ?? 0) !== 0);
  return (
    <Notice tone="failure" title="The containers ended, and do not start again by themselves.">
      {failed.map(({ name, current }) => `${name} ended with exit code ${current.exitCode}.`).join(' ')} Their logs say
      more.
    </Notice>
  );
}

const unready = ({ containerStates }: FullGroup): string | undefined =>
  containerStates.find(({ readiness }) => readiness && !readiness.passing)?.name;

type Events = FullGroup['events'];

const warningOf = (events: Events): string | undefined =>
  events.filter(({ type }) => type === 'Warning').toSorted((one, other) => other.lastAt.localeCompare(one.lastAt))[0]
    ?.message;

const lastWarning = ({ events, containerStates }: FullGroup): string | undefined =>
  warningOf([...events, ...containerStates.flatMap((each) => each.events)]);
