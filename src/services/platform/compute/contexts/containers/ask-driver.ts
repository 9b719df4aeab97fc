import type { ContainerTarget, GroupEngine } from '../../../../../kernel/engines/index.ts';
import { isObject, parseJson } from '../../../../../kernel/values/index.ts';

/** What the driver of a context is asked for. */
export interface DriverRequest {
  /** `put` brings a piece of a command, `run` the last one and waits for the result, `cancel` interrupts the command. */
  readonly do: 'put' | 'run' | 'cancel';
  /** Of the command. Asked for again, a command is not run again. */
  readonly id: string;
  /** Where in the command the piece begins. */
  readonly at?: number;
  readonly text?: string;
}

/** The driver has answered nonsense: the user's code has broken it. */
export class DriverFault extends Error {
  override readonly name = 'DriverFault';
}

/** Nothing came back: the container has ended, or the engine went away. */
export class DriverGone extends Error {
  override readonly name = 'DriverGone';
}

/** Of a request: an argument of a process has at most 128 KiB, and on some engines it travels in an address. */
const LARGEST_PIECE_CHARACTERS = 16 * 1024;
/** Tables and images are the largest; the driver keeps them below. */
const LARGEST_REPLY_BYTES = 24 * 1024 * 1024;
const BEGIN = '::cloudjar::begin';
const END = '::cloudjar::end';
const UNREACHABLE = '::cloudjar::unreachable';

/** The requests that bring a command and run it. */
export function requestsFor(id: string, command: string): readonly DriverRequest[] {
  const pieces: DriverRequest[] = [];
  let at = 0;
  do {
    const most = at + LARGEST_PIECE_CHARACTERS;
    // Not within a character that takes two units.
    const end = (command.codePointAt(most - 1) ?? 0) > 0xffff ? most - 1 : most;
    pieces.push({ do: 'put', id, at, text: command.slice(at, end) });
    at = end;
  } while (at < command.length);
  return pieces.map((piece, index) => (index === pieces.length - 1 ? { ...piece, do: 'run' } : piece));
}

/** One request to the driver, by a process of its own in the driver's container. Waits for as long as the command takes. */
export async function askDriver(
  engine: GroupEngine,
  target: ContainerTarget,
  request: DriverRequest,
  halt: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const encoded = Buffer.from(JSON.stringify(request)).toString('base64');
  const { stream } = await engine.exec(target, {
    command: ['python3', '/cloudjar/cloudjar_ask.py', encoded],
    rows: 24,
    cols: 1000,
  });
  const stop = (): void => void stream.destroy();
  halt.addEventListener('abort', stop);
  if (halt.aborted) stop();
  try {
    return replyIn(await collect(stream));
  } finally {
    halt.removeEventListener('abort', stop);
    stream.destroy();
  }
}

async function collect(stream: AsyncIterable<Buffer | string>): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of stream) {
      const bytes = Buffer.from(part);
      size += bytes.length;
      if (size > LARGEST_REPLY_BYTES) throw new DriverFault('the result is too large');
      parts.push(bytes);
    }
  } catch (error) {
    if (error instanceof DriverFault) throw error;
    throw new DriverGone('the connection to the driver broke', { cause: error });
  }
  return Buffer.concat(parts, size).toString('latin1');
}

function replyIn(written: string): Readonly<Record<string, unknown>> {
  const begin = written.indexOf(BEGIN);
  const end = written.lastIndexOf(END);
  if (begin < 0 && written.includes(UNREACHABLE)) throw new DriverFault('the interpreter cannot be reached any more');
  if (begin < 0 || end < begin) throw new DriverGone('the driver has not answered');
  const encoded = written.slice(begin + BEGIN.length, end).replace(/\s+/g, '');
  // The driver ended while it was asked.
  if (encoded === '') throw new DriverGone('the driver has ended');
  let reply: unknown;
  try {
    reply = parseJson(Buffer.from(encoded, 'base64'), { bytes: LARGEST_REPLY_BYTES });
  } catch (cause) {
    throw new DriverFault('the driver has answered something that is no JSON', { cause });
  }
  if (!isObject(reply)) throw new DriverFault('the driver has answered something that is no result');
  return reply;
}
