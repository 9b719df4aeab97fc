import type { TSchema } from 'typebox';
import type { ResourceType } from '../arm/providers.ts';
import type { OnDelete, OnMove } from '../arm/resource-hooks.ts';
import type { Config } from '../config/index.ts';
import type { DeliveryPolicy } from '../delivery/index.ts';
import type { FollowChanges, FollowerHead } from '../feed/index.ts';
import type { ApiFamily, FamilyStep } from '../http/family.ts';
import type { HostNames } from '../http/host-names.ts';
import type { Route } from '../http/route.ts';
import type { SocketHead, SocketRoute } from '../http/socket-route.ts';
import type { Limit } from '../limits/index.ts';
import type { OpenSettings, SettingsTable } from '../settings/index.ts';
import type { Collection, Tx } from '../store/types.ts';
import type { WorkHandler, WorkKind } from '../work/kind.ts';
import type { Jar } from './jar.ts';

/**
 * A service is a manifest and an `open`. The manifest is loaded at every start, so it is light: data, and no code that is needed
 * only once somebody calls. `open` loads the code and brings the service to life, before the first request, work item or
 * change that concerns the service.
 *
 * It is exported by the `index.ts` of its folder and listed once in `src/services.ts`. Services never import each other; what one
 * does reaches another through the change feed.
 */
export interface Service extends ServiceApi {
  /** Further APIs of the same service, each with error family and addresses of its own. */
  readonly apis?: readonly ServiceApi[];
  // biome-ignore lint/suspicious/noExplicitAny: collections of any document type are kept side by side
  readonly collections?: readonly Collection<any>[];
  /** The kinds of due work that it handles. */
  // biome-ignore lint/suspicious/noExplicitAny: kinds with any payload are kept side by side
  readonly work?: readonly WorkKind<any>[];
  /** The names of its delivery policies: one for each kind of message that it sends. */
  readonly policies?: readonly string[];
  /** What it follows in the change feed. `wants` runs in the transaction that records a change. */
  readonly follows?: readonly FollowerHead[];
  readonly seed?: SeedSection;
  readonly settings?: SettingsSection;
  /** The management resource types that it offers. */
  readonly resourceTypes?: readonly ResourceType[];
  /** Further types that the configuration declares; settings are checked only afterwards. */
  configuredTypes?(config: ConfiguredBy): readonly ResourceType[];
  /** It keeps documents by the ids of resources of other services, and brings them along when those move: see `OpenService.onMove`. */
  readonly movesWithResources?: boolean;
  /** Clients call it with a secret of its own kind, which `GET /_jar/keys` shows under its name: see `OpenService.key`. */
  readonly hasKey?: boolean;
  /** Opened with the jar, because it acts without being asked (it watches containers, or listens on a port). */
  readonly eager?: boolean;
  /**
   * Runs once, outside of any transaction. A failure is an error of the call or the work item that needed the service; the next one tries
   * again.
   */
  open(jar: Jar): Promise<OpenService>;
}

/** What of the configuration resource types may depend on. */
export type ConfiguredBy = Pick<Config, 'services' | 'namespace'>;

/** One API of a service: how it looks on the wire, and where it is found. */
export interface ServiceApi {
  /** In metrics, logs, limits and fault rules. */
  readonly name: string;
  readonly title: string;
  readonly family: ApiFamily;
  /** Path prefixes that belong to this API: an unknown path below them is refused in its family's shape. */
  readonly mounts: readonly string[];
  /**
   * Where its routes lie outside of its mounts: prefixes in which `{name}` stands for one segment, and provider namespaces
   * (`/providers/Vendor.EventGrid`), which are found behind any scope. A request there opens the service.
   */
  readonly claims?: readonly string[];
  /** Its WebSockets, on both ports: the router has to know them before the service is open. */
  readonly sockets?: readonly SocketHead[];
  /** How many there may be, how often one may ask. */
  readonly limits?: readonly Limit[];
  /** Resource identifiers (audiences) that tokens for this API carry. */
  readonly audiences?: readonly string[];
}

