import type { Store } from '../store/types.ts';
import { every } from '../time/timers.ts';
import type { DeliveryEngine } from './index.ts';
import type { DeliveryEnd, DeliveryPolicy } from './policy.ts';
import type { NewDelivery } from './queue.ts';
import { deliveries } from './records.ts';

/** How often to check whether another node has sent the question. Real time. */
const LOOK_EVERY_MS = 250;

type Told = (end: DeliveryEnd) => void;

/**
 * Deliveries whose end a request waits for, for example a handshake with a receiver. A question is an ordinary delivery: it is listed,
 * fault rules apply to it, and the outbound guard decides whether it may be sent.
 */
export class Questions {
  /** Requests that wait on this node, by destination of the question. */
  readonly #waiting = new Map<string, Told>();

  /** `told` is called when the question to this destination ends on this node. Call the returned function to stop waiting. */
  wait(destination: string, told: Told): () => void {
    this.#waiting.set(destination, told);
    return () => this.#waiting.delete(destination);
  }

  end(destination: string, end: DeliveryEnd): void {
    this.#waiting.get(destination)?.(end);
  }
}

/** The common part of all question policies: one attempt, whose outcome is passed to the waiting request. */
export const questionPolicy: Pick<
  DeliveryPolicy<{ readonly questions: Questions }>,
  'schedule' | 'maxAttempts' | 'ended'
> = {
  schedule: [0],
  maxAttempts: 1,
  async ended(tx, ended, end, { questions }) {
    for (const { destination } of ended) tx.afterCommit(() => questions.end(destination, end));
    return undefined;
  },
};

export interface QuestionEnd {
  readonly agreed: boolean;
  readonly rule: string;
}

interface AskingJar {
  readonly store: Store;
  readonly delivery: Pick<DeliveryEngine, 'enqueue'>;
  readonly questions: Questions;
  /** Aborted when the jar closes. */
  readonly closing: AbortSignal;
}

export interface AskOptions {
  /** Creates the error for a request that is waiting when the jar closes. */
  closing(): Error;
  /** Further reasons to stop waiting: each function gets a callback that ends the wait, and returns its own clean-up. */
  readonly ends?: readonly ((end: (error: Error) => void) => () => void)[];
}

/** Sends a question and waits for its end, on whichever node it is sent. Its destination must be unique. */
export async function ask(
  { store, delivery, questions, closing }: AskingJar,
  question: NewDelivery,
  options: AskOptions,
): Promise<QuestionEnd> {
  const ended = Promise.withResolvers<QuestionEnd>();
  // If the question cannot be queued, nothing awaits the promise.
  ended.promise.catch(() => {});
  const told: Told = ({ cause, rule }) => ended.resolve({ agreed: cause === 'delivered', rule });
  const stops = [
    questions.wait(question.destination, told),
    onAbort(closing, () => ended.reject(options.closing())),
    ...(options.ends ?? []).map((end) => end(ended.reject)),
  ];
  try {
    const id = await store.transact((tx) => delivery.enqueue(tx, question));
    const look = (): void => void lookUp(store, id).then((end) => end && ended.resolve(end), ended.reject);
    stops.push(every(LOOK_EVERY_MS, look));
    return await ended.promise;
  } finally {
    for (const stop of stops) stop();
  }
}

/** The end of a question sent by any node; undefined while it is queued. */
async function lookUp(store: Store, id: string): Promise<QuestionEnd | undefined> {
  const record = (await store.get(deliveries, id))?.value;
  if (!record) return { agreed: false, rule: 'the request was cancelled' };
  if (record.state === 'queued') return undefined;
  return { agreed: record.cause === 'delivered', rule: record.rule ?? record.state };
}

function onAbort(signal: AbortSignal, then: () => void): () => void {
  if (signal.aborted) then();
  else signal.addEventListener('abort', then, { once: true });
  return () => signal.removeEventListener('abort', then);
}

/** Appends a parameter to the query of a URL and removes the fragment. */
export function withParameter(address: string, name: string, value: string): string {
  const hash = address.indexOf('#');
  const url = hash < 0 ? address : address.slice(0, hash);
  const joint = !url.includes('?') ? '?' : /(?:^[^?]*\?|&)$/.test(url) ? '' : '&';
  return `${url}${joint}${name}=${encodeURIComponent(value)}`;
}

/** Removes the parts of a URL that may be secret. User name and password can be written in several ways, so the URL is also parsed. */
export function withoutSecrets(address: string): string {
  const shown = address.replace(/[?#].*$/s, '');
  const parsed = URL.parse(address);
  if (!parsed || (parsed.username === '' && parsed.password === '')) return shown;
  return parsed.origin + parsed.pathname;
}
