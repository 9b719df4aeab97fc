/**
 * The store's contract. Two engines implement it (SQLite and PostgreSQL) and one test suite holds both to it.
 *
 * A document lives in a collection under a string key. A collection declares the fields that can be filtered and ordered by;
 * the engine keeps them in columns of their own, taken from the document by `of` at every write, so that both engines
 * compare the same values in the same way (text by its bytes, numbers as doubles).
 */

import type { Json, JsonList, JsonMembers } from '../values/json.ts';
import type { Asker } from './askers.ts';
import type { FunctionName } from './functions.ts';
import type { SecretsIn } from './secrets.ts';
import type { TableReads, TableWrites } from './typed/types.ts';

export type { Json, JsonList, JsonMembers };

export type Scalar = string | number | boolean;

/** `set` is a field with many text values (tags, event types): it can be asked with `has`, not ordered by. */
export type FieldType = 'text' | 'number' | 'boolean' | 'set';
export type ScalarType = Exclude<FieldType, 'set'>;

export interface Field<T> {
  readonly type: FieldType;
  of(document: T): Scalar | null | undefined | readonly string[];
}

/** Several texts (of recipients, say) are kept apart: a phrase is found within one of them, never across two. */
export type SearchTexts = string | readonly string[] | null | undefined;

/**
 * Full text of a collection's documents, asked for by `matches`. Words are compared without regard to case and accents (`search/words.ts`). Of a
 * document, up to 16,000 words are indexed, in the order of the parts: name short parts first.
 */
export interface Search<T> {
  /** What can be searched by itself, such as `subject` and `body`; 26 at most. */
  readonly parts: readonly string[];
  /** A text field: every search is within one of its values, and reads nothing of other values. Documents without a value are not found. */
  readonly within: string | undefined;
  /** The texts of a document by part. */
  of(document: T): Readonly<Record<string, SearchTexts>>;
}

export interface Collection<T> {
  /** `service.things`: lower case letters, digits, dots and underscores. */
  readonly name: string;
  readonly fields: Readonly<Record<string, Field<T>>>;
  /** Each index is a list of field names; the key is always its last column, so that an ordered list pages by it. */
  readonly indexes: readonly (readonly string[])[];
  readonly search: Search<T> | undefined;
  /** Small and read by nearly every request: kept in memory by `store.cached`, dropped there when it changes on any node. */
  readonly cached: boolean;
  /** Survives `wipe`: signing keys and other things that are the jar's own rather than its users'. */
  readonly permanent: boolean;
  /**
   * Documents of a kilobyte and more are the rule. SQLite keeps a quarter of a page of a row beside its key and the rest on a page of its
   * own; rows of a wide collection stay in one piece, and their keys are in an index.
   */
  readonly wide: boolean;
  /** What its documents keep secret beside sealed values; see `SecretsIn`. */
  readonly secrets: SecretsIn<T, unknown> | undefined;
  /** Of the documents that this release writes; 1 unless declared. */
  readonly version: number;
  /** Releases that know this version, or a later one, can read what this release writes. */
  readonly readableBy: number;
  /** The first release that knows `readableBy`: earlier ones may not use the store. Undefined where every release may. */
  readonly oldestRelease: string | undefined;
  /** Makes a document of an earlier version one of this version. Called by `readDocument` alone, which gives the result its type. */
  upgrade(document: Json, from: number): unknown;
}

export interface Stored<T> {
  readonly key: string;
  /** Differs after every write, never repeats for a key, not even after delete and create. */
  readonly etag: string;
  readonly value: T;
}

/**
 * Two-valued logic on both engines: a comparison with an absent (null) field is false, except `eq null`, and `ne` is always
 * the opposite of `eq`. `not` is therefore always the opposite of its argument.
 */
