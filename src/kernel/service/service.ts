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
 * A service is a manifest and an `open`. The manifest is loaded at every start, so it contains data and no code that is needed only for
 * requests. `open` loads the code and starts the service, before the first request, work item or change that concerns it.
 *
 * It is exported by the `index.ts` of its folder and listed once in `src/services.ts`. Services never import each other; the effects of one
 * reach another through the change feed.
 */
export interface Service extends ServiceApi {
  /** Additional APIs of the same service, each with its own error family and addresses. */
  readonly apis?: readonly ServiceApi[];
  // biome-ignore lint/suspicious/noExplicitAny: collections of any document type are kept side by side
  readonly collections?: readonly Collection<any>[];
  /** The kinds of due work that it handles. */
  // biome-ignore lint/suspicious/noExplicitAny: kinds with any payload are kept side by side
  readonly work?: readonly WorkKind<any>[];
  /** The names of its delivery policies: one for each kind of message that it sends. */
  readonly policies?: readonly string[];
  /** Its followers in the change feed. `wants` runs in the transaction that records a change. */
  readonly follows?: readonly FollowerHead[];
  readonly seed?: SeedSection;
  readonly settings?: SettingsSection;
  /** Its management resource types. */
  readonly resourceTypes?: readonly ResourceType[];
  /** Additional types that the configuration declares. Settings are validated only after this. */
  configuredTypes?(config: ConfiguredBy): readonly ResourceType[];
  /**
   * True if it keeps documents by the ids of other services' resources, and moves them when those resources move: see `OpenService.onMove`.
   */
  readonly movesWithResources?: boolean;
  /** True if clients use a service-specific secret, which `GET /_jar/keys` shows under the service's name: see `OpenService.key`. */
  readonly hasKey?: boolean;
  /** If true, the service is opened at start, because it acts without a request (it watches containers, or listens on a port). */
  readonly eager?: boolean;
  /**
   * Runs once, outside of any transaction. A failure is reported to the call or the work item that needed the service; the next one tries
   * again.
   */
  open(jar: Jar): Promise<OpenService>;
}

/** The part of the configuration that resource types may depend on. */
export type ConfiguredBy = Pick<Config, 'services' | 'namespace'>;

/** One API of a service: its wire format and its addresses. */
export interface ServiceApi {
  /** Used in metrics, logs, limits and fault rules. */
  readonly name: string;
  readonly title: string;
  readonly family: ApiFamily;
  /** Path prefixes of this API: an unknown path below them is refused with its family's error shape. */
  readonly mounts: readonly string[];
  /**
   * Addresses of its routes outside of the mounts: path prefixes in which `{name}` matches one segment, and provider namespaces
   * (`/providers/Vendor.EventGrid`), which match behind any scope. A matching request opens the service.
   */
  readonly claims?: readonly string[];
  /** Its WebSockets, on both ports; the router must know them before the service is open. */
  readonly sockets?: readonly SocketHead[];
  /** Its quotas and rate limits. */
  readonly limits?: readonly Limit[];
  /** Resource identifiers (audiences) of tokens for this API. */
  readonly audiences?: readonly string[];
}

/** An open service. */
export interface OpenService extends ServiceCode {
  /**
   * The jar as seen by this service's code, extended by the service's in-memory state. Handlers get it as `call.jar`; work handlers,
   * delivery policies and followers as their context. Default: the jar itself.
   */
  readonly jar?: Jar;
  /** For eager services: code that is needed only for requests, work and changes. Loaded with the first of these. */
  code?(): Promise<ServiceCode>;
  /** Answers requests for its own host names before all routes; only for eager services. */
  readonly hostNames?: HostNames;
  /** Shown when the jar is ready; only for eager services. */
  readonly announce?: Announcement | readonly Announcement[];
  /** Called after a reset or a restored snapshot has replaced all state: clear everything held in memory that is derived from it. */
  stateReplaced?(): Promise<void> | void;
  close?(): Promise<void> | void;
}

/** The code that answers requests, handles due work and follows changes. */
export type KeyAccess = 'full' | 'read';

export interface ServiceCode extends OpenApi {
  /** Keyed by the names of `Service.apis`. */
  readonly apis?: Readonly<Record<string, OpenApi>>;
  /** Its part of the control API, for administrators: paths that begin with `/_jar/` and its name. */
  readonly control?: readonly Route[];
  /** Opened with the table of `Service.settings.changeable`. */
  // biome-ignore lint/suspicious/noExplicitAny: settings of any shape are kept side by side
  readonly settings?: OpenSettings<any>;
  readonly work?: readonly WorkHandler[];
  readonly policies?: readonly DeliveryPolicy[];
  /** Keyed by the names of `Service.follows`. */
  readonly followers?: Readonly<Record<string, FollowChanges>>;
  /** Deletes dependent data when a resource is deleted, by resource type; runs in the transaction that deletes the resource. */
  readonly onDelete?: Readonly<Record<string, OnDelete>>;
  /** Moves dependent data when a resource of any type moves; only if the manifest has `movesWithResources`. */
  readonly onMove?: OnMove;
  /** Returns the key that `GET /_jar/keys` shows: to people who may only read, one that permits only that, if the service has such keys. */
  key?(access: KeyAccess): Promise<string | undefined>;
}

export interface OpenApi {
  readonly routes?: readonly Route[];
  /** Run after the steps of the family. */
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

/** The default content of a service in an empty jar. A seed file may replace it under the service's name. */
export interface SeedSection {
  readonly schema: TSchema;
  readonly defaults: unknown;
  /**
   * Does everything that cannot be done in the transaction, which may await nothing but the store: loads code, hashes passwords and so on.
   */
  prepare(content: unknown): Promise<ApplySeed>;
}

/** `now` is the start time of the jar; during a reset the clock still shows another time. */
export type ApplySeed = (tx: Tx, jar: Jar, now: number) => Promise<void>;

/** The schema of `services.<name>` in the configuration. */
export interface SettingsSection {
  /**
   * Settings that can also be changed at run time, at `/_jar/<name>/settings`, which the kernel serves. `open` must return them as
   * `settings`.
   */
  // biome-ignore lint/suspicious/noExplicitAny: settings of any shape are kept side by side
  readonly changeable?: SettingsTable<any>;
  /** Called only if the configuration has a section for the service. */
  load(): Promise<SettingsRules>;
}

export interface SettingsRules {
  readonly schema: TSchema;
  /**
   * Called once at start: throws a `ConfigError` for mistakes that a schema cannot detect, and applies settings that are in force from the
   * start.
   */
  check?(jar: Jar): void;
}

/** The routes that a service adds to the control API: its settings and its own routes. */
export const controlRoutesOf = ({ settings, control = [] }: OpenService): readonly Route[] => [
  ...(settings?.control ?? []),
  ...control,
];

/** The service's main API and its additional ones. */
export const apisOf = (service: Service): readonly ServiceApi[] => [service, ...(service.apis ?? [])];
