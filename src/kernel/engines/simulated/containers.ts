import type { Stored } from '../../store/types.ts';
import type { ContainerPlan, GroupPlan } from '../plan.ts';
import { type ObservedGroup, type RunName, StartProblem } from '../types.ts';
import { behaviourOf } from './behaviour.ts';
import type { SimulatedContainer } from './collections.ts';
import type { SimulatedContext } from './context.ts';
import { childrenKeyOf, type Inside } from './inside.ts';
import { begin, endOf, programOf } from './process.ts';
import { isRunningAt, nextEnd, stateAt } from './state.ts';
import { sharedFiles } from './volumes.ts';

/** More than the runs that a group can have at the same time. */
const MOST_CONTAINERS = 1_000;
const ENDED_BY_REQUEST = 143;
const ENDED_BY_FORCE = 137;

export const engineIdOf = (uid: string, name: string, { generation, run }: RunName): string =>
  `${uid}/${generation}.${run}/${name}`;

export async function startContainer(
  context: SimulatedContext,
  plan: GroupPlan,
  container: ContainerPlan,
  run: RunName,
): Promise<{ engineId: string }> {
  const { store, clock, vault, containers, sandboxes } = context;
  const engineId = engineIdOf(plan.uid, container.name, run);
  if (await store.get(containers, engineId)) return { engineId };
  const behaviour = behaviourOf(container.image, run.run);
  if (behaviour.start) throw new StartProblem(behaviour.start.message, behaviour.start.exitCode);
  const startedAt = clock.now();
  const inside = await withSharedFiles(context, plan.uid, childrenKeyOf(plan, container), startedAt);
  const process = begin(programOf(inside.command, behaviour), inside, { startedAt, onlyItsEnd: true });
  const end = endOf(process);
  const document: SimulatedContainer = {
    uid: plan.uid,
    name: container.name,
    ...run,
    image: container.image,
    startedAt,
    sealed: vault.seal(JSON.stringify(inside)),
    serves: behaviour.script !== undefined || process.machine.unknown !== undefined,
    ports: container.ports.map(({ port }) => port),
    ...(end && { end: { ...end, outOfMemory: behaviour.outOfMemory ?? false } }),
  };
  await store.transact(async (tx) => {
    // In one transaction, so that a concurrent removal of the group leaves no container behind.
    if (!(await tx.get(sandboxes, plan.uid, 'share'))) throw new StartProblem('the group has no sandbox', 128);
    if (!(await tx.get(containers, engineId))) await tx.put(containers, engineId, document);
  });
  return { engineId };
}

async function withSharedFiles(context: SimulatedContext, uid: string, inside: Inside, now: number): Promise<Inside> {
  if (Object.keys(inside.shared).length === 0) return inside;
  const files = sharedFiles(context, inside.shared, await runsOf(context, uid), now);
  return { ...inside, files: { ...inside.files, ...files } };
}

/** Returns whether the container was running. */
export async function stopContainer(
  { store, clock, containers }: SimulatedContext,
  engineId: string,
): Promise<boolean> {
  const now = clock.now();
  return store.transact(async (tx) => {
    const stored = await tx.get(containers, engineId);
    if (!stored || !isRunningAt(stored.value, now)) return false;
    const { stubborn } = behaviourOf(stored.value.image, stored.value.run);
    const exitCode = stubborn ? ENDED_BY_FORCE : ENDED_BY_REQUEST;
    await tx.put(containers, engineId, { ...stored.value, end: { at: now, exitCode, outOfMemory: false } });
    return true;
  });
}

export async function removeContainer({ store, containers }: SimulatedContext, engineId: string): Promise<void> {
  await store.transact((tx) => tx.delete(containers, engineId));
}

export async function observe(context: SimulatedContext, uid: string): Promise<ObservedGroup> {
  const { store, clock, sandboxes } = context;
  const now = clock.now();
  const [sandbox, runs] = await Promise.all([store.get(sandboxes, uid), runsOf(context, uid)]);
  const nextChangeAt = nextEnd(
    runs.map(({ value }) => value),
    now,
  );
  return {
    sandbox: sandbox && { running: true, ip: sandbox.value.ip },
    containers: runs.map(({ key, value }) => stateAt(key, value, now)),
    ...(nextChangeAt !== undefined && { nextChangeAt }),
  };
}

export async function runsOf(
  { store, containers }: SimulatedContext,
  uid: string,
): Promise<readonly Stored<SimulatedContainer>[]> {
  return (await store.query(containers, { prefix: `${uid}/`, limit: MOST_CONTAINERS })).items;
}

export const openInside = ({ vault }: Pick<SimulatedContext, 'vault'>, { sealed }: SimulatedContainer): Inside =>
  JSON.parse(vault.open(sealed)) as Inside;
