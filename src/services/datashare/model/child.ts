import type { TSchema } from 'typebox';
import { type ArmFacts, armFacts, type Origin, withPrefix } from '../../../kernel/arm/index.ts';
import type { ApiError } from '../../../kernel/http/index.ts';
import type { EntityShape, PropertyShape } from '../../../kernel/odata/index.ts';
import type { Collection, Reader, ReadLock, Tx } from '../../../kernel/store/index.ts';
import type { Owned } from '../collections.ts';
import type { DataShareCall } from '../jar.ts';
import type { NamedQuota } from '../limits.ts';
import { NAMESPACE } from '../types.ts';

/** What something hangs below: an account, a share or a share subscription. */
export interface Parent {
  readonly uid: string;
  readonly id: string;
}

export type ChildParams = Readonly<Record<string, string>>;
export type ChildCall = DataShareCall<ChildParams, DataShareCall['query'], unknown>;

/** A kind of thing that hangs below an account: where it is kept, how it is counted, how it looks. */
export interface ChildKind<D extends Owned, P extends Parent> {
  /** Without the namespace: `accounts/shares/dataSets`. */
  readonly type: string;
  /** `DataSets`: in front of the operation names. */
  readonly operations: string;
  /** The parameters of its path; the last is its own name. */
  readonly params: readonly string[];
  readonly collection: Collection<D>;
  readonly quota: NamedQuota;
  findParent(reader: Pick<Reader, 'get'>, arm: ArmFacts, params: never, lock?: ReadLock): Promise<P>;
  notFound(name: string, parent: P): ApiError;
  /** What its lists can be filtered and ordered by, beside its name and the time when it was made; without it they only have pages. */
  readonly shape?: EntityShape<D>;
  /** `kind` and `properties`. */
  show(document: D): Readonly<Record<string, unknown>>;
  /** For what follows from other documents; in lists for a page at once. */
  showAll?(documents: readonly D[], reader: Pick<Reader, 'get'>): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Whether answers have no `systemData`. */
  readonly isAnonymous?: boolean;
}

/** How it is made and changed. */
export interface ChildWriting<D extends Owned, P extends Parent, Prepared> {
  readonly body: TSchema;
  /** Before the transaction: reads the body, and finds out who writes. */
  prepare(call: ChildCall, arm: ArmFacts): Promise<Prepared> | Prepared;
  /** Says what to store. In the transaction; throw to refuse. */
  write(write: ChildWrite<D, P, Prepared>): Promise<D> | D;
  /** `Location` of a 201. */
  location?(call: ChildCall, document: D): string;
  /** The write goes on after its answer, and whoever ends it writes the change record. */
  readonly goesOn?: boolean;
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

/** What every child has, out of what a write is given. */
export const ownedOf = ({ uid, id, name, createdAt, systemData }: Owned): Owned => ({
  uid,
  id,
  name,
  createdAt,
  systemData,
});

export const segmentOf = ({ type }: { readonly type: string }): string => type.slice(type.lastIndexOf('/') + 1);

/** As it is on the wire. */
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

/** An id as it may stand in `Location`: names may have any letters, headers only those of ASCII. */
export const idAddress = (call: ChildCall, id: string): string => encodeURI(withPrefix(id, armFacts(call).prefix));

/** What lists of all kinds know. */
export const COMMON_SHAPE = {
  name: { type: 'Edm.String', field: 'name', ignoreCase: true },
  createdAt: { type: 'Edm.DateTimeOffset', field: 'createdAt' },
} as const satisfies Readonly<Record<string, PropertyShape>>;
