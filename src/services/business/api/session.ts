import type { Reader, Tx } from '../../../kernel/store/index.ts';
import type { BusinessJar } from '../jar.ts';
import type { Api, Model } from '../model/types.ts';
import { recordChanges } from '../notify/record-changes.ts';
import { BusinessTx } from '../records/business-tx.ts';
import type { Company } from '../records/company.ts';
import type { Actor } from '../users/actor.ts';

/** Shared by requests of one caller to one API: where they read, and how they write. */
export interface Session {
  readonly jar: BusinessJar;
  readonly model: Model;
  readonly api: Api;
  readonly tenantId: string;
  readonly actor: Actor;
  /** The caller's token only reads, and sees no secrets. */
  readonly isReader: boolean;
  readonly now: number;
  /** `https://localhost:7443/api/v2.0`: the start of addresses in answers. */
  readonly base: string;
  readonly requestId: string;
  /** Id by which a client reports an error. */
  readonly correlationId: string;
  /** Time, by the jar's clock, at which the caller gets a timeout; writes after it are rolled back. */
  readonly deadline: number;
  /** The store, or the transaction that several requests share. */
  readonly reader: Reader;
  /** True if requests share a transaction: then only the store may be awaited. */
  readonly isShared: boolean;
  /** Runs `body` in its own transaction, or as part of the shared one. */
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

/** A session whose requests share one transaction. Call `end` after the last request, in the same transaction. */
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

/** Thrown inside a transaction to roll it back. */
export class DeadlinePassed extends Error {}