/** A service at work. */
export interface OpenService extends ServiceCode {
  /**
   * The jar as the code of this service sees it: with what the service remembers in memory. Handlers get it as `call.jar`, work,
   * delivery policies and followers as their context. The jar itself by default.
   */
  readonly jar?: Jar;
  /** Of an eager service: the code that it needs only once it is asked. Loaded with the first request, work item or change that is its. */
  code?(): Promise<ServiceCode>;
  /** Answers requests for host names of its own, in front of all routes; of eager services only. */
  readonly hostNames?: HostNames;
  /** For the lines that a jar prints when it is ready; of eager services only. */
  readonly announce?: Announcement | readonly Announcement[];
  /** All state was replaced by a reset or a snapshot: forget what was remembered of it. */
  stateReplaced?(): Promise<void> | void;
  close?(): Promise<void> | void;
}

/** What answers requests, does due work, and follows changes. */
export interface ServiceCode extends OpenApi {
  /** By the names of `Service.apis`. */
  readonly apis?: Readonly<Record<string, OpenApi>>;
  /** Its part of the control API, for the administrator: paths that begin with `/_jar/` and its name. */
  readonly control?: readonly Route[];
  /** By the table of `Service.settings.changeable`. */
  // biome-ignore lint/suspicious/noExplicitAny: settings of any shape are kept side by side
  readonly settings?: OpenSettings<any>;
  readonly work?: readonly WorkHandler[];
  readonly policies?: readonly DeliveryPolicy[];
  /** By the names of `Service.follows`. */
  readonly followers?: Readonly<Record<string, FollowChanges>>;
  /** What else goes when a resource goes, by resource type; in the transaction that deletes the resource. */
  readonly onDelete?: Readonly<Record<string, OnDelete>>;
  /** What else moves when a resource of any type moves; of services that say so in their manifest. */
  readonly onMove?: OnMove;
  /** What `GET /_jar/keys` shows. */
  key?(): Promise<string | undefined>;
}

export interface OpenApi {
  readonly routes?: readonly Route[];
  /** Run behind the steps of the family. */
  readonly steps?: readonly FamilyStep[];
  readonly sockets?: readonly SocketRoute[];
}

export interface Announcement {
  /** `engine` */
  readonly name: string;
  /** `Podman 4.3.1 at …` */
  readonly text: string;
  /** The path of a page in a browser, such as `/mail/`. */
  readonly page?: string;
}

/** What a service puts into an empty jar. A seed file may replace the default under the service's name. */
export interface SeedSection {
  readonly schema: TSchema;
  readonly defaults: unknown;
  /** Loads code, hashes passwords and the like before the transaction, in which nothing but the store may be awaited. */
  prepare(content: unknown): Promise<ApplySeed>;
}

/** `now` is the time the jar starts from, which during a reset is not what its clock still shows. */
export type ApplySeed = (tx: Tx, jar: Jar, now: number) => Promise<void>;

/** What `services.<name>` may say in the configuration. */
export interface SettingsSection {
  /** Those that can be changed at run time, too: at `/_jar/<name>/settings`, which the kernel serves. `open` gives them as `settings`. */
  // biome-ignore lint/suspicious/noExplicitAny: settings of any shape are kept side by side
  readonly changeable?: SettingsTable<any>;
  /** Loaded only where the configuration says something. */
  load(): Promise<SettingsRules>;
}

export interface SettingsRules {
  readonly schema: TSchema;
  /** Once, when the jar starts: refuses what a schema cannot, by a `ConfigError`, and puts in force what holds from the start. */
  check?(jar: Jar): void;
}

/** What a service adds to the control API: its settings, and routes of its own. */
export const controlRoutesOf = ({ settings, control = [] }: OpenService): readonly Route[] => [
  ...(settings?.control ?? []),
  ...control,
];

/** A service's own API and its further ones. */
export const apisOf = (service: Service): readonly ServiceApi[] => [service, ...(service.apis ?? [])];
