import { boolean, collection, text } from '../../../kernel/store/index.ts';
import type { TracePage } from '../../../kernel/traces/index.ts';
import type { SubscriptionTarget } from '../webhooks/collection.ts';

export type ChangeType = 'created' | 'updated' | 'deleted';

/**
 * Why a change waits for the change of another user. `delegated`: its user is a delegated administrator; `jobs`: its user cannot schedule
 * jobs.
 */
export type Hold = 'delegated' | 'jobs';

/** Pending entries of a subscription: ready to be sent, or held. */
export interface Part {
  /** Id of the window, or of the hold. */
  readonly id: string;
  /** Number of entries, including those that a collection entry has replaced. */
  readonly count: number;
  readonly firstAt: number;
  /** Not updated once the part is a collection, so that later changes cost no write. */
  readonly lastAt: number;
  readonly hasDelete: boolean;
  /** One entry replaces all; the single entries are not kept. */
  readonly isCollection: boolean;
}

/** Changes that a subscription has not been notified of yet. A subscription without such changes has no outbox. */
export interface Outbox {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly resource: string;
  readonly target: SubscriptionTarget;
  readonly shownUrl: string;
  /** Key of the window that sends the ready part. */
  readonly window: string;
  /** Total number of entries so far; orders the entries. */
  readonly sequence: number;
  /** Copied from the subscription. */
  readonly retargeted?: number;
  readonly ready?: Part;
  readonly delegated?: Part;
  readonly jobs?: Part;
}

/** Keyed like its subscription. */
export const outboxes = collection<Outbox>('business.outboxes', {
  fields: {
    window: text(({ window }) => window),
    company: text(({ target }) => target.companyKey),
    delegated: boolean(({ delegated }) => delegated !== undefined),
  },
  indexes: [['window'], ['company', 'delegated']],
});

/** One pending entry; not stored once its part is a collection. */
export interface PendingEntry {
  readonly type: ChangeType;
  /** The text between the parentheses of a resource. */
  readonly entityKey: string;
  /** Key of the record. */
  readonly record: string;
  readonly at: number;
  readonly sequence: number;
}

/** Keyed `<outbox>/<part>/…`: an `updated` that later updates join by its entity, all others by their sequence. */
export const pendingEntries = collection<PendingEntry>('business.pending');

/** Collects changes from the first one until the notification is sent, for all subscriptions of a company to one address. */
export interface Window {
  readonly id: string;
  readonly tenantId: string;
  readonly companyName: string;
  readonly shownUrl: string;
  readonly openedAt: number;
  readonly closesAt: number;
  /** User whose change opened the window. */
  readonly openedBy: string;
  /** Tables changed meanwhile by users who can schedule jobs: changes to these tables by users who cannot may join the window. */
  readonly tables: readonly string[];
}

/** Keyed by the address that subscriptions of a company share. */
export const windows = collection<Window>('business.windows');

/** Outcome of a subscription's part of a window. */
export interface SubscriptionEnd {
  readonly entries: number;
  readonly isCollection?: boolean;
  /** Id of the delivery, if anything was sent. */
  readonly delivery?: string;
  /** Why nothing was sent. */
  readonly left?: string;
  /** Keys of records that were not really modified; their entries were left out. */
  readonly unchanged?: readonly string[];
  /** Copied from the subscription: changes before it was changed to watch another resource are not notified. */
  readonly retargeted?: number;
  /** Its entries were removed from the message before the receiver accepted it. */
  readonly isTakenBack?: boolean;
  /** Failed attempts of the message before these entries joined it. */
  readonly joinedAfter?: number;
  /** Resources of updates that were coalesced with an earlier entry whose delivery had failed. */
  readonly merged?: readonly string[];
}

/** Outcome of a window or of a hold, by its id: kept as long as the traces that name it, only for explanations. */
export type WindowEnd =
  | {
      readonly is: 'closed';
      readonly at: number;
      readonly subscriptions: Readonly<Record<string, SubscriptionEnd>>;
    }
  | {
      readonly is: 'released';
      readonly at: number;
      readonly into: string;
      /** The user whose change of `table` released the hold. */
      readonly by: string;
      readonly byName: string;
      readonly table: string;
    };

export const windowEnds = collection<WindowEnd>('business.window_ends');

/** A queued entry. Values of the subscription, such as its client state, are added when the entry is sent. */
export interface QueuedEntry {
  readonly subscriptionId: string;
  readonly resource: string;
  readonly changeType: ChangeType | 'collection';
  readonly lastModifiedDateTime: string;
  /** Number of the run that first sent the entry; absent for the first run. */
  readonly run?: number;
}

/** Entries first sent by the same run of the sender. They keep their own attempts and retry window, whatever joins the message later. */
export interface Run {
  readonly number: number;
  /** End of the retry window. */
  readonly until: number;
  /** Failed attempts. A run before `dueAt`, for the sake of other entries, does not count. */
  readonly attempts: number;
  readonly dueAt: number;
}

/** Entries of a window that join an existing message. */
export interface Joining {
  readonly window: string;
  readonly entries: readonly QueuedEntry[];
}

/** A notification that has not ended yet, and the subscriptions that it notifies. Keyed `<tenant>/<delivery>`. */
export interface Sending {
  readonly delivery: string;
  /** The first window in the message. */
  readonly window: string;
  readonly subscriptions: readonly string[];
  /** The following members are absent in documents of releases that sent each window separately. */
  readonly place?: AddressedTo;
  /** All windows in the message. */
  readonly windows?: readonly string[];
  readonly runs?: readonly Run[];
  /** Entries that the next run adds to the message. */
  readonly joining?: readonly Joining[];
  /** Subscriptions whose entries in the stored message are void. */
  readonly gone?: readonly string[];
  /** Start of the run that is running or due. */
  readonly underWay?: number;
}

/** Receiver of a notification. */
export interface AddressedTo {
  /** Key of the windows of the address. */
  readonly address: string;
  readonly companyId: string;
}

export const sendings = collection<Sending>('business.sendings');

/** The notification that an address has not accepted yet: at most one; later entries join it. Keyed like windows. */
export const outstanding = collection<{ readonly sending: string }>('business.outstanding');

/**
 * How a change affects one subscription, determined in the transaction of the change. A type rather than an interface, so that it counts as
 * plain JSON for the store.
 */
export type Verdict = {
  readonly subscription: string;
  readonly rule: VerdictRule;
  /** The window that the change joined, or the hold that it waits in. */
  readonly waits?: string;
  /** Copied from the subscription. */
  readonly retargeted?: number;
};

export type VerdictRule = 'entry' | 'coalesced' | 'collection' | 'not-shown' | 'too-many';

/** One change of a record, with the verdicts of its subscriptions. */
export interface ChangeTrace {
  readonly at: number;
  readonly type: ChangeType;
  readonly tenantId: string;
  readonly company: string;
  readonly companyName: string;
  readonly table: string;
  readonly id: string;
  /** Object id and name of the user who made the change. */
  readonly user: string;
  readonly userName: string;
  readonly hold?: Hold;
  readonly verdicts: readonly Verdict[];
}

/** Stored in pages, so that a large transaction writes few documents; the keys sort by time. */
export const changeTraces = collection<TracePage<ChangeTrace>>('business.change_traces');

export const NOTIFY_COLLECTIONS = [
  outboxes,
  pendingEntries,
  windows,
  windowEnds,
  sendings,
  outstanding,
  changeTraces,
] as const;
