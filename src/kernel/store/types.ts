/**
 * The store's contract. Two engines implement it (SQLite and PostgreSQL), and one test suite runs against both.
 *
 * A document lives in a collection under a string key. A collection declares the fields that can be filtered and ordered by; the engine
 * keeps them in separate columns, computed by `of` at every write, so that both engines compare the same values in the same way (text by
 * its bytes, numbers as doubles).
 */

import type { Json, JsonList, JsonMembers } from '../values/json.ts';
import type { FunctionName } from './functions.ts';
import type { RequestOwner } from './request-owners.ts';
import type { SecretsIn } from './secrets.ts';
import type { TableReads, TableWrites } from './typed/types.ts';
import type { NewWork, WorkItem, WorkQueue } from './work-types.ts';

export type { ClaimRequest, KindStats, NewWork, WorkItem, WorkQueue, WorkStats } from './work-types.ts';
export type { Json, JsonList, JsonMembers };

export type Scalar = string | number | boolean;

/** `set` is a field with many text values (tags, event types): it can be filtered with `has`, but not ordered by. */
export type FieldType = 'text' | 'number' | 'boolean' | 'set';
export type ScalarType = Exclude<FieldType, 'set'>;

export interface Field<T> {
  readonly type: FieldType;
  of(document: T): Scalar | null | undefined | readonly string[];
}

/** In a list of several texts (for example of recipients), a phrase matches within one text, never across two. */
export type SearchTexts = string | readonly string[] | null | undefined;

/**
 * Full text of a collection's documents, searched with `matches`. Words are compared without case and accents (`search/words.ts`). Up to
 * 16,000 words of a document are indexed, in the order of the parts: name short parts first.
 */
export interface Search<T> {
  /** Parts that can be searched separately, such as `subject` and `body`; at most 26. */
  readonly parts: readonly string[];
  /** A text field: a search reads only documents with one given value of this field. Documents without a value are not found. */
  readonly within: string | undefined;
  /** The texts of a document by part. */
  of(document: T): Readonly<Record<string, SearchTexts>>;
}

export interface Collection<T> {
  /** `service.things`: lower case letters, digits, dots and underscores. */
  readonly name: string;
  readonly fields: Readonly<Record<string, Field<T>>>;
  /** Each index is a list of field names; the key is always its last column, so that ordered lists can be paged by it. */
  readonly indexes: readonly (readonly string[])[];
  readonly search: Search<T> | undefined;
  /** For small documents that nearly every request reads: `store.cached` keeps them in memory and invalidates them on every node. */
  readonly cached: boolean;
  /** Survives `wipe`: signing keys and other data of the jar itself, not of its users. */
  readonly permanent: boolean;
  /**
   * For documents that usually exceed a kilobyte. SQLite stores a quarter of a page of a row beside its key and the rest on another page;
   * rows of a wide collection stay in one piece, and their keys are in an index.
   */
  readonly wide: boolean;
  /** Secrets of its documents other than sealed values; see `SecretsIn`. */
  readonly secrets: SecretsIn<T, unknown> | undefined;
  /** The version of the documents that this release writes; default 1. */
  readonly version: number;
  /** Releases that know this version, or a later one, can read what this release writes. */
  readonly readableBy: number;
  /** The first release that knows `readableBy`: earlier ones must not use the store. Undefined if every release may. */
  readonly oldestRelease: string | undefined;
  /** Converts a document of an earlier version to this version. Called only by `readDocument`, which types the result. */
  upgrade(document: Json, from: number): unknown;
}

