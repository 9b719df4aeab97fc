import { isDeepStrictEqual } from 'node:util';
import type { ContainerState, ContainerStatus, GroupStatus } from '../../../kernel/engines/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { histories, type StateRecord } from '../collections.ts';

/** In a crash loop a run has three states; its longest pause is five minutes, so this is five hours of one container. */
const MOST_RECORDS = 200;

interface Change {
  readonly before: GroupStatus;
  readonly after: GroupStatus;
  readonly now: number;
}

/** Records the states that containers of a group have entered. */
export async function recordStates(tx: Tx, key: string, { before, after, now }: Change): Promise<void> {
  const known = new Map([...before.init, ...before.containers].map((it) => [it.name, it]));
  const entered = [...after.init, ...after.containers].flatMap((it) => enteredStates(known.get(it.name), it, now));
  if (entered.length === 0) return;
  const records = (await tx.get(histories, key))?.value.records ?? [];
  const all = [...records, ...entered].sort((one, other) => one.at - other.at);
  await tx.put(histories, key, { records: all.slice(-MOST_RECORDS) });
}

function enteredStates(before: ContainerStatus | undefined, after: ContainerStatus, now: number): StateRecord[] {
  const { name, run, current, previous } = after;
  const seen = [before?.current, before?.previous];
  const isKnown = (state: ContainerState): boolean => seen.some((each) => isDeepStrictEqual(each, state));
  // A run may have ended and the next one begun between two looks at the engine.
  const ended = current.kind === 'Waiting' ? run : run - 1;
  const missed = previous?.kind === 'Terminated' && !isKnown(previous) ? [record(name, ended, previous, now)] : [];
  return isDeepStrictEqual(before?.current, current) ? missed : [...missed, record(name, run, current, now)];
}

function record(container: string, run: number, state: ContainerState, now: number): StateRecord {
  const { kind } = state;
  switch (kind) {
    case 'Waiting':
      return { container, run, kind, at: now, reason: state.reason };
    case 'Running':
      return { container, run, kind, at: state.startedAt };
    case 'Terminated':
      return { container, run, kind, at: state.finishedAt, reason: state.reason, exitCode: state.exitCode };
  }
}
