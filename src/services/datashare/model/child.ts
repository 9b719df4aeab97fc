import type { TSchema } from 'typebox';
import { type ArmFacts, armFacts, type Origin, withPrefix } from '../../../kernel/arm/index.ts';
import type { ApiError } from '../../../kernel/http/index.ts';
import type { EntityShape, PropertyShape } from '../../../kernel/odata/index.ts';
import type { Collection, Reader, ReadLock, Tx } from '../../../kernel/store/index.ts';
import type { Owned } from '../collections.ts';
import type { DataShareCall } from '../jar.ts';
import type { NamedQuota } from '../limits.ts';
import { NAMESPACE } from '../types.ts';

/** A parent: an account, a share or a share subscription. */
export interface Parent {
  readonly uid: string;
  readonly id: string;
}

export type ChildParams = Readonly<Record<string, string>>;
export type ChildCall = DataShareCall<ChildParams, DataShareCall['query'], unknown>;

/** A kind of child resource of an account: its storage, its quota and its representation. */
export interface ChildKind<D extends Owned, P extends Parent> {
  /** Without the namespace, for example `accounts/shares/dataSets`. */
  readonly type: string;
  /** Prefix of the operation names, for example `DataSets`. */
  readonly operations: string;
  /** The parameters of its path; the last one is the resource's own name. */
  readonly params: readonly string[];
  readonly collection: Collection<D>;
  readonly quota: NamedQuota;
  findParent(reader: Pick<Reader, 'get'>, arm: ArmFacts, params: never, lock?: ReadLock): Promise<P>;
  notFound(name: string, parent: P): ApiError;
  /** Additional properties for filtering and ordering lists, beside name and creation time. If undefined, lists support only pages. */
  readonly shape?: EntityShape<D>;
  /** Returns `kind` and `properties`. */
  show(document: D): Readonly<Record<string, unknown>>;
  /** For properties derived from other documents; called once per page in lists. */
  showAll?(documents: readonly D[], reader: Pick<Reader, 'get'>): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** True if responses have no `systemData`. */
  readonly isAnonymous?: boolean;
}

/** How a child is created and updated. */
export interface ChildWriting<D extends Owned, P extends Parent, Prepared> {
  readonly body: TSchema;
  /** Runs before the transaction: validates the body and resolves the caller. */
  prepare(call: ChildCall, arm: ArmFacts): Promise<Prepared> | Prepared;
  /** Runs in the transaction and returns the document to store; throws to reject. */
  write(write: ChildWrite<D, P, Prepared>): Promise<D> | D;
  /** The `Location` header of a 201. */
  location?(call: ChildCall, document: D): string;
  /** True if the write continues after its response; the work that ends it writes the activity record. */
  readonly continuesAfterResponse?: boolean;
}

export interface ChildWrite<D extends Owned, P extends Parent, Prepared> extends Owned {
  readonly tx: Tx;
  readonly call: ChildCall;
  readonly arm: ArmFacts;
  readonly key: string;
  readonly parent: P;
  readonly existing: D | undefined;
  readonly prepared: Prepared;
  readonly now: number;
  readonly origin: Origin;
}

/** The properties common to all children, taken from a write. */
export const ownedOf = ({ uid, id, name, createdAt, systemData }: Owned): Owned => ({
  uid,
  id,
  name,
  createdAt,
  systemData,
});

export const segmentOf = ({ type }: { readonly type: string }): string => type.slice(type.lastIndexOf('/') + 1);

/** The wire representation. */
export function childView<D extends Owned, P extends Parent>(
  { type, isAnonymous }: Pick<ChildKind<D, P>, 'type' | 'isAnonymous'>,
  document: D,
  shown: Readonly<Record<string, unknown>>,
  prefix: string,
): Record<string, unknown> {
  return {
    id: withPrefix(document.id, prefix),
    name: document.name,
    type: withPrefix(`${NAMESPACE}/${type}`, prefix),
    ...(!isAnonymous && { systemData: document.systemData }),
    ...shown,
  };
}

/** An id encoded for the `Location` header: names may contain any letters, headers only ASCII. */
export const idAddress = (call: ChildCall, id: string): string => encodeURI(withPrefix(id, armFacts(call).prefix));

/** Properties available in the lists of all kinds. */
export const COMMON_SHAPE = {
  name: { type: 'Edm.String', field: 'name', ignoreCase: true },
  createdAt: { type: 'Edm.DateTimeOffset', field: 'createdAt' },
} as const satisfies Readonly<Record<string, PropertyShape>>;