export interface Stored<T> {
  readonly key: string;
  /** Changes with every write and never repeats for a key, not even after delete and create. */
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
  /** Matches if the set has any of the values. */
  | { readonly op: 'hasAny'; readonly field: string; readonly values: readonly string[] }
  | {
      /** Full text: the words of `phrase` in sequence, in any of `parts`. A phrase without a word matches no document. */
      readonly op: 'matches';
      /**
       * A value of the field that the collection's `search` is `within`; required if, and only if, that is declared. Documents with other
       * values do not match.
       */
      readonly within?: string;
      readonly parts: readonly string[];
      /** Plain text, tokenised like documents: `ada@vendor.example` is three words. */
      readonly phrase: string;
      /** If true, the last word of the phrase is a prefix. */
      readonly prefix?: boolean;
    }
  | {
      /**
       * Matches if another collection has a linked document: its `field` equals this document's `by` followed by `suffix`, and it matches
       * `filter`. Both are text fields or `key`. An index of `field` is used.
       */
      readonly op: 'linked';
      readonly collection: Collection<never>;
      readonly field: string;
      readonly by: string;
      readonly suffix?: string;
      readonly filter?: Filter;
    }
  | {
      /** Cannot use an index: to compare a field with a value, use the operators above. Two absent sides are equal. */
      readonly op: 'compare';
      readonly operator: Comparator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly op: 'among'; readonly left: Expression; readonly values: readonly Scalar[] };

export type Comparator = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';

/** A value computed for each document; `functions.ts` lists the functions. */
export type Expression =
  | { readonly field: string }
  | { readonly value: Scalar | null }
  | { readonly call: FunctionName; readonly args: readonly Expression[] };

export interface Order {
  /** A declared field, or `key`. */
  readonly field: string;
  readonly descending?: boolean;
}

/** The position after a page: the values of the ordering fields, then the key. Created by the store, and carried in the skip token. */
export type Position = readonly (Scalar | null)[];

export interface Query {
  /** Selects only keys that begin with this. */
  readonly prefix?: string;
  readonly filter?: Filter;
  /**
   * Always ends with the key, added if it is not given, in the direction of the last field (ascending if there is none), so that one index
   * serves both directions. Absent values come first when ascending, last when descending.
   */
  readonly order?: readonly Order[];
  readonly after?: Position;
  /** Skips this many documents at the start. They are read anyway, so keep it small. Cannot be combined with `after`. */
  readonly skip?: number;
  readonly limit: number;
}

export interface Page<T> {
  readonly items: readonly Stored<T>[];
  /** Present if there are more documents. */
  readonly next?: Position;
}

/**
 * `update` (the default inside a transaction) blocks other writers and locking readers of that document, `share` only writers, `none`
 * blocks nothing.
 */
export type ReadLock = 'update' | 'share' | 'none';

export interface Reader {
  get<T>(collection: Collection<T>, key: string, lock?: ReadLock): Promise<Stored<T> | undefined>;
  query<T>(collection: Collection<T>, query: Query): Promise<Page<T>>;
  count<T>(collection: Collection<T>, query?: Pick<Query, 'prefix' | 'filter'>): Promise<number>;
}

export interface WriteCondition {
  /** An etag, or `*` for "the document must exist". */
  readonly ifMatch?: string;
  /** `*`: the document must not exist. */
  readonly ifNoneMatch?: '*';
}

/** A change record, read by other services, the live feed and the audit trail. */
export interface NewChange {
  /** The name of the service that writes the record. */
  readonly source: string;
  /** `write`, `delete`, `action` or a kind that the service defines. */
  readonly kind: string;
  /** The thing that changed, usually a resource id. */
  readonly subject: string;
  readonly outcome: 'Succeeded' | 'Failed' | 'Canceled';
  /** Milliseconds of the jar's clock. */
  readonly at: number;
  readonly data: Json;
}

export type ChangeHook = (tx: Tx, change: NewChange) => Promise<void> | void;

export interface Change extends NewChange {
  /** Opaque and ordered: `changesAfter(cursor)` returns every later commit exactly once. */
  readonly cursor: string;
}

export interface Tx extends Reader {
  put<T>(collection: Collection<T>, key: string, value: T, condition?: WriteCondition): Promise<Stored<T>>;
  /** Equivalent to unconditional calls of `put`, in a fraction of the time: PostgreSQL writes hundreds with one statement. */
  putAll<T>(collection: Collection<T>, documents: Iterable<readonly [key: string, value: T]>): Promise<void>;
  /** Returns false if the document does not exist. */
  delete<T>(collection: Collection<T>, key: string, condition?: Pick<WriteCondition, 'ifMatch'>): Promise<boolean>;
  change(change: NewChange): Promise<void>;
  /** The cursor of the newest change, including this transaction's own changes and those that `changesAfter` still withholds. */
  newestChange(): Promise<string | undefined>;
  /**
   * The changes after a cursor that this transaction sees, including those that the store's `changesAfter` still withholds. Others may
   * still be committed in between, so use the result only to detect changes, never as a reading position.
   */
  changesAfter(cursor: string | undefined, limit: number): Promise<Change[]>;
  /** Removes the oldest change records, `upTo` this cursor and at most `limit`; returns their number. Numbering is not affected. */
  forgetChanges(upTo: string, limit: number): Promise<number>;
  schedule(work: NewWork): Promise<string>;
  /**
   * Ensures that the item of this id runs at `dueAt` or earlier: creates it or moves it forward, never delays it, and never ends a lease.
   * The holder ends the item by `settle`, which sees everything written together with a `wake`; so if the item exists and is early enough,
   * this is only a read.
   */
  wake(work: NewWork & { readonly id: string }): Promise<void>;
  /** Removes an item, even a leased one (its holder then cannot complete it). */
  cancel(workId: string): Promise<boolean>;
  /** Removes a claimed item together with its effects. Throws `LEASE_LOST` if the holder no longer has the lease. */
  complete(item: WorkItem<unknown>): Promise<void>;
  /**
   * Ends a claimed item that other transactions `wake`. `next` finds the remaining work and returns its time: the item then waits until
   * that time, with its attempts reset; if `next` returns undefined, the item is removed. Returns false and does nothing while a
   * transaction that has called `wake` is uncommitted: its work is not visible yet, so call again a little later.
   */
  settle(item: WorkItem<unknown>, next: () => Promise<number | undefined>): Promise<boolean>;
  /** Ends this attempt and retries at `dueAt`, with the number of attempts increased by one. */
  retry(item: WorkItem<unknown>, dueAt: number, reason: string): Promise<void>;
  /** Dead-letters the item: it is kept for inspection and not run again. */
  park(item: WorkItem<unknown>, reason: string): Promise<void>;
  /** Other transactions that lock the same name wait until this one ends: for rules over many documents, such as a count. */
  lock(name: string): Promise<void>;
  /** Tables whose columns are declared at run time. */
  readonly tables: TableWrites;
  /** Runs after the commit, on this node only; for waking things up, never for state. */
  afterCommit(callback: () => void): void;
}

/** Whether the store is usable at the moment. `reason` is public; `detail` includes the address, and is for the log. */
export type StoreHealth =
  | { readonly reachable: true }
  | { readonly reachable: false; readonly reason: string; readonly detail: string };

export interface Store extends Reader {
  /** For display only. Behaviour depends on named properties such as `hasOtherWriters`. */
  readonly engine: 'sqlite' | 'postgres';
  /**
   * True if other nodes may write to the same store (PostgreSQL): caches can be stale, and changes of other nodes arrive by notice or by
   * polling.
   */
  readonly hasOtherWriters: boolean;
  /** True if all content is lost when the store is closed, and other writers wait while a capture runs. */
  readonly isInMemory: boolean;
  /**
   * Runs `body` in a transaction and resolves after the commit is durable. `body` may run again after a conflict between nodes, so it must
   * not have effects outside `tx`, and must await nothing but `tx`.
   */
  transact<R>(body: (tx: Tx) => Promise<R>): Promise<R>;
  /**
   * Runs an action for an asker that may disconnect. Until the first commit, its transactions that wait for a connection are then not
   * started, and running ones are rolled back. Pass `undefined` for background work, whatever triggered it.
   */
  onBehalfOf<R>(asker: RequestOwner | undefined, action: () => R): R;
  /** The last known state; sends no query. */
  health(): StoreHealth;
  /** The cached document of a `cached` collection, without waiting. Undefined also on a cache miss. */
  peek<T>(collection: Collection<T>, key: string): Stored<T> | undefined;
  /** Reads a document of a `cached` collection through the cache. */
  cached<T>(collection: Collection<T>, key: string): Promise<Stored<T> | undefined>;
  changesAfter(cursor: string | undefined, limit: number): Promise<Change[]>;
  /** The cursor of the newest change; later changes come after it. */
  newestCursor(): Promise<string | undefined>;
  readonly work: WorkQueue;
  readonly tables: TableReads;
  /**
   * Called for every change record written on this node, in its transaction, so that resulting work can be scheduled in the same commit.
   */
  onChange(hook: ChangeHook): void;
  /** Called after commits on any node, with the kinds of data that changed. */
  onCommit(listener: (news: CommitNotice) => void): () => void;
  /**
   * Empties all but the permanent collections, then runs `seed`, in one transaction. `load` restores parts from `capture`: documents with
   * their etags, due work without leases, change records with their numbers.
   */
  wipe(seed: (tx: Tx, load: (part: StatePart) => Promise<void>) => Promise<void>): Promise<void>;
  /**
   * Passes everything but the permanent collections to `body`, as a consistent snapshot in parts of bounded size, while writes continue.
   * The collections of `first`, permanent or not, come first. See `CaptureWrite` for writing meanwhile.
   */
  capture<R>(first: readonly Collection<never>[], body: CaptureBody<R>): Promise<R>;
  close(): Promise<void>;
}

/** Order: documents by key, rows of typed tables and change records by number, work by id. */
export type StatePart =
  | { readonly of: 'documents'; readonly collection: string; readonly rows: readonly DocumentRow[] }
  /** These parts come after the documents, which include the table's definition. */
  | { readonly of: 'rows'; readonly table: string; readonly rows: readonly TableRow[] }
  | { readonly of: 'work'; readonly rows: readonly WorkRow[] }
  | { readonly of: 'changes'; readonly rows: readonly ChangeRow[] };

/** A document as stored: its body is JSON text. */
export type DocumentRow = readonly [key: string, etag: string, body: string];

/** A row of a typed table: its number, then its values. Integers beyond 2⁵³ are text. */
export type TableRow = readonly [number: number, ...cells: (string | number | null)[]];

/** An item of due work by column name, without leases: a leased item is captured as waiting. */
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
 * Writes while a capture runs. This is `transact`, except for a database in memory: there all other writers wait, and this writes within
 * the capture's own transaction, so that a failed capture rolls it back. All writes must be done before the body of the capture returns.
 */
export type CaptureWrite = <R>(body: (tx: Tx) => Promise<R>) => Promise<R>;

export type CaptureBody<R> = (parts: AsyncIterable<StatePart>, write: CaptureWrite) => Promise<R>;

export interface CommitNotice {
  readonly changes: boolean;
  /** Work was scheduled, moved or put back: there may be something to claim. Ending or cancelling an item is not reported. */
  readonly work: boolean;
  /** Names of `cached` collections that were written. */
  readonly collections: readonly string[];
}
