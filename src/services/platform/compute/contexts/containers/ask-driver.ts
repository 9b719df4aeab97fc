import type { ContainerTarget, GroupEngine } from '../../../../../kernel/engines/index.ts';
import { isObject, parseJson } from '../../../../../kernel/values/index.ts';

/** A request to the driver of a context. */
export interface DriverRequest {
  /** `put` sends a part of a command, `run` sends the last part and waits for the result, `cancel` interrupts the command. */
  readonly do: 'put' | 'run' | 'cancel';
  /** Id of the command. A repeated request does not run the command again. */
  readonly id: string;
  /** Offset of the part in the command. */
  readonly at?: number;
  readonly text?: string;
}

/** The driver's reply is invalid: the user's code has broken the driver. */
export class DriverFault extends Error {
  override readonly name = 'DriverFault';
}

/** No reply: the container has ended, or the engine is gone. */
export class DriverGone extends Error {
  override readonly name = 'DriverGone';
}

/** Per request: a process argument may have at most 128 KiB, and some engines send it in a URL. */
const LARGEST_PIECE_CHARACTERS = 16 * 1024;
/** Tables and images are the largest replies; the driver keeps them below this. */
const LARGEST_REPLY_BYTES = 24 * 1024 * 1024;
const BEGIN = '::cloudjar::begin';
const END = '::cloudjar::end';
const UNREACHABLE = '::cloudjar::unreachable';

/** The requests that send a command and run it. */
export function requestsFor(id: string, command: string): readonly DriverRequest[] {
  const pieces: DriverRequest[] = [];
  let at = 0;
  do {
    const most = at + LARGEST_PIECE_CHARACTERS;
    // Does not split a surrogate pair.
    const end = (command.codePointAt(most - 1) ?? 0) > 0xffff ? most - 1 : most;
    pieces.push({ do: 'put', id, at, text: command.slice(at, end) });
    at = end;
  } while (at < command.length);
  return pieces.map((piece, index) => (index === pieces.length - 1 ? { ...piece, do: 'run' } : piece));
}

/** Sends one request to the driver, through a separate process in the driver's container. Waits until the command ends. */
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
    throw new DriverGone('the connection to the driver was lost', { cause: error });
  }
  return Buffer.concat(parts, size).toString('latin1');
}

function replyIn(written: string): Readonly<Record<string, unknown>> {
  const begin = written.indexOf(BEGIN);
  const end = written.lastIndexOf(END);
  if (begin < 0 && written.includes(UNREACHABLE)) throw new DriverFault('the interpreter cannot be reached any more');
  if (begin < 0 || end < begin) throw new DriverGone('the driver has not answered');
  const encoded = written.slice(begin + BEGIN.length, end).replace(/\s+/g, '');
  // The driver ended during the request.
  if (encoded === '') throw new DriverGone('the driver has ended');
  let reply: unknown;
  try {
    reply = parseJson(Buffer.from(encoded, 'base64'), { bytes: LARGEST_REPLY_BYTES });
  } catch (cause) {
    throw new DriverFault('the reply of the driver is not JSON', { cause });
  }
  if (!isObject(reply)) throw new DriverFault('the reply of the driver is not a result');
  return reply;
}
