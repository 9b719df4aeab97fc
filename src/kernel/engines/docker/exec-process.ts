import { readFile } from 'node:fs/promises';
import type { EngineClient } from './client.ts';
import type { EngineFacts } from './engine-facts.ts';

export interface ExecState {
  readonly Running: boolean;
  readonly ExitCode: number | null;
  /** Process id on the engine's machine. */
  readonly Pid?: number;
}

export const execState = (client: EngineClient, execId: string): Promise<ExecState> =>
  client.json('GET', `/exec/${execId}/json`);

/** Kills a process that was started in a container. Engines have no call for this, so it works only if the process runs on this machine. */
export async function signalExec(
  client: EngineClient,
  facts: EngineFacts,
  { engineId, execId }: { readonly engineId: string; readonly execId: string },
  signal: 'SIGHUP' | 'SIGKILL',
): Promise<void> {
  if (!(await facts.details()).reachesContainers) return;
  const { Running, Pid } = await execState(client, execId);
  if (!Running || !Pid) return;
  const groups = await readFile(`/proc/${Pid}/cgroup`, 'utf8');
  if (groups.includes(engineId)) process.kill(Pid, signal);
}
