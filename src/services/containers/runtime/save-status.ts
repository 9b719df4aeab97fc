import { isDeepStrictEqual } from 'node:util';
import { describeOperation, endOperation, recordOutcome, resources } from '../../../kernel/arm/index.ts';
import {
  type ContainerStatus,
  type EngineName,
  type EventRecord,
  failedInit,
  type GroupPlan,
  type GroupStatus,
} from '../../../kernel/engines/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import type { Json, Tx } from '../../../kernel/store/index.ts';
import { eventViews } from '../api/view.ts';
import { type Runtime, runtimes } from '../collections.ts';
import { recordStates } from './history.ts';
import { logChanges } from './log-changes.ts';
import { type Derived, derive } from './states.ts';
import { copyStateToResource } from './transitions.ts';

export interface StatusChange {
  readonly key: string;
  /** The runtime that the caller worked on. If a different target state is set by now, nothing is saved. */
  readonly seen: Runtime;
  readonly plan: GroupPlan;
  readonly engine: EngineName;
  /** Undefined if the engine could not report it; then only deadlines are checked. */
  readonly status: GroupStatus | undefined;
}

/** Stores the status of a group and what follows from it: its states, the end of an operation, and the change records. */
export async function saveStatus(
  tx: Tx,
  jar: Jar,
  { key, seen, plan, engine, status }: StatusChange,
): Promise<boolean> {
  // The same lock order as in writes of the resource.
  await tx.get(resources, key);
  const before = (await tx.get(runtimes, key))?.value;
  if (before?.uid !== seen.uid || before.generation !== seen.generation || before.wanted !== seen.wanted) return false;
  const now = jar.clock.now();
  // A copy as the store returns it: without undefined members and independent of the caller's object.
  const plain: GroupStatus = status ? JSON.parse(JSON.stringify(status)) : before.status;
  const derived = derive({ ...before, status: plain }, plan, now);
  const { provisioningState, state, ended } = derived;
  const { transition, ...rest } = before;
  const after: Runtime = {
    ...rest,
    engine,
    status: plain,
    provisioningState,
    state,
    ...(transition && !ended && { transition }),
  };
  if (isDeepStrictEqual(before, after)) return true;
  tx.afterCommit(() => logChanges(jar.log, before, after));
  await tx.put(runtimes, key, after);
  await copyStateToResource(tx, key, after);
  await recordStates(tx, key, { before: before.status, after: plain, now });
  if (transition) await reportTransition(tx, { before, after, plan, ended, now });
  if (before.state !== state || before.provisioningState !== provisioningState) {
    await tx.change({
      source: 'containers',
      kind: 'state',
      subject: after.resourceId,
      outcome: provisioningState === 'Failed' || state === 'Failed' ? 'Failed' : 'Succeeded',
      at: now,
      data: {
        from: { provisioningState: before.provisioningState, state: before.state },
        to: { provisioningState, state },
      },
    });
  }
  return true;
}

interface Told {
  readonly before: Runtime;
  readonly after: Runtime;
  readonly plan: GroupPlan;
  readonly ended: Derived['ended'];
  readonly now: number;
}

async function reportTransition(tx: Tx, { before, after, plan, ended, now }: Told): Promise<void> {
  const { kind, operation, origin, isFromPool } = before.transition as NonNullable<Runtime['transition']>;
  const properties: Json | undefined = isFromPool ? undefined : { events: eventViews(allEvents(after.status)) };
  if (!ended) {
    // While a group is being stopped, its provisioning state is already final; clients that poll would take it for the end.
    const step = kind === 'stop' ? undefined : after.provisioningState;
    if (operation) await describeOperation(tx, operation, { step, ...(properties && { properties }) });
    return;
  }
  const error = ended === 'Failed' ? describeFailure(before, after, plan) : undefined;
  if (operation) {
    const end = { status: ended, ...(properties && { properties }), ...(error && { error }) };
    await endOperation(tx, operation, end, now);
  }
  await recordOutcome(tx, origin, now, ended, error);
}

function describeFailure(
  { transition }: Runtime,
  { status }: Runtime,
  plan: GroupPlan,
): { code: string; message: string } {
  const what = transition?.kind === 'stop' ? 'stopped' : 'deployed';
  const reason = endOfInit(status.init, plan) ?? lastWarning(status) ?? 'The engine did not finish in time.';
  return { code: 'ContainerGroupDeploymentFailed', message: `The container group could not be ${what}. ${reason}` };
}

function endOfInit(init: readonly ContainerStatus[], { restartPolicy }: GroupPlan): string | undefined {
  const failed = init.find((it) => failedInit([it], restartPolicy));
  if (failed?.current.kind !== 'Terminated') return undefined;
  return `The init container '${failed.name}' ended with exit code ${failed.current.exitCode}.`;
}

function lastWarning(status: GroupStatus): string | undefined {
  const warnings = allEvents(status).filter(({ type }) => type === 'Warning');
  const last = warnings.sort((one, other) => other.lastAt - one.lastAt)[0];
  return last && `${last.name}: ${last.message}`;
}

const allEvents = ({ events, init, containers }: GroupStatus): EventRecord[] =>
  [events, ...[...init, ...containers].map((it) => it.events)].flat();
