import { readFile } from 'node:fs/promises';
import type { EngineClient } from './client.ts';
import type { EngineFacts } from './engine-facts.ts';

export interface ExecState {
  readonly Running: boolean;
  readonly ExitCode: number | null;
  /** By the count of the engine's machine. */
  readonly Pid?: number;
}

export const execState = (client: EngineClient, execId: string): Promise<ExecState> =>
  client.json('GET', `/exec/${execId}/json`);

/** Ends a process that was started in a container. Engines have no call for it; where it is one of this machine's it can be done from here. */
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
