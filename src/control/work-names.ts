import type { Json } from '../kernel/store/index.ts';
import { redactText } from '../kernel/telemetry/index.ts';
import type { Attempt, Ran } from '../kernel/work/index.ts';
import type { Controls } from './controls.ts';

/** What the kinds of due work declare about themselves, for lists that people read. */
export interface WorkNames {
  /** The kind, and its title if it has one; a kind of another release has none. */
  titled(kind: string): { kind: string; title?: string };
  /** What an item is about, if its kind declares that. Redacted, because the subject can be an address with parameters. */
  subject(item: { readonly kind: string; readonly payload: Json }): { subject?: string };
  recurs(kind: string): boolean;
  /** Whether payloads contain a secret. */
  hasSecret(kind: string): boolean;
}

export function workNames({ workKinds }: Pick<Controls, 'workKinds'>): WorkNames {
  return {
    titled(kind) {
      const title = workKinds.get(kind)?.title;
      return { kind, ...(title !== undefined && { title }) };
    },
    subject({ kind, payload }) {
      const subject = workKinds.get(kind)?.subjectOf(payload);
      return subject === undefined ? {} : { subject: redactText(subject) };
    },
    recurs: (kind) => workKinds.get(kind)?.recurs === true,
    hasSecret: (kind) => workKinds.get(kind)?.hasSecret === true,
  };
}

export const ATTEMPTS = ['completed', 'retried', 'parked', 'lost', 'unknown'] as const satisfies readonly Attempt[];

const FAILED: ReadonlySet<Attempt> = new Set(['retried', 'parked']);

/** Counts what runs by kind, and keeps the first items: an advance can run millions. */
export class RanTally {
  readonly first: Ran[] = [];
  total = 0;
  readonly #most: number;
  readonly #byKind = new Map<string, { kind: string; count: number; failed: number }>();

  constructor(most: number) {
    this.#most = most;
  }

  /** The most frequent kinds first. */
  get counts(): readonly { readonly kind: string; readonly count: number; readonly failed: number }[] {
    return [...this.#byKind.values()].sort((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1));
  }

  add(ran: Ran): void {
    this.total += 1;
    if (this.first.length < this.#most) this.first.push(ran);
    const of = this.#byKind.get(ran.kind) ?? { kind: ran.kind, count: 0, failed: 0 };
    of.count += 1;
    if (FAILED.has(ran.outcome)) of.failed += 1;
    this.#byKind.set(ran.kind, of);
  }
}
