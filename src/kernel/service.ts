import type { TSchema } from 'typebox';
import type { ResourceType } from './arm/providers.ts';
import type { DeliveryPolicy } from './delivery/index.ts';
import type { FeedFollower } from './feed/index.ts';
import type { ApiFamily } from './http/family.ts';
import type { Route } from './http/route.ts';
import type { SocketRoute } from './http/socket-route.ts';
import type { Jar } from './jar-context.ts';
import type { Limit } from './limits/index.ts';
import type { Collection, Tx, WorkItem } from './store/types.ts';

/**
 * A service is one declared object, exported by the `index.ts` of its folder and listed once in `src/jar.ts`.
 * Services never import each other; what one does reaches another through the change feed.
 */
export interface Service {
  readonly name: string;
  readonly title: string;
  readonly family: ApiFamily;
  /** Path prefixes that are this service's, so that an unknown path below them is refused in its family's shape. */
  readonly mounts: readonly string[];
  readonly routes: readonly Route[];
  /** All of its routes lie below its mounts, and are not looked at before the first request there: a start should not pay for hundreds of them. */
  readonly deferRoutes?: true;
  /** Its part of the control API, for the administrator: paths that begin with `/_jar/` and its name. */
  readonly control?: readonly Route[];
  /** Its WebSockets, on both ports. */
  readonly sockets?: readonly SocketRoute[];
  // biome-ignore lint/suspicious/noExplicitAny: collections of any document type are kept side by side
  readonly collections?: readonly Collection<any>[];
  readonly work?: Readonly<Record<string, WorkHandler>>;
  /** Its table of limits: how many there may be, how often one may ask. */
  readonly limits?: readonly Limit[];
  /** How it sends to others: one policy for each kind of message. */
  readonly deliveries?: readonly DeliveryPolicy[];
  /** What it makes of changes that others record. */
  readonly follows?: readonly FeedFollower[];
  readonly seed?: SeedSection;
  /** Resource identifiers (audiences) that tokens for this service carry. */
  readonly audiences?: readonly string[];
  /** The secret by which clients call it, where that is not a token of the directory: what `GET /_jar/keys` shows under its name. */
  key?(jar: Jar): Promise<string | undefined>;
  /** The management resource types that it offers. */
  readonly resourceTypes?: readonly ResourceType[];
  /** Begins what the service does besides answering requests and doing due work: called once, before any request or work. */
  open?(jar: Jar): Promise<OpenService>;
}

export interface Announcement {
  readonly name: string;
  readonly text: string;
}

/** A service at work beside its requests. */
export interface OpenService {
  /** For the lines that a jar prints when it is ready: `engine` and `Podman 4.3.1 at …`. */
  readonly announce?: Announcement;
  /** All state was replaced under it, by a reset or by a snapshot. */
  stateReplaced?(): Promise<void>;
  close(): Promise<void>;
}

export interface WorkHandler {
  /** How many items of this kind may run at once; 1 keeps them strictly in due order. */
  readonly concurrency?: number;
  /** How often it may fail, or take its holder down with it, before it is parked; ten times unless given, `Infinity` for ever. */
  readonly maxAttempts?: number;
  /**
   * `halt` is aborted when everything is to come to a stop (a reset, a snapshot, the end of the jar): work that goes on for long ends then.
   * Runs at least once. Effects that must happen exactly once go into one `store.transact` that also calls
   * `tx.complete(item)`; an item that is not completed by the time this returns is completed for it.
   */
  run(item: WorkItem, jar: Jar, halt: AbortSignal): Promise<void>;
}

/** A handler whose module is loaded with the first item. */
export function lazyWork(
  load: () => Promise<Pick<WorkHandler, 'run'>>,
  limits: Omit<WorkHandler, 'run'> = {},
): WorkHandler {
  return { ...limits, run: async (...args) => (await load()).run(...args) };
}

/** What a service puts into an empty jar. A seed file may replace the default under the service's name. */
export interface SeedSection {
  readonly schema: TSchema;
  readonly defaults: unknown;
  /** `now` is the time the jar starts from, which during a reset is not what its clock still shows. */
  apply(tx: Tx, section: unknown, jar: Jar, now: number): Promise<void>;
}
