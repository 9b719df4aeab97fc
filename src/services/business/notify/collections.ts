import { boolean, collection, text } from '../../../kernel/store/index.ts';
import type { TracePage } from '../../../kernel/traces/index.ts';
import type { SubscriptionTarget } from '../webhooks/collection.ts';

export type ChangeType = 'created' | 'updated' | 'deleted';

/**
 * Why a change waits for somebody else's: `delegated`, its user is a delegated administrator; `jobs`, its user cannot schedule jobs.
 */
export type Hold = 'delegated' | 'jobs';

/** What a subscription is going to be told, or would be if nobody had to be waited for. */
export interface Part {
  /** Of the window that it goes with, or of the hold that it waits in. */
  readonly id: string;
  /** Entries, even where they have become a collection since. */
  readonly count: number;
  readonly firstAt: number;
  /** By the time it became a collection; later changes cost no write. */
  readonly lastAt: number;
  readonly hasDelete: boolean;
  /** One entry for all of them; what they were is not kept. */
  readonly isCollection: boolean;
}

/** What one subscription has not been told yet. There is none for a subscription that knows everything. */
export interface Outbox {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly resource: string;
  readonly target: SubscriptionTarget;
  readonly shownUrl: string;
  /** The key of the window that its ready part goes with. */
  readonly window: string;
  /** How many entries it ever had: their order. */
  readonly sequence: number;
  /** As the subscription has it. */
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

/** One entry that waits, as long as there are not too many of them. */
export interface PendingEntry {
  readonly type: ChangeType;
  /** As it stands between the brackets of a resource. */
  readonly entityKey: string;
  /** The key of the record. */
  readonly record: string;
  readonly at: number;
  readonly sequence: number;
}

/** Keyed `<outbox>/<part>/…`: an `updated` that later ones join by its entity, all others by their place in the order. */
export const pendingEntries = collection<PendingEntry>('business.pending');

/** From the first change on until its notification is sent: for all subscriptions of a company to one address. */
export interface Window {
  readonly id: string;
  readonly tenantId: string;
  readonly companyName: string;
  readonly shownUrl: string;
  readonly openedAt: number;
  readonly closesAt: number;
  /** Whose change has opened it. */
  readonly openedBy: string;
  /** Tables that somebody has changed meanwhile who can schedule jobs: the changes of those who cannot may go along. */
  readonly tables: readonly string[];
}

/** Keyed by the address that subscriptions of a company share. */
export const windows = collection<Window>('business.windows');

/** What became of a subscription's part of a window. */
export interface SubscriptionEnd {
  readonly entries: number;
  readonly isCollection?: boolean;
  /** Where something was sent. */
  readonly delivery?: string;
  /** Why nothing was, in words. */
  readonly left?: string;
  /** Keys of records that were not really modified, whose entries were left out. */
  readonly unchanged?: readonly string[];
  /** As the subscription had it: it was told nothing of what it watched before. */
  readonly retargeted?: number;
  /** Its entries were taken out of the message before anybody took that. */
  readonly isTakenBack?: boolean;
  /** How often the message had failed that the entries joined: the address had not accepted what was sent before. */
  readonly joinedAfter?: number;
  /** Resources of updates that became part of an earlier entry, which had failed. */
  readonly merged?: readonly string[];
}

/** What became of a window or of a hold, by its id: kept with the traces that name it, for explanations alone. */
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
      /** Whose change of which table it was. */
      readonly by: string;
      readonly byName: string;
      readonly table: string;
    };

export const windowEnds = collection<WindowEnd>('business.window_ends');

/** An entry as it is queued. What is the subscription's own, its client state above all, is put in when it is sent. */
export interface QueuedEntry {
  readonly subscriptionId: string;
  readonly resource: string;
  readonly changeType: ChangeType | 'collection';
  readonly lastModifiedDateTime: string;
  /** The number of the run that sent it first; absent in those of the first one. */
  readonly run?: number;
}

/** Entries that were sent first by the same run of the sender. Attempts and time for retries are theirs, whatever joins the message later. */
export interface Run {
  readonly number: number;
  /** The end of the time for retries. */
  readonly until: number;
  /** Failed attempts that count: a run for the sake of other entries before `dueAt` does not. */
  readonly attempts: number;
  readonly dueAt: number;
}

/** Entries of a window that go along with a message that is there already. */
export interface Joining {
  readonly window: string;
  readonly entries: readonly QueuedEntry[];
}

/** A notification that has not ended yet, and the subscriptions that are told by it. Keyed `<tenant>/<delivery>`. */
export interface Sending {
  readonly delivery: string;
  /** Of the first window whose changes it tells. */
  readonly window: string;
  readonly subscriptions: readonly string[];
  /** What follows is absent in those of releases that sent each window by itself. */
  readonly place?: AddressedTo;
  /** All windows whose changes it tells. */
  readonly windows?: readonly string[];
  readonly runs?: readonly Run[];
  /** What the next run adds to the message. */
  readonly joining?: readonly Joining[];
  /** Subscriptions whose entries in the message as it is stored are void. */
  readonly gone?: readonly string[];
  /** When the run began that is under way, or is due. */
  readonly underWay?: number;
}

/** Where a notification goes. */
export interface AddressedTo {
  /** The key of the windows of the address. */
  readonly address: string;
  readonly companyId: string;
}

export const sendings = collection<Sending>('business.sendings');

/** The notification that an address has not accepted yet: there is one at most, and what comes later joins it. Keyed like windows. */
export const outstanding = collection<{ readonly sending: string }>('business.outstanding');

/** What came of a change for one subscription, in the transaction that made it. A type rather than an interface, so that it is plain JSON to the store. */
export type Verdict = {
  readonly subscription: string;
  readonly rule: VerdictRule;
  /** The window that it joined, or the hold that it waits in. */
  readonly waits?: string;
  /** As the subscription had it. */
  readonly retargeted?: number;
};

export type VerdictRule = 'entry' | 'coalesced' | 'collection' | 'not-shown' | 'too-many';

/** One change of a record, and what came of it. */
export interface ChangeTrace {
  readonly at: number;
  readonly type: ChangeType;
  readonly tenantId: string;
  readonly company: string;
  readonly companyName: string;
  readonly table: string;
  readonly id: string;
  /** The object id and the name of who made it. */
  readonly user: string;
  readonly userName: string;
  readonly hold?: Hold;
  readonly verdicts: readonly Verdict[];
}

/** Several on a page, so that a large transaction writes few of them; the keys sort by time. */
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
