import type { Json, NewWork, WorkItem } from '../store/types.ts';
import { isList } from '../values/objects.ts';

interface Unversioned {
  /** How many items of this kind may run at once; 1 (the default) keeps them strictly in due order. */
  readonly concurrency?: number;
  /** How often an item may fail, or take its holder down with it, before it is parked; ten times by default, `Infinity` for ever. */
  readonly maxAttempts?: number;
}

interface Versioned<Payload> {
  /** Of the payload, 2 or more. Goes up by one when the payload changes its shape. */
  readonly version: number;
  /** Makes a payload of the current version out of one that an older release has stored. */
  upgrade(payload: Json, version: number): Payload;
  /** The release that writes this version first: earlier ones may not use the store any more, as they could not read the items. */
  readonly release: string;
}

export type WorkKindOptions<Payload> = Unversioned & (Versioned<Payload> | { readonly version?: 1 });

/** A kind of due work: the name under which items are stored, what they carry, and how many of them run at once. */
export interface WorkKind<Payload = unknown> {
  readonly kind: string;
  readonly concurrency: number;
  readonly maxAttempts: number | undefined;
  /** The first release that can read its payloads. Undefined where every release can. */
  readonly oldestRelease: string | undefined;
  /** An item for `tx.schedule`; with an id there is at most one of that id, and scheduling it again moves it. */
  at(dueAt: number, payload: Payload): NewWork;
  at(dueAt: number, payload: Payload, id: string): NewWork & { readonly id: string };
  /** An item as its handler gets it, its payload of the current version. */
  read(item: WorkItem): WorkItem<Payload>;
}

/** Where a payload of version 2 and later keeps its version; one without is of version 1. */
const VERSION = '$version';

/** Declares a kind of due work. The name is stored with every item and must never change. */
export function defineWork<Payload extends object>(
  kind: string,
  options: WorkKindOptions<Payload> = {},
): WorkKind<Payload> {
  const { concurrency = 1, maxAttempts, version = 1 } = options;
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
    concurrency,
    maxAttempts,
    oldestRelease: release,
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

const versionOf = (payload: Json): number => {
  const of = typeof payload === 'object' && payload !== null && !isList(payload) ? payload[VERSION] : undefined;
  return typeof of === 'number' ? of : 1;
};

/** The one place where a stored payload is taken for what its kind declares: the item was stored by `at` of the same kind and version. */
const trusted = <Payload>(item: WorkItem): WorkItem<Payload> => item as WorkItem<never>;

/** Payloads are declared as interfaces, which TypeScript does not take for JSON though they hold nothing else. */
const asJson = (payload: object): Json => payload as Json;

/** What does the work of one kind. `Context` is what the owner of the handler wants to be called with. */
export interface WorkHandler<Payload = unknown, Context = unknown> {
  readonly of: WorkKind<Payload>;
  /**
   * `halt` is aborted when everything is to come to a stop (a reset, a snapshot, the end of the jar): work that goes on for long ends then.
   * Runs at least once. Effects that must happen exactly once go into one `store.transact` that also calls
   * `tx.complete(item)`; an item that is not completed by the time this returns is completed by the worker.
   */
  run(item: WorkItem<Payload>, context: Context, halt: AbortSignal): Promise<void>;
}

/** Pairs a kind of work with what does it. */
export const handleWork = <Payload, Context>(
  of: WorkKind<Payload>,
  run: WorkHandler<Payload, Context>['run'],
): WorkHandler<Payload, Context> => ({ of, run });

/** A handler that has its context already: what the worker runs. */
export interface BoundWork {
  readonly kind: string;
  readonly concurrency: number;
  readonly maxAttempts: number | undefined;
  run(item: WorkItem, halt: AbortSignal): Promise<void>;
}

/** Of a handler that an engine of the kernel brings itself. */
export const boundWork = <Payload>(
  of: WorkKind<Payload>,
  run: (item: WorkItem<Payload>, halt: AbortSignal) => Promise<void>,
): BoundWork => ({
  kind: of.kind,
  concurrency: of.concurrency,
  maxAttempts: of.maxAttempts,
  run: (item, halt) => run(of.read(item), halt),
});
