/** The maximum that is kept of one body: bytes of a request, characters of an answer. */
export const LONGEST_BODY = 16 * 1024;

/** Why a body is not kept at all. */
export type BodyOmission = 'stream' | 'unread' | 'secret';

/** A body as it was, or its beginning. Unredacted: code that shows it must redact it. */
export interface Body<Content> {
  /** Absent if there is no body, or if it is not kept. */
  readonly content?: Content;
  /** Size of the whole body; undefined if it is not known. */
  readonly bytes?: number | undefined;
  readonly isCut?: boolean;
  readonly omitted?: BodyOmission;
}

export type GivenBody = Body<string | Buffer>;
export type KeptBody = Body<Buffer>;

export const NO_BODY: Body<never> = {};

interface Message<Content> {
  /** Names and values in turns; those of a request are empty if it could not be parsed. */
  readonly headers: readonly string[];
  readonly body: Body<Content>;
}

export type GivenAnswer = Message<string | Buffer>;
export type KeptAnswer = Message<Buffer>;

interface Facts {
  readonly secure: boolean;
  /** Whether the request asked for a WebSocket. */
  readonly isSocket: boolean;
  /** Whether the bodies contain secrets that no name reveals. */
  readonly hasSecretBodies: boolean;
}

export interface GivenDetails extends Facts, Message<string | Buffer> {
  /** Path and query as sent. */
  readonly url: string;
}

/** Headers and bodies of a request. Unredacted, like the entry that it belongs to. */
export interface RequestDetails extends Facts, Message<Buffer> {
  readonly url: string;
  /** Absent until the response has been sent, and if there was none. */
  readonly answer: KeptAnswer | undefined;
}

/** The place of details in the store. */
export interface StoredDetails extends Facts {
  readonly request: StoredMessage;
  answer: StoredMessage | undefined;
}

interface StoredMessage {
  readonly generation: number;
  readonly start: number;
  readonly headBytes: number;
  readonly contentBytes: number;
  readonly body: Body<never>;
}

const SEPARATOR = '\0';
const SEGMENT_BYTES = 1024 * 1024;
/** UTF-8 needs at most this many bytes for one unit of a string. */
const MOST_BYTES = 3;

/**
 * Headers and bodies as bytes in a few large buffers, which are used in turns: the oldest details make room for new ones. As texts on the
 * heap they would be copied by the garbage collector with every request, and let the heap grow by a hundred megabytes under load.
 */
export class DetailStore {
  readonly #segments: Buffer[] = [];
  readonly #count: number;
  readonly #segmentBytes: number;
  #generation = 0;
  #end = 0;

  constructor(bytes: number) {
    this.#count = Math.max(1, Math.floor(bytes / SEGMENT_BYTES));
    this.#segmentBytes = Math.min(bytes, SEGMENT_BYTES);
  }

  /** The memory in use. */
  get bytes(): number {
    return this.#segments.length * this.#segmentBytes;
  }

  /** Undefined if the store is too small. */
  keep({ url, headers, body, secure, isSocket, hasSecretBodies }: GivenDetails): StoredDetails | undefined {
    const head = headers.length === 0 ? url : url + SEPARATOR + headers.join(SEPARATOR);
    const request = this.#write(head, body);
    return request && { secure, isSocket, hasSecretBodies, request, answer: undefined };
  }

  /** Adds the response to a request. */
  keepAnswer(stored: StoredDetails, { headers, body }: GivenAnswer): void {
    stored.answer = this.#write(headers.join(SEPARATOR), body);
  }

  /** Undefined if the request, or its answer, has been overwritten. */
  read({ request, answer, ...facts }: StoredDetails): RequestDetails | undefined {
    const given = this.#read(request);
    const answered = answer && this.#read(answer);
    if (!given || (answer && !answered)) return undefined;
    const [url = '', ...headers] = given.head;
    return {
      ...facts,
      url,
      headers,
      body: given.body,
      answer: answered && { headers: answered.head, body: answered.body },
    };
  }

  #write(head: string, { content = '', ...body }: GivenBody): StoredMessage | undefined {
    const isCut = content.length > LONGEST_BODY;
    const length = isCut ? LONGEST_BODY : content.length;
    const most = head.length * MOST_BYTES + (typeof content === 'string' ? length * MOST_BYTES : length);
    const segment = this.#segmentFor(most);
    if (!segment) return undefined;
    const start = this.#end;
    const headBytes = segment.write(head, start);
    const contentStart = start + headBytes;
    const contentBytes =
      length === 0
        ? 0
        : typeof content === 'string'
          ? segment.write(isCut ? content.slice(0, LONGEST_BODY) : content, contentStart)
          : content.copy(segment, contentStart, 0, length);
    this.#end = contentStart + contentBytes;
    return {
      generation: this.#generation,
      start,
      headBytes,
      contentBytes,
      body: isCut ? { ...body, isCut } : body,
    };
  }

  #segmentFor(bytes: number): Buffer | undefined {
    if (bytes > this.#segmentBytes) return undefined;
    if (this.#end + bytes > this.#segmentBytes) {
      this.#generation += 1;
      this.#end = 0;
    }
    const place = this.#generation % this.#count;
    this.#segments[place] ??= Buffer.allocUnsafeSlow(this.#segmentBytes);
    return this.#segments[place];
  }

  #read({ generation, start, headBytes, contentBytes, body }: StoredMessage) {
    const segment = this.#segments[generation % this.#count];
    if (!segment || generation <= this.#generation - this.#count) return undefined;
    const contentStart = start + headBytes;
    const content = segment.subarray(contentStart, contentStart + contentBytes);
    const head = headBytes === 0 ? [] : segment.toString('utf8', start, contentStart).split(SEPARATOR);
    // A copy, because new details will overwrite the segment.
    return { head, body: contentBytes === 0 ? body : { ...body, content: Buffer.from(content) } };
  }
}
