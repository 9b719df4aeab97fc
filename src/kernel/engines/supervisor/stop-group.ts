import { EVENT_TEXT, note } from '../events.ts';
import { KEPT_LOG_BYTES, KEPT_LOG_LINES } from '../kept-log.ts';
import { type ContainerStatus, type GroupStatus, STOPPED_BY_USER } from '../status.ts';
import type { ContainerEngine, SyncRequest } from '../types.ts';

const KILLED = 137;

/** Stops all containers, keeps the ends of their logs, and removes the group from the engine. Modifies the status in place. */
export async function stopGroup(
  engine: ContainerEngine,
  request: SyncRequest,
  status: GroupStatus,
  graceSeconds: number,
): Promise<void> {
  const { plan } = request;
  const members = [...status.init, ...status.containers];
  const observed = await engine.observe(plan.uid);
  await Promise.all(
    observed.containers
      .filter(({ phase }) => phase === 'running')
      .map(({ engineId }) => engine.stopContainer(engineId, graceSeconds)),
  );
  const ends = await engine.observe(plan.uid);
  for (const member of members) {
    const end = ends.containers.find(({ name, run }) => name === member.name && run === member.run);
    if (end) {
      const target = { uid: plan.uid, container: member.name, engineId: end.engineId };
      const options = { tail: KEPT_LOG_LINES, timestamps: false, maxBytes: KEPT_LOG_BYTES };
      await request.keepLog(member.name, await engine.logs(target, options));
    }
    const exitCode = end?.exitCode ?? KILLED;
    if (member.current.kind === 'Running')
      member.events = note(member.events, 'Killing', EVENT_TEXT.ended(member.name, exitCode), request.now());
    terminate(member, exitCode, request.now());
  }
  await engine.removeGroup(plan.uid);
  status.generation = request.generation;
  status.sandbox = 'absent';
  status.ip = undefined;
}

function terminate(member: ContainerStatus, exitCode: number, now: number): void {
  member.starting = undefined;
  member.retryAt = undefined;
  member.engineId = undefined;
  member.liveness = undefined;
  member.readiness = undefined;
  const { current } = member;
  if (current.kind === 'Terminated') return;
  if (current.kind === 'Running') member.previous = current;
  const startedAt = current.kind === 'Running' ? current.startedAt : undefined;
  member.current = {
    kind: 'Terminated',
    ...(startedAt !== undefined && { startedAt }),
    finishedAt: now,
    exitCode: current.kind === 'Running' ? exitCode : 0,
    reason: STOPPED_BY_USER,
  };
}
