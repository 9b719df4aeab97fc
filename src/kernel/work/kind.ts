import type { Json, NewWork, WorkItem } from '../store/types.ts';
import { isList } from '../values/objects.ts';

interface Described<Payload> {
  /** What running an item does, for lists of due work: `Deletes an expired subscription`. */
  readonly title?: string;
  /** The text member of the payload that names what the work is about. Never a secret. */
  readonly subject?: keyof Payload & string;
  /** True if a run schedules the next one, as that of a schedule does: a preview cannot know how often it will run. */
  readonly recurs?: boolean;
  /** True if payloads contain a secret: lists do not show them. */
  readonly hasSecret?: boolean;
}

interface Unversioned {
  /** How many items of this kind may run at once; the default 1 runs them strictly in order of their due time. */
  readonly concurrency?: number;
  /** How often an item may fail, or crash its holder, before it is parked; default ten, `Infinity` for no limit. */
  readonly maxAttempts?: number;
}

interface Versioned<Payload> {
  /** The version of the payload, 2 or more. Raise it when the shape of the payload changes. */
  readonly version: number;
  /** Converts a payload that an older release has stored to the current version. */
  upgrade(payload: Json, version: number): Payload;
  /** The first release that writes this version: earlier ones must not use the store, because they cannot read the items. */
  readonly release: string;
}

export type WorkKindOptions<Payload> = Described<Payload> &
  Unversioned &
  (Versioned<Payload> | { readonly version?: 1 });

/** A kind of due work: the name under which items are stored, their payload, and how many run at once. */
export interface WorkKind<Payload = unknown> {
  readonly kind: string;
  readonly title: string | undefined;
  readonly recurs: boolean;
  readonly hasSecret: boolean;
  readonly concurrency: number;
  readonly maxAttempts: number | undefined;
  /** Returns what an item with this stored payload is about, if that is known. */
  subjectOf(payload: Json): string | undefined;
  /** The first release that can read its payloads; undefined if every release can. */
  readonly oldestRelease: string | undefined;
  /** Creates an item for `tx.schedule`. With an id there is at most one item of that id, and scheduling it again moves it. */
  at(dueAt: number, payload: Payload): NewWork;
  at(dueAt: number, payload: Payload, id: string): NewWork & { readonly id: string };
  /** Converts an item for its handler: its payload gets the current version. */
  read(item: WorkItem): WorkItem<Payload>;
}

/** The member that stores the version of a payload; a payload without it has version 1. */
const VERSION = '$version';

/** Declares a kind of due work. The name is stored with every item and must never change. */
export function defineWork<Payload extends object>(
  kind: string,
  options: WorkKindOptions<Payload> = {},
): WorkKind<Payload> {
  const { title, subject, recurs = false, hasSecret = false, concurrency = 1, maxAttempts, version = 1 } = options;
  const { upgrade, release } = 'upgrade' in options ? options : {};
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new Error(`work '${kind}' has a concurrency of ${concurrency}`);
  if (!Number.isInteger(version) || version < 1) throw new Error(`work '${kind}' is of version ${version}`);
  if (version > 1 !== (upgrade !== undefined && release !== undefined))
    throw new Error(
      `work '${kind}' is of version ${version}: a version after 1, its upgrade and its release go together`,
    );
  const stored = (payload: Payload): Json => asJson(version === 1 ? payload : { ...payload, [VERSION]: version });
  return {
    kind,
    title,
    recurs,
    hasSecret,
    concurrency,
    maxAttempts,
    oldestRelease: release,
    subjectOf: (payload) => textIn(payload, subject),
    at: (dueAt: number, payload: Payload, id?: string) =>
      ({
        kind,
        dueAt,
        payload: stored(payload),
        ...(id !== undefined && { id }),
      }) as NewWork & { readonly id: string },
    read(item) {
      const of = versionOf(item.payload);
      if (of === version) return trusted(item);
      if (of > version || !upgrade)
        throw new Error(`work '${kind}' of version ${of} is newer than this release, which knows ${version}`);
      return { ...item, payload: upgrade(item.payload, of) };
    },
  };
}

function textIn(payload: Json, member: string | undefined): string | undefined {
  if (member === undefined || typeof payload !== 'object' || payload === null || isList(payload)) return undefined;
  const value = payload[member];
  return typeof value === 'string' ? value : undefined;
}

const versionOf = (payload: Json): number => {
  const of = typeof payload === 'object' && payload !== null && !isList(payload) ? payload[VERSION] : undefined;
  return typeof of === 'number' ? of : 1;
};

/** The only cast from a stored payload to the type of its kind: the item was stored by `at` of the same kind and version. */
const trusted = <Payload>(item: WorkItem): WorkItem<Payload> => item as WorkItem<never>;

/** Payloads are declared as interfaces, which TypeScript does not accept as JSON although they contain nothing else. */
const asJson = (payload: object): Json => payload as Json;

/** The handler of one kind of work. `Context` is what the owner of the handler is called with. */
export interface WorkHandler<Payload = unknown, Context = unknown> {
  readonly of: WorkKind<Payload>;
  /**
   * `halt` is aborted when all work must stop (a reset, a snapshot, the end of the jar); long-running work then ends. Runs at least once.
   * Effects that must happen exactly once belong in one `store.transact` that also calls `tx.complete(item)`; if an item is not completed
   * when `run` returns, the worker completes it.
   */
  run(item: WorkItem<Payload>, context: Context, halt: AbortSignal): Promise<void>;
}

/** Pairs a kind of work with its handler. */
export const workHandler = <Payload, Context>(
  of: WorkKind<Payload>,
  run: WorkHandler<Payload, Context>['run'],
): WorkHandler<Payload, Context> => ({ of, run });

/** A handler bound to its context, as the worker runs it. */
export interface BoundWork {
  readonly kind: string;
  readonly concurrency: number;
  readonly maxAttempts: number | undefined;
  run(item: WorkItem, halt: AbortSignal): Promise<void>;
}

/** For handlers of the kernel's own engines. */
export const boundWork = <Payload>(
  of: WorkKind<Payload>,
  run: (item: WorkItem<Payload>, halt: AbortSignal) => Promise<void>,
): BoundWork => ({
  kind: of.kind,
  concurrency: of.concurrency,
  maxAttempts: of.maxAttempts,
  run: (item, halt) => run(of.read(item), halt),
});
