import { Duplex, PassThrough, pipeline } from 'node:stream';
import type { ExecOptions, Terminal } from '../types.ts';
import { type EngineClient, EngineError } from './client.ts';
import type { EngineFacts } from './engine-facts.ts';
import { type ExecState, execState, signalExec } from './exec-process.ts';
import { unwrapped } from './frames.ts';

/** One more process in a container, on a terminal of its own. */
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
  // As on a terminal whose line is cut: what still runs hears of it.
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

/** The output of a container from now on. Its process was started without an input, as others would have it, so that there is none to write to. */
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

/** A process that is over has no terminal to be resized. */
function unlessOver(error: unknown): void {
  if (!(error instanceof EngineError)) throw error;
}