export type Filter =
  | { readonly op: 'and' | 'or'; readonly args: readonly Filter[] }
  | { readonly op: 'not'; readonly arg: Filter }
  | { readonly op: 'eq' | 'ne'; readonly field: string; readonly value: Scalar | null }
  | { readonly op: 'lt' | 'le' | 'gt' | 'ge'; readonly field: string; readonly value: Scalar }
  | { readonly op: 'in'; readonly field: string; readonly values: readonly Scalar[] }
  | { readonly op: 'startsWith' | 'endsWith' | 'contains'; readonly field: string; readonly value: string }
  | { readonly op: 'has'; readonly field: string; readonly value: string }
  /** Any of them. */
  | { readonly op: 'hasAny'; readonly field: string; readonly values: readonly string[] }
  | {
      /** Full text: the words of `phrase`, one right after another, in any one of `parts`. A phrase without a word is in no document. */
      readonly op: 'matches';
      /** A value of the field that the collection's `search` is `within`; given exactly where there is one. Other documents do not match. */
      readonly within?: string;
      readonly parts: readonly string[];
      /** Plain text, cut into words as documents are: `ada@vendor.example` is three words. */
      readonly phrase: string;
      /** The last word of the phrase may be the beginning of a longer one. */
      readonly prefix?: boolean;
    }
  | {
      /**
       * There is a document of another collection that belongs to this one: its `field` is the value of `by` of this one, with `suffix` behind it, and
       * `filter` holds for it. Both are text fields or `key`. An index of `field` answers it.
       */
      readonly op: 'linked';
      readonly collection: Collection<never>;
      readonly field: string;
      readonly by: string;
      readonly suffix?: string;
      readonly filter?: Filter;
    }
  | {
      /** What no index answers: for a field and a value use the comparisons above. Two absent sides are equal. */
      readonly op: 'compare';
      readonly operator: Comparator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly op: 'among'; readonly left: Expression; readonly values: readonly Scalar[] };

export type Comparator = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';

/** A value that is computed for each document; see `functions.ts` for what can be called. */
export type Expression =
  | { readonly field: string }
  | { readonly value: Scalar | null }
  | { readonly call: FunctionName; readonly args: readonly Expression[] };

export interface Order {
  /** A declared field, or `key`. */
  readonly field: string;
  readonly descending?: boolean;
}

/** Where a page ended: the values of the ordering fields, then the key. Made by the store, carried by the skip token. */
export type Position = readonly (Scalar | null)[];

export interface Query {
  /** Only keys that begin with this. */
  readonly prefix?: string;
  readonly filter?: Filter;
  /**
   * Ends in the key, whether said or not, in the direction of the last field (ascending when there is none), so that one index
   * serves both directions. Absent values come first when ascending, last when descending.
   */
  readonly order?: readonly Order[];
  readonly after?: Position;
  /** Leaves out so many from the start: they are read all the same, so let it be few. Not together with `after`. */
  readonly skip?: number;
  readonly limit: number;
}

export interface Page<T> {
  readonly items: readonly Stored<T>[];
  /** Present when there is more. */
  readonly next?: Position;
}

/** `update` (the default inside a transaction) keeps other writers of that document waiting, `share` only its writers, `none` nobody. */
export type ReadLock = 'update' | 'share' | 'none';

export interface Reader {
  get<T>(collection: Collection<T>, key: string, lock?: ReadLock): Promise<Stored<T> | undefined>;
  query<T>(collection: Collection<T>, query: Query): Promise<Page<T>>;
  count<T>(collection: Collection<T>, query?: Pick<Query, 'prefix' | 'filter'>): Promise<number>;
}

export interface WriteCondition {
  /** An etag, or `*` for "must exist". */
  readonly ifMatch?: string;
  /** `*`: must not exist. */
  readonly ifNoneMatch?: '*';
}

/** What happened, for other services, the live feed and the audit trail. */
export interface NewChange {
  /** Who raises it: the name of the service. */
  readonly source: string;
  /** `write`, `delete`, `action` or a service's own word. */
  readonly kind: string;
  /** What it is about, usually a resource id. */
  readonly subject: string;
  readonly outcome: 'Succeeded' | 'Failed' | 'Canceled';
  /** Milliseconds of the jar's clock. */
  readonly at: number;
  readonly data: Json;
}

export type ChangeHook = (tx: Tx, change: NewChange) => Promise<void> | void;

export interface Change extends NewChange {
  /** Opaque and ordered: `changesAfter(cursor)` gives what was committed later, each once, none missing. */
  readonly cursor: string;
}

export interface NewWork {
  /** Which handler runs it. */
  readonly kind: string;
  /** Milliseconds of the jar's clock. */
  readonly dueAt: number;
  readonly payload: Json;
  /** Given: at most one item of that id exists, and scheduling again moves it (and ends the lease on it). Otherwise generated. */
  readonly id?: string;
}

export interface WorkItem<Payload = Json> {
  readonly id: string;
  readonly kind: string;
  readonly dueAt: number;
  readonly payload: Payload;
  /** How often it was tried before. */
  readonly attempts: number;
  /** Proof of holding it; changes with every claim. */
  readonly lease: string;
}

