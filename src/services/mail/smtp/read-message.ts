import { GrowingBytes, type Lease, type MemoryBudget } from '../../../kernel/http/index.ts';
import { after, every } from '../../../kernel/time/index.ts';
import { ContentReader, type Flaw } from './content-reader.ts';
import type { SmtpLimits } from './limits.ts';
import { Goodbye, type Reply, reply } from './reply.ts';
import type { Wire } from './wire.ts';

/** A message that was received to its end. */
export type ReadMessage =
  | { readonly raw: Buffer; readonly refusal?: undefined; readonly release: () => void }
  | { readonly refusal: Reply };

const FLAWS: Readonly<Record<Flaw, Reply>> = {
  'bare-lf': reply(550, '5.6.0', 'The message has a bare LF; every line must end with CR LF'),
  'bare-cr': reply(550, '5.6.0', 'The message has a bare CR; every line must end with CR LF'),
  'long-line': reply(550, '5.6.0', 'A line of the message is too long'),
};
const NO_ROOM = reply(452, '4.3.1', 'Too much mail at once, try again later');

/** A rejected message is still read to its end, so that the client gets the reason, but only up to this multiple of the limit. */
const PATIENCE = 2;

/** Reads the content after DATA; undefined if the client disconnects before the end. The content of a rejected message is discarded. */
export async function readMessage(
  wire: Wire,
  limits: SmtpLimits,
  memory: MemoryBudget,
): Promise<ReadMessage | undefined> {
  const content = new Content(limits, memory);
  const reader = new ContentReader(limits.textLineBytes, (piece) => content.add(piece));
  let received = 0;
  let receivedBefore = 0;
  const cancel = after(limits.messageMs, () =>
    wire.interrupt(new Goodbye(421, '4.4.2', `The message was not complete within ${limits.messageMs / 1000} s`)),
  );
  const stop = every(limits.progressMs, () => {
    if (received - receivedBefore < limits.progressBytes) {
      wire.interrupt(new Goodbye(421, '4.4.2', 'The message arrives too slowly'));
    }
    receivedBefore = received;
  });
  let isWhole = false;
  try {
    for (;;) {
      const piece = await wire.read();
      if (piece === undefined) return undefined;
      const end = reader.add(piece);
      received += end ?? piece.length;
      if (reader.flaw !== undefined) content.refuse(FLAWS[reader.flaw]);
      if (end !== undefined) {
        wire.unread(piece.subarray(end));
        break;
      }
      if (received > limits.messageBytes * PATIENCE) {
        throw new Goodbye(552, '5.3.4', `A message has ${limits.messageBytes} bytes at most`);
      }
    }
    const { refusal } = content;
    if (refusal) return { refusal };
    isWhole = true;
    return { raw: content.whole(), release: content.release };
  } finally {
    cancel();
    stop();
    if (!isWhole) content.release();
  }
}

/** The bytes of one message, within the limits and the memory budget shared by all messages. */
class Content {
  readonly #limits: SmtpLimits;
  readonly #memory: MemoryBudget;
  #bytes = new GrowingBytes();
  #length = 0;
  #lease: Lease | undefined;
  refusal: Reply | undefined;

  constructor(limits: SmtpLimits, memory: MemoryBudget) {
    this.#limits = limits;
    this.#memory = memory;
  }

  add(piece: Buffer): void {
    if (this.refusal) return;
    const length = this.#length + piece.length;
    if (length > this.#limits.messageBytes) {
      this.refuse(reply(552, '5.3.4', `A message has ${this.#limits.messageBytes} bytes at most`));
    } else if (!this.#hasRoom(length)) {
      this.refuse(NO_ROOM);
    } else {
      this.#bytes.add(piece);
      this.#length = length;
    }
  }

  whole(): Buffer {
    return this.#bytes.whole();
  }

  /** Keeps the first reason. */
  refuse(refusal: Reply): void {
    this.refusal ??= refusal;
    this.#bytes = new GrowingBytes();
    this.release();
  }

  readonly release = (): void => {
    this.#lease?.release();
    this.#lease = undefined;
  };

  /** Small messages are not counted: the connection limit bounds them. */
  #hasRoom(length: number): boolean {
    if (length <= this.#memory.countsAbove) return true;
    if (this.#lease) return this.#lease.grow(length - this.#length);
    this.#lease = this.#memory.lease(length);
    return this.#lease?.grow(length) ?? false;
  }
}
