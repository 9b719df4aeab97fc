import { Duplex, PassThrough, pipeline } from 'node:stream';
import type { ExecOptions, Terminal } from '../types.ts';
import { type EngineClient, EngineError } from './client.ts';
import type { EngineFacts } from './engine-facts.ts';
import { type ExecState, execState, signalExec } from './exec-process.ts';
import { unwrapped } from './frames.ts';

/** Starts another process in a container, on its own terminal. */
export async function openExec(
  client: EngineClient,
  facts: EngineFacts,
  engineId: string,
  { command, rows, cols }: ExecOptions,
): Promise<Terminal> {
  const { Id } = await client.json<{ Id: string }>('POST', `/containers/${engineId}/exec`, {
    body: { AttachStdin: true, AttachStdout: true, AttachStderr: true, Tty: true, Cmd: command },
  });
  const stream = await client.hijack(`/exec/${Id}/start`, { body: { Detach: false, Tty: true } });
  const resize = async (h: number, w: number): Promise<void> => {
    await client.text('POST', `/exec/${Id}/resize`, { query: { h, w } }).catch(unlessOver);
  };
  // As if a terminal hung up: a process that still runs gets SIGHUP.
  stream.once('close', () => void signalExec(client, facts, { engineId, execId: Id }, 'SIGHUP').catch(() => {}));
  await resize(rows, cols);
  return {
    stream,
    resize,
    async exitCode() {
      const { ExitCode, Running } = await execState(client, Id);
      return Running || ExitCode === null ? undefined : ExitCode;
    },
  };
}

/** The output of a container from now on. As in the real service, the process was started without stdin, so input is discarded. */
export async function openAttach(client: EngineClient, engineId: string): Promise<Terminal> {
  const wrapped = await client.hijack(`/containers/${engineId}/attach`, {
    query: { stream: true, stdin: false, stdout: true, stderr: true },
  });
  const output = new PassThrough();
  pipeline(wrapped, unwrapped(), output, () => output.end());
  const input = new PassThrough().resume();
  const stream = Duplex.from({ readable: output, writable: input });
  stream.once('close', () => wrapped.destroy());
  return {
    stream,
    resize: () => Promise.resolve(),
    async exitCode() {
      const { State } = await client.json<{ State: ExecState }>('GET', `/containers/${engineId}/json`);
      return State.Running || State.ExitCode === null ? undefined : State.ExitCode;
    },
  };
}

/** Ignores a rejected resize: the process has ended. */
function unlessOver(error: unknown): void {
  if (!(error instanceof EngineError)) throw error;
}