export interface Tx extends Reader {
  put<T>(collection: Collection<T>, key: string, value: T, condition?: WriteCondition): Promise<Stored<T>>;
  /** As many calls of `put` without a condition, in a fraction of their time: PostgreSQL takes hundreds with one statement. */
  putAll<T>(collection: Collection<T>, documents: Iterable<readonly [key: string, value: T]>): Promise<void>;
  /** False when there was nothing to delete. */
  delete<T>(collection: Collection<T>, key: string, condition?: Pick<WriteCondition, 'ifMatch'>): Promise<boolean>;
  change(change: NewChange): Promise<void>;
  /** The cursor of the newest change there is, this transaction's own included, even of one that `changesAfter` holds back yet. */
  newestChange(): Promise<string | undefined>;
  /**
   * What this transaction sees of the changes after a cursor, even those that the store's `changesAfter` holds back yet. Others may still come
   * in between, so it says whether there is something and never how far one has come.
   */
  changesAfter(cursor: string | undefined, limit: number): Promise<Change[]>;
  /** Removes change records from the oldest on, `upTo` this cursor and `limit` at most; gives how many. Numbers go on as if they were there. */
  forgetChanges(upTo: string, limit: number): Promise<number>;
  schedule(work: NewWork): Promise<string>;
  /**
   * Makes sure that the item of this id runs at `dueAt` or sooner: creates it, or brings it forward, never puts it off and never
   * ends a lease on it. Whoever holds it ends it by `settle`, which sees what was written together with a `wake`; so for an item that
   * is there and early enough this is only a read.
   */
  wake(work: NewWork & { readonly id: string }): Promise<void>;
  /** Removes an item, even a leased one (its holder then fails to complete it). */
  cancel(workId: string): Promise<boolean>;
  /** Ends a claimed item together with its effects; throws `LeaseLost` when somebody else has it by now. */
  complete(item: WorkItem<unknown>): Promise<void>;
  /**
   * Ends a claimed item that others `wake`. `next` looks for what is left to do and gives its time: the item then waits for that, all
   * attempts forgotten; with `undefined` it is gone. False, and nothing done, while somebody who has called `wake` has not committed yet:
   * what is left cannot be seen before, so look again a little later.
   */
  settle(item: WorkItem<unknown>, next: () => Promise<number | undefined>): Promise<boolean>;
  /** Ends this attempt and tries again at `dueAt`, one attempt more on the count. */
  retry(item: WorkItem<unknown>, dueAt: number, reason: string): Promise<void>;
  /** Takes the item out of circulation but keeps it to be looked at. */
  park(item: WorkItem<unknown>, reason: string): Promise<void>;
  /** Whoever locks the same name waits until this transaction ends: for rules over many documents, such as a count. */
  lock(name: string): Promise<void>;
  /** Tables whose columns are declared at run time. */
  readonly tables: TableWrites;
  /** Runs after the commit, on this node only; for waking things up, never for state. */
  afterCommit(callback: () => void): void;
}

export interface WorkStats {
  readonly waiting: number;
  readonly leased: number;
  readonly parked: number;
  /** Due time of the oldest item that is not parked. */
  readonly oldestDueAt: number | undefined;
}

export interface ClaimRequest {
  readonly kinds: readonly string[];
  /** How many of each kind, in the order of `kinds`; each as many as `limit` when absent. */
  readonly rooms?: readonly number[];
  readonly now: number;
  readonly limit: number;
  readonly leaseMs: number;
}

/** Leases run on wall time, whatever the jar's clock does. SQLite has one process, so it drops the leases of the last one on open. */
export interface WorkQueue {
  /** Takes up to `limit` items of these kinds that are due at `now`, in order of due time and then of scheduling. */
  claim(request: ClaimRequest): Promise<WorkItem[]>;
  /** Keeps claimed items for `leaseMs` more; gives the ids that are still held. */
  renew(items: readonly WorkItem[], leaseMs: number): Promise<string[]>;
  /** Earliest due time of items (of these kinds, when given) that nobody holds; an expired lease counts as nobody. */
  nextDue(kinds?: readonly string[]): Promise<number | undefined>;
  /** How many items (of these kinds, when given) are due at `now` or held, on any node. Parked ones do not count. */
  pending(now: number, kinds?: readonly string[]): Promise<number>;
  stats(): Promise<WorkStats>;
  /** Every kind that has an item which is not parked. */
  kinds(): Promise<string[]>;
}

/** Whether the store can be worked with at the moment. Anybody may read `reason`; `detail` has the address too, and is for the log. */
export type StoreHealth =
  | { readonly reachable: true }
  | { readonly reachable: false; readonly reason: string; readonly detail: string };

