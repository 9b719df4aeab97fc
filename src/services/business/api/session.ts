import type { Reader, Tx } from '../../../kernel/store/index.ts';
import type { BusinessJar } from '../jar.ts';
import type { Api, Model } from '../model/types.ts';
import { recordChanges } from '../notify/record-changes.ts';
import { BusinessTx } from '../records/business-tx.ts';
import type { Company } from '../records/company.ts';
import type { Actor } from '../users/actor.ts';

/** What requests have in common that come from one caller to one API: where they read, and how they write. */
export interface Session {
  readonly jar: BusinessJar;
  readonly model: Model;
  readonly api: Api;
  readonly tenantId: string;
  readonly actor: Actor;
  readonly now: number;
  /** `https://localhost:7443/api/v2.0`: what the addresses in answers begin with. */
  readonly base: string;
  readonly requestId: string;
  /** What errors tell a client to look for. */
  readonly correlationId: string;
  /** By the jar's clock, when the caller is told that it took too long; what is written later is taken back. */
  readonly deadline: number;
  /** The store; inside a transaction of several requests, that transaction. */
  readonly reader: Reader;
  /** Whether requests share a transaction: then nothing may be waited for but the store. */
  readonly isShared: boolean;
  /** Runs `body` in a transaction of its own, or as a part of the one that requests share. */
  write<R>(company: Company, body: (books: BusinessTx) => Promise<R>): Promise<R>;
}

export type SessionOptions = Omit<Session, 'reader' | 'isShared' | 'write'>;

export function openSession(options: SessionOptions): Session {
  const { store } = options.jar;
  return {
    ...options,
    reader: store,
    isShared: false,
    write: (company, body) =>
      store.transact(async (tx) => {
        const books = new BusinessTx({ ...options, tx, company });
        const result = await body(books);
        await finish(options, books);
        return result;
      }),
  };
}

/** A session whose requests are one transaction. `end` comes after the last of them, in the same transaction. */
export function sharedSession(options: SessionOptions, tx: Tx): { session: Session; end(): Promise<void> } {
  const open = new Map<string, BusinessTx>();
  const session: Session = {
    ...options,
    reader: tx,
    isShared: true,
    async write(company, body) {
      const books = open.get(company.key) ?? new BusinessTx({ ...options, tx, company });
      open.set(company.key, books);
      const result = await body(books);
      await books.settle();
      return result;
    },
  };
  const end = async (): Promise<void> => {
    for (const books of open.values()) await finish(options, books);
  };
  return { session, end };
}

async function finish({ jar, deadline }: SessionOptions, books: BusinessTx): Promise<void> {
  await books.settle();
  await recordChanges(books);
  if (jar.clock.now() >= deadline) throw new DeadlinePassed();
}

/** Thrown inside a transaction, so that nothing of it remains. */
export class DeadlinePassed extends Error {}
