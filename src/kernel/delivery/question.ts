import type { Store } from '../store/types.ts';
import { every } from '../time/timers.ts';
import type { DeliveryEngine } from './index.ts';
import type { DeliveryEnd, DeliveryPolicy } from './policy.ts';
import type { NewDelivery } from './queue.ts';
import { deliveries } from './records.ts';

/** How often to look whether another node has sent it. Real time. */
const LOOK_EVERY_MS = 250;

type Told = (end: DeliveryEnd) => void;

/**
 * Deliveries whose end a request waits for: a handshake with a receiver. The question is a delivery like any other: it can be looked up, faults
 * strike it, and the guard decides whether it may be sent at all.
 */
export class Questions {
  /** Requests on this node, by the destinations of their questions. */
  readonly #waiting = new Map<string, Told>();

  /** `told` is called when the question to this destination has ended on this node, unless the returned function is called before. */
  wait(destination: string, told: Told): () => void {
    this.#waiting.set(destination, told);
    return () => this.#waiting.delete(destination);
  }

  end(destination: string, end: DeliveryEnd): void {
    this.#waiting.get(destination)?.(end);
  }
}

/** What a policy of questions has besides its schedule and its verdict: one attempt, whose outcome is handed to the waiting request. */
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
  /** The error of a request that waits while the jar closes. */
  closing(): Error;
  /** Other reasons to wait no longer: each is given what ends the waiting, and gives what stops it. */
  readonly ends?: readonly ((end: (error: Error) => void) => () => void)[];
}

/** Sends a question and waits for its end, wherever it is sent from. Its destination has to be its own. */
export async function ask(
  { store, delivery, questions, closing }: AskingJar,
  question: NewDelivery,
  options: AskOptions,
): Promise<QuestionEnd> {
  const ended = Promise.withResolvers<QuestionEnd>();
  // Where the question cannot even be queued nobody waits for its end.
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

/** What became of it, wherever it was sent; undefined while it is under way. */
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

/** The address with one more parameter behind what its query has already, and without its fragment. */
export function withParameter(address: string, name: string, value: string): string {
  const hash = address.indexOf('#');
  const url = hash < 0 ? address : address.slice(0, hash);
  const joint = !url.includes('?') ? '?' : /(?:^[^?]*\?|&)$/.test(url) ? '' : '&';
  return `${url}${joint}${name}=${encodeURIComponent(value)}`;
}

/** The address without what may be secret in it; a name and a password can be written in more ways than one. */
export function withoutSecrets(address: string): string {
  const shown = address.replace(/[?#].*$/s, '');
  const parsed = URL.parse(address);
  if (!parsed || (parsed.username === '' && parsed.password === '')) return shown;
  return parsed.origin + parsed.pathname;
}