export interface Store extends Reader {
  /** To be shown. What follows from it is asked by name, as `hasOtherWriters`. */
  readonly engine: 'sqlite' | 'postgres';
  /** Whether other nodes may write the same store at any moment (PostgreSQL): memory can be old then, and what they do comes as news or by looking. */
  readonly hasOtherWriters: boolean;
  /**
   * Runs `body` in a transaction and answers after it is durable. `body` may run again after a conflict between nodes, so it
   * must not have effects outside `tx`, and must await nothing but `tx`.
   */
  transact<R>(body: (tx: Tx) => Promise<R>): Promise<R>;
  /**
   * Does something for somebody who may leave: transactions of theirs that wait for a connection are not begun then, and those that run
   * are rolled back, until the first is committed. With `undefined` for what goes on by itself, whoever has set it off.
   */
  onBehalfOf<R>(asker: Asker | undefined, action: () => R): R;
  /** As far as it is known at the moment, without asking. */
  health(): StoreHealth;
  /** What memory has of a `cached` collection at the moment, without waiting; `undefined` also where `cached` would have to look. */
  peek<T>(collection: Collection<T>, key: string): Stored<T> | undefined;
  /** A read of a `cached` collection from memory. */
  cached<T>(collection: Collection<T>, key: string): Promise<Stored<T> | undefined>;
  changesAfter(cursor: string | undefined, limit: number): Promise<Change[]>;
  /** The cursor of the newest change; what comes after it is new. */
  newestCursor(): Promise<string | undefined>;
  readonly work: WorkQueue;
  readonly tables: TableReads;
  /** Told of every change record on this node in the transaction that makes it, to schedule what follows from it in the same commit. */
  onChange(hook: ChangeHook): void;
  /** Told after commits on any node: what kinds of thing changed. */
  onCommit(listener: (news: CommitNews) => void): () => void;
  /**
   * Empties everything but the permanent collections, then runs `seed`, in one transaction. `load` puts back what `capture` gave:
   * documents with their etags, due work without leases, change records with their numbers.
   */
  wipe(seed: (tx: Tx, load: (part: StatePart) => Promise<void>) => Promise<void>): Promise<void>;
  /**
   * Hands `body` everything but the permanent collections, in parts of bounded size and as it was at one moment, while others go
   * on writing. The collections of `first`, permanent or not, come first. See `CaptureWrite` for how to write meanwhile.
   */
  capture<R>(first: readonly Collection<never>[], body: CaptureBody<R>): Promise<R>;
  close(): Promise<void>;
}

/** Documents in the order of their keys, rows of typed tables and change records in that of their numbers, work in that of its ids. */
export type StatePart =
  | { readonly of: 'documents'; readonly collection: string; readonly rows: readonly DocumentRow[] }
  /** After the documents, of which one is the table's definition. */
  | { readonly of: 'rows'; readonly table: string; readonly rows: readonly TableRow[] }
  | { readonly of: 'work'; readonly rows: readonly WorkRow[] }
  | { readonly of: 'changes'; readonly rows: readonly ChangeRow[] };

/** A document as it is kept: its body is JSON text. */
export type DocumentRow = readonly [key: string, etag: string, body: string];

/** A row of a typed table: its number, then its values. Whole numbers beyond 2⁵³ are text. */
export type TableRow = readonly [number: number, ...cells: (string | number | null)[]];

/** An item of due work by the names of its columns, leases left out: what was held counts as waiting. */
export type WorkRow = Readonly<Record<string, string | number | null>>;

export type ChangeRow = readonly [
  number: number,
  source: string,
  kind: string,
  subject: string,
  outcome: string,
  at: number,
  data: string,
];

/**
 * The way to write while a capture runs: `transact`, except where the database is in memory. There everybody else waits, and this
 * writes within the capture's own transaction, so that a capture that fails takes it back. All of it must be done when the
 * body of the capture is.
 */
export type CaptureWrite = <R>(body: (tx: Tx) => Promise<R>) => Promise<R>;

export type CaptureBody<R> = (parts: AsyncIterable<StatePart>, write: CaptureWrite) => Promise<R>;

export interface CommitNews {
  readonly changes: boolean;
  /** Work was scheduled, moved or put back: there may be something to claim. Ending or canceling an item is no news. */
  readonly work: boolean;
  /** Names of `cached` collections that were written. */
  readonly collections: readonly string[];
}
