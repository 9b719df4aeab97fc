import { wallNow } from '../time/timers.ts';
import { redactText, redactUrl } from './redact.ts';
import {
  DetailStore,
  type GivenAnswer,
  type GivenDetails,
  type RequestDetails,
  type StoredDetails,
} from './request-details.ts';
import { isFailed, RequestFigures } from './request-figures.ts';

/** A request that was answered or dropped, or a message that was sent. Unredacted: code that shows an entry must redact it. */
export interface RequestEntry {
  /** Numbered from the start of the process. */
  readonly number: number;
  /** `inbound` is from a client to the jar, `outbound` from the jar to a receiver. */
  readonly direction: 'inbound' | 'outbound';
  /** When it was received or sent, in the jar's time and in system time. */
  readonly at: number;
  readonly systemAt: number;
  readonly service: string;
  readonly operation: string | undefined;
  readonly method: string;
  /** Path and query as sent; for a message, its address without the query. Must be redacted before it is shown. */
  readonly url: string;
  /** Absent if there was no response. */
  readonly status: number | undefined;
  readonly ms: number;
  readonly requestBytes: number | undefined;
  /** Known when the response has been sent, shortly after the entry was added. */
  answerBytes: number | undefined;
  readonly code: string | undefined;
  readonly reason: string | undefined;
  readonly fault: string | undefined;
  readonly caller: string | undefined;
  readonly requestId: string | undefined;
  readonly clientRequestId: string | undefined;
  readonly traceparent: string | undefined;
  readonly delivery: SentDelivery | undefined;
  /** The marker of a repetition that `POST /_jar/requests/{id}/send` has sent: the id of the original, and a unique word. */
  readonly repeats?: string | undefined;
  /** The place of headers and bodies; `RequestLog.details` reads them. */
  readonly details?: StoredDetails | 'dropped' | undefined;
}

export interface SentDelivery {
  /** The id of the first delivery in the message. */
  readonly id: string;
  readonly deliveries: number;
  readonly policy: string;
  readonly attempt: number;
  readonly outcome: string;
  /** In the jar's time; absent if there is no further attempt. */
  readonly nextAt: number | undefined;
}

/** Marks a repetition of a request, so that the list shows it as one. */
export const REPEATS_HEADER = 'cloudjar-repeats';

export type NewEntry = Omit<RequestEntry, 'number' | 'details'> & {
  readonly details?: (() => GivenDetails) | undefined;
};

/** The maximum number of entries, of their characters in total, and of the bytes of all details. */
export interface RequestLogBounds {
  readonly entries: number;
  readonly characters: number;
  readonly details: number;
}

export const REQUEST_LOG_BOUNDS: RequestLogBounds = {
  entries: 4096,
  characters: 4 * 1024 * 1024,
  details: 16 * 1024 * 1024,
};

/**
 * Keeping the details of a request takes up to a tenth of the time of a small read. A burst as long as the log is kept whole; of a longer
 * load, all failures and this many other requests, which takes less than one percent of a processor.
 */
const DETAILS_A_SECOND = 500;

const LONGEST_URL = 2048;
const LONGEST_REASON = 500;
const LONGEST_WORD = 200;
/** The approximate memory of an entry besides its text, in characters. */
const ENTRY_CHARACTERS = 400;

/**
 * The latest requests and deliveries of this process: telemetry in a bounded ring in memory, lost when the process ends. A reader holds
 * only its own position, so a slow reader costs nothing: entries overwritten before they were read are skipped for that reader.
 */
export class RequestLog {
  /** Distinguishes the entries of this process from those of others, which also start at 1. */
  readonly run: string = wallNow().toString(36);
  /** Counts of the last hour, which are not bound to the entries that are kept. */
  readonly figures = new RequestFigures();
  readonly #bounds: RequestLogBounds;
  readonly #entries: RequestEntry[] = [];
  readonly #watchers = new Set<() => void>();
  #first = 1;
  #next = 1;
  #characters = 0;
  readonly #details: DetailStore;
  /** How many requests may be kept with their details at once. */
  #turns: number;
  #turnsAt = 0;

  constructor(bounds: Partial<RequestLogBounds> = {}) {
    this.#bounds = { ...REQUEST_LOG_BOUNDS, ...bounds };
    this.#details = new DetailStore(this.#bounds.details);
    this.#turns = this.#bounds.entries;
  }

  /** The memory of all details. */
  get detailBytes(): number {
    return this.#details.bytes;
  }

  /** The number of the oldest stored entry. */
  get first(): number {
    return this.#first;
  }

  /** The number of the next entry. */
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
      repeats: shortWord(given.repeats),
      details: given.details && this.#keep(given.details, given),
    };
    if (number - this.#first === this.#bounds.entries) this.#forgetFirst();
    this.#entries[number % this.#bounds.entries] = entry;
    this.#next = number + 1;
    this.#characters += charactersOf(entry);
    this.figures.add(entry);
    while (this.#characters > this.#bounds.characters && this.#first < number) this.#forgetFirst();
    for (const notify of this.#watchers) notify();
    return entry;
  }

  /** Adds the response to an entry; `answer` is called only if its details are kept. */
  answered(entry: RequestEntry, bytes: number | undefined, answer: () => GivenAnswer): void {
    entry.answerBytes = bytes;
    if (typeof entry.details === 'object') this.#details.keepAnswer(entry.details, answer());
  }

  /** Headers and bodies of a request; `dropped` if newer ones have taken their place. */
  details({ details }: RequestEntry): RequestDetails | 'dropped' | undefined {
    return typeof details === 'object' ? (this.#details.read(details) ?? 'dropped') : details;
  }

  /** Calls `notify` after every new entry; returns a function that stops this. */
  watch(notify: () => void): () => void {
    this.#watchers.add(notify);
    return () => this.#watchers.delete(notify);
  }

  #keep(details: () => GivenDetails, entry: NewEntry): RequestEntry['details'] {
    if (!this.#hasTurn(entry.systemAt) && !isFailed(entry)) return 'dropped';
    return this.#details.keep(details()) ?? 'dropped';
  }

  #hasTurn(at: number): boolean {
    const passed = Math.max(0, at - this.#turnsAt);
    this.#turns = Math.min(this.#bounds.entries, this.#turns + (passed * DETAILS_A_SECOND) / 1000);
    this.#turnsAt = at;
    if (this.#turns < 1) return false;
    this.#turns -= 1;
    return true;
  }

  #forgetFirst(): void {
    const place = this.#first % this.#bounds.entries;
    const oldest = this.#entries[place];
    if (oldest) this.#characters -= charactersOf(oldest);
    this.#first += 1;
  }
}

/** Without `answerBytes`, which is set later: the same size must be added and subtracted. */
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

/** A substring keeps the whole string in memory; a copy does not. */
const cut = (text: string, length: number): string => Buffer.from(`${text.slice(0, length)}…`).toString();
