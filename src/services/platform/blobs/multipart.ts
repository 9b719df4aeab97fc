import { errors } from '../errors.ts';

/** Parses `multipart/form-data` (RFC 7578) as a stream: only the latest chunk of a part is in memory. */

export interface FormPart {
  readonly name: string;
  readonly filename: string | undefined;
  /** Must be consumed before the next part is requested. */
  readonly bytes: AsyncIterable<Buffer>;
}

const HEAD_BYTES = 16 * 1024;
const LONGEST_BOUNDARY = 200;
const HEAD_END = Buffer.from('\r\n\r\n');

export function formBoundary(contentType: string): string | undefined {
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType)) return undefined;
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined || boundary.length > LONGEST_BOUNDARY) throw malformed('its content type has no boundary');
  return boundary;
}

export async function* formParts(body: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<FormPart> {
  const input = new Input(body);
  const opening = Buffer.from(`--${boundary}`);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // Text before the first boundary is ignored.
  for await (const _ of input.until(opening));
  for (;;) {
    const end = await input.take(2);
    if (end.toString('latin1') === '--') return;
    if (end.toString('latin1') !== '\r\n') throw malformed('a boundary is not followed by a line end');
    const head = await input.head();
    let isRead = false;
    const bytes = (async function* () {
      yield* input.until(delimiter);
      isRead = true;
    })();
    yield { ...nameOf(head), bytes };
    // Skips a part that was not consumed.
    if (!isRead) for await (const _ of bytes);
  }
}

function nameOf(head: string): Pick<FormPart, 'name' | 'filename'> {
  const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(head)?.[1] ?? '';
  const parameter = (name: string): string | undefined =>
    new RegExp(`(?:^|;)\\s*${name}="((?:[^"\\\\]|\\\\.)*)"`, 'i').exec(disposition)?.[1]?.replace(/\\(.)/g, '$1') ??
    new RegExp(`(?:^|;)\\s*${name}=([^\\s;"]+)`, 'i').exec(disposition)?.[1];
  const name = parameter('name');
  if (name === undefined) throw malformed('a part has no name');
  return { name, filename: parameter('filename') };
}

/** A stream that can be read up to a marker. */
class Input {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(body: AsyncIterable<Buffer>) {
    this.#chunks = body[Symbol.asyncIterator]();
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#chunks.next();
    if (done) throw malformed('it ends before its last boundary');
    this.#held = this.#held.length === 0 ? value : Buffer.concat([this.#held, value]);
  }

  async take(count: number): Promise<Buffer> {
    while (this.#held.length < count) await this.#more();
    const taken = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    return taken;
  }

  /** The header lines of a part. If there are none, this throws at once. */
  async head(): Promise<string> {
    while (this.#held.length < 2) await this.#more();
    if (this.#held.subarray(0, 2).toString('latin1') === '\r\n') throw malformed('a part has no name');
    for (;;) {
      const at = this.#held.indexOf(HEAD_END);
      if (at > HEAD_BYTES || (at < 0 && this.#held.length > HEAD_BYTES))
        throw malformed('the head of a part is too long');
      if (at >= 0) return (await this.take(at + HEAD_END.length)).toString('utf8');
      await this.#more();
    }
  }

  /** Yields all bytes before the marker, and skips the marker. */
  async *until(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(mark);
      if (at >= 0) {
        const last = this.#held.subarray(0, at);
        this.#held = this.#held.subarray(at + mark.length);
        if (last.length > 0) yield last;
        return;
      }
      // The marker may start at the end of the buffer.
      const sure = this.#held.length - mark.length + 1;
      if (sure > 0) {
        const part = this.#held.subarray(0, sure);
        this.#held = this.#held.subarray(sure);
        yield part;
      }
      await this.#more();
    }
  }
}

const malformed = (reason: string) =>
  errors.MALFORMED_REQUEST({ reason: `The form (multipart/form-data) cannot be read: ${reason}.` });
