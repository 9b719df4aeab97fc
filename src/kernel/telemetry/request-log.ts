import { wallNow } from '../time/timers.ts';
import { redactText, redactUrl } from './redact.ts';

/** One request that was answered or dropped, or one message that was sent. What others may see is made of it by whoever shows it. */
export interface RequestEntry {
  /** Counted from the start of the process. */
  readonly number: number;
  /** Of a client to the jar, or of the jar to a receiver. */
  readonly direction: 'inbound' | 'outbound';
  /** When it came in or went out, by the jar's clock and by the system's. */
  readonly at: number;
  readonly systemAt: number;
  readonly service: string;
  readonly operation: string | undefined;
  readonly method: string;
  /** Path and query as they were sent; of a message its address without the query. Has to be redacted before it is shown. */
  readonly url: string;
  /** Absent where there was no answer. */
  readonly status: number | undefined;
  readonly ms: number;
  readonly requestBytes: number | undefined;
  /** Known when the answer has gone out, right after the entry was made. */
  answerBytes: number | undefined;
  readonly code: string | undefined;
  readonly reason: string | undefined;
  readonly fault: string | undefined;
  readonly caller: string | undefined;
  readonly requestId: string | undefined;
  readonly clientRequestId: string | undefined;
  readonly traceparent: string | undefined;
  readonly delivery: SentDelivery | undefined;
}

export interface SentDelivery {
  /** The first of the message. */
  readonly id: string;
  readonly deliveries: number;
  readonly policy: string;
  readonly attempt: number;
  readonly outcome: string;
  /** By the jar's clock; absent where there is no further attempt. */
  readonly nextAt: number | undefined;
}

export type NewEntry = Omit<RequestEntry, 'number'>;

/** How many entries are kept, and how many characters they may have together. */
export interface RequestLogBounds {
  readonly entries: number;
  readonly characters: number;
}

export const REQUEST_LOG_BOUNDS: RequestLogBounds = { entries: 4096, characters: 4 * 1024 * 1024 };

const LONGEST_URL = 2048;
const LONGEST_REASON = 500;
const LONGEST_WORD = 200;
/** What an entry takes in memory besides its text. */
const ENTRY_CHARACTERS = 400;

/**
 * The most recent requests and deliveries of this process: telemetry in memory, bounded, gone at its end. A reader has a place of its own in
 * it and nothing else, so that one who reads slowly costs nothing: what is overwritten before it was read is dropped for that reader.
 */
export class RequestLog {
  /** Tells the entries of this process from those of others, which count from 1, too. */
  readonly run: string = wallNow().toString(36);
  readonly #bounds: RequestLogBounds;
  readonly #entries: RequestEntry[] = [];
  readonly #watchers = new Set<() => void>();
  #first = 1;
  #next = 1;
  #characters = 0;

  constructor(bounds: RequestLogBounds = REQUEST_LOG_BOUNDS) {
    this.#bounds = bounds;
  }

  /** The number of the oldest entry that is kept. */
  get first(): number {
    return this.#first;
  }

  /** The number that the next entry will get. */
  get next(): number {
    return this.#next;
  }

  entry(number: number): RequestEntry | undefined {
    return number >= this.#first && number < this.#next ? this.#entries[number % this.#bounds.entries] : undefined;
  }

  add(given: NewEntry): RequestEntry {
    const number = this.#next;
    const entry: RequestEntry = {
      number,
      direction: given.direction,
      at: given.at,
      systemAt: given.systemAt,
      service: given.service,
      operation: given.operation,
      method: given.method,
      url: given.url.length > LONGEST_URL ? cut(redactUrl(given.url), LONGEST_URL) : given.url,
      status: given.status,
      ms: given.ms,
      requestBytes: given.requestBytes,
      answerBytes: given.answerBytes,
      code: shortWord(given.code),
      reason:
        given.reason && given.reason.length > LONGEST_REASON
          ? cut(redactText(given.reason), LONGEST_REASON)
          : given.reason,
      fault: given.fault,
      caller: shortWord(given.caller),
      requestId: given.requestId,
      clientRequestId: shortWord(given.clientRequestId),
      traceparent: shortWord(given.traceparent),
      delivery: given.delivery,
    };
    if (number - this.#first === this.#bounds.entries) this.#forgetFirst();
    this.#entries[number % this.#bounds.entries] = entry;
    this.#next = number + 1;
    this.#characters += charactersOf(entry);
    while (this.#characters > this.#bounds.characters && this.#first < number) this.#forgetFirst();
    for (const notify of this.#watchers) notify();
    return entry;
  }

  /** Calls `notify` whenever an entry was added, until the function that it gives is called. */
  watch(notify: () => void): () => void {
    this.#watchers.add(notify);
    return () => this.#watchers.delete(notify);
  }

  #forgetFirst(): void {
    const place = this.#first % this.#bounds.entries;
    const oldest = this.#entries[place];
    if (oldest) this.#characters -= charactersOf(oldest);
    this.#first += 1;
  }
}

/** Without `answerBytes`, which is set later: what is added and what is taken off must be the same. */
function charactersOf({ url, code, reason, caller, clientRequestId, traceparent, delivery }: RequestEntry): number {
  return (
    ENTRY_CHARACTERS +
    url.length +
    (code?.length ?? 0) +
    (reason?.length ?? 0) +
    (caller?.length ?? 0) +
    (clientRequestId?.length ?? 0) +
    (traceparent?.length ?? 0) +
    (delivery?.policy.length ?? 0)
  );
}

function shortWord(text: string | undefined): string | undefined {
  return text === undefined || text.length <= LONGEST_WORD ? text : cut(text, LONGEST_WORD);
}

/** A part of a string keeps all of it in memory; a copy of the part does not. */
const cut = (text: string, length: number): string => Buffer.from(`${text.slice(0, length)}…`).toString();
