import { describe, expect, test } from 'vitest';
import type { GroupPlan, RestartPolicy } from '../../../../src/kernel/engines/plan.ts';
import type { ContainerState, ContainerStatus, GroupStatus } from '../../../../src/kernel/engines/status.ts';
import type { Runtime, Transition } from '../../../../src/services/containers/collections.ts';
import { DEPLOYMENT_DEADLINE_MS, derive } from '../../../../src/services/containers/runtime/states.ts';
import { isTransitioning } from '../../../../src/services/containers/runtime/transitions.ts';

const START = 1_000_000;

const running: ContainerState = { kind: 'Running', startedAt: START };
const creating: ContainerState = { kind: 'Waiting', reason: 'ContainerCreating' };
const crashing: ContainerState = { kind: 'Waiting', reason: 'CrashLoopBackOff' };
const ended = (exitCode: number): ContainerState => ({ kind: 'Terminated', finishedAt: START, exitCode, reason: '' });

const one = (current: ContainerState, more: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name: 'web',
  run: 1,
  current,
  restartCount: 0,
  failures: 0,
  events: [],
  ...more,
});

const planned = (restartPolicy: RestartPolicy): GroupPlan =>
  ({
    restartPolicy,
    init: [],
    containers: [{ name: 'web', readiness: { failureThreshold: 2 } }],
  }) as unknown as GroupPlan;

const status = (containers: ContainerStatus[], more: Partial<GroupStatus> = {}): GroupStatus => ({
  generation: 1,
  sandbox: 'ready',
  init: [],
  containers,
  events: [],
  ...more,
});

const under = (kind: Transition['kind']): Transition => ({
  kind,
  startedAt: START,
  origin: {} as Transition['origin'],
});

const runtime = (of: GroupStatus, more: Partial<Runtime> = {}): Runtime => ({
  uid: 'u',
  resourceId: '/g',
  engine: 'simulated',
  wanted: 'Running',
  generation: 1,
  keepSandbox: false,
  provisioningState: 'Pending',
  state: 'Pending',
  status: of,
  ...more,
});

type Row = [
  title: string,
  group: Runtime,
  policy: RestartPolicy,
  provisioningState: string,
  state: string,
  end?: string,
];

const create = { transition: under('create') };
const updating = {
  transition: under('update'),
  keepSandbox: true,
  provisioningState: 'Updating',
  state: 'Running',
} as const;
const done = { provisioningState: 'Succeeded', state: 'Running' } as const;
const stopping = { wanted: 'Stopped', transition: under('stop'), ...done } as const;
const unready = { readiness: { dueAt: 0, failures: 2, successes: 0, passing: false } };

const ROWS: readonly Row[] = [
  [
    'nothing has begun',
    runtime(status([], { generation: 0, sandbox: 'absent' }), create),
    'Always',
    'Pending',
    'Pending',
  ],
  [
    'it has no place yet',
    runtime(status([one(creating)], { sandbox: 'absent' }), create),
    'Always',
    'Creating',
    'Pending',
  ],
  ['it has a place', runtime(status([one(creating)]), create), 'Always', 'Creating', 'Created'],
  ['some of it runs', runtime(status([one(running), one(creating)]), create), 'Always', 'Creating', 'Running'],
  ['all of it runs', runtime(status([one(running)]), create), 'Always', 'Succeeded', 'Running', 'Succeeded'],
  ['it has crashed already', runtime(status([one(crashing)]), create), 'Always', 'Succeeded', 'Running', 'Succeeded'],
  ['it is not ready', runtime(status([one(running, unready)]), done), 'Always', 'Unhealthy', 'Running'],
  ['it is replaced in place', runtime(status([one(creating)]), updating), 'Always', 'Updating', 'Running'],
  ['it was lost', runtime(status([one(creating)], { sandbox: 'lost' }), done), 'Always', 'Repairing', 'Running'],
  ['all ended well', runtime(status([one(ended(0))]), done), 'OnFailure', 'Succeeded', 'Succeeded'],
  ['one ended badly', runtime(status([one(ended(0)), one(ended(1))]), done), 'Never', 'Succeeded', 'Failed'],
  ['one ended, one runs', runtime(status([one(ended(1)), one(running)]), done), 'Never', 'Succeeded', 'Running'],
  [
    'an init container failed for good',
    runtime(status([one(creating)], { init: [one(ended(1))] }), create),
    'Never',
    'Failed',
    'Failed',
    'Failed',
  ],
  [
    'an init container is tried again',
    runtime(status([one(creating)], { init: [one(crashing)] }), create),
    'Always',
    'Creating',
    'Created',
  ],
  ['it is being stopped', runtime(status([one(running)]), stopping), 'Always', 'Succeeded', 'Running'],
  [
    'it is stopped',
    runtime(status([one(ended(0))], { sandbox: 'absent' }), stopping),
    'Always',
    'Succeeded',
    'Stopped',
    'Succeeded',
  ],
];

describe('the states of a group', () => {
  test.each(ROWS)('%s', (_title, group, policy, provisioningState, state, end) => {
    expect(derive(group, planned(policy), START)).toEqual({ provisioningState, state, ...(end && { ended: end }) });
  });

  test.each<[string, Runtime]>([
    ['has not begun', runtime(status([], { generation: 0, sandbox: 'absent' }), create)],
    ['has not started', runtime(status([one(creating)]), create)],
    ['is not replaced', runtime(status([one(creating)]), updating)],
    ['does not stop', runtime(status([one(running)]), stopping)],
  ])('what %s within half an hour has failed, and is no longer being changed', (_title, group) => {
    expect(derive(group, planned('Always'), START + DEPLOYMENT_DEADLINE_MS - 1).ended).toBeUndefined();
    const late = derive(group, planned('Always'), START + DEPLOYMENT_DEADLINE_MS);
    expect(late).toMatchObject({ provisioningState: 'Failed', ended: 'Failed' });
    const { transition: _over, ...after } = group;
    expect([isTransitioning(group), isTransitioning(after)]).toEqual([true, false]);
  });

  test('one that has failed stays so until it runs, or is stopped, after all', () => {
    const failed = { provisioningState: 'Failed', state: 'Created' } as const;
    const at = (group: Runtime) => derive(group, planned('Always'), START).provisioningState;
    expect(at(runtime(status([one(creating)]), failed))).toBe('Failed');
    expect(at(runtime(status([one(running)]), failed))).toBe('Succeeded');
    expect(at(runtime(status([one(running)]), { ...failed, wanted: 'Stopped' }))).toBe('Failed');
    expect(at(runtime(status([], { sandbox: 'absent' }), { ...failed, wanted: 'Stopped' }))).toBe('Succeeded');
  });
});
