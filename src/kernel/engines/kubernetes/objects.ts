import type { CoreV1Event, V1ObjectMeta, V1OwnerReference, V1Pod, V1Secret, V1Service } from '@kubernetes/client-node';
import { asking, isConflict, isNotFound } from './api-errors.ts';
import type { Connection } from './connection.ts';
import { GROUP_LABEL, groupSelector, OWNER_LABEL, ownerSelector, podName } from './names.ts';

const PAGE = 500;

/** All objects of a group. */
export interface GroupObjects {
  readonly pod: V1Pod | undefined;
  readonly secrets: readonly V1Secret[];
  readonly services: readonly V1Service[];
}

export type OwnedKind = 'Secret' | 'Service';
type Kind = 'Pod' | OwnedKind;

interface Listed<T> {
  readonly items: T[];
  readonly metadata?: { readonly _continue?: string; readonly resourceVersion?: string };
}

interface ListQuery {
  readonly namespace: string;
  readonly labelSelector: string;
  readonly limit: number;
  readonly _continue?: string;
}

/** Objects of one owner in one namespace. Objects without the owner's label are neither returned nor deleted. */
export class LabelledObjects {
  readonly #owner: string;
  readonly #connection: Connection;

  constructor(owner: string, connection: Connection) {
    this.#owner = owner;
    this.#connection = connection;
  }

  async ofGroup(uid: string): Promise<GroupObjects> {
    const selector = groupSelector(this.#owner, uid);
    const { core } = this.#connection;
    const [pods, secrets, services] = await Promise.all([
      this.#list('Pod', selector, (query) => core.listNamespacedPod(query)),
      this.#list('Secret', selector, (query) => core.listNamespacedSecret(query)),
      this.#list('Service', selector, (query) => core.listNamespacedService(query)),
    ]);
    return { pod: pods.find(({ metadata }) => metadata?.name === podName(uid)), secrets, services };
  }

  /** The uids of all groups that have objects. */
  async uids(): Promise<string[]> {
    const selector = ownerSelector(this.#owner);
    const { core } = this.#connection;
    const lists: { metadata?: V1ObjectMeta }[][] = await Promise.all([
      this.#list('Pod', selector, (query) => core.listNamespacedPod(query)),
      this.#list('Secret', selector, (query) => core.listNamespacedSecret(query)),
      this.#list('Service', selector, (query) => core.listNamespacedService(query)),
    ]);
    return [...new Set(lists.flat().flatMap(({ metadata }) => metadata?.labels?.[GROUP_LABEL] ?? []))];
  }

  /** Events of the cluster about a group's Pods. */
  async events(uid: string): Promise<CoreV1Event[]> {
    const { core, namespace } = this.#connection;
    const fieldSelector = `involvedObject.kind=Pod,involvedObject.name=${podName(uid)}`;
    const listed = await asking('listing events', () =>
      core.listNamespacedEvent({ namespace, fieldSelector, limit: PAGE }),
    );
    return listed.items;
  }

  createPod(body: V1Pod): Promise<V1Pod> {
    const { core, namespace } = this.#connection;
    return asking('creating the Pod', () => core.createNamespacedPod({ namespace, body }));
  }

  async createSecret(body: V1Secret): Promise<void> {
    const { core, namespace } = this.#connection;
    await asking('creating a Secret', () => core.createNamespacedSecret({ namespace, body }));
  }

  async createService(body: V1Service): Promise<void> {
    const { core, namespace } = this.#connection;
    await asking('creating the Service', () => core.createNamespacedService({ namespace, body }));
  }

  /** Sets the Pod whose deletion also deletes the object; undefined removes the owner. */
  async setOwner(kind: OwnedKind, name: string, owner: V1Pod | undefined): Promise<void> {
    const { core, namespace, library } = this.#connection;
    const body = { metadata: { ownerReferences: owner ? [ownedBy(owner)] : null } };
    const merge = library.setHeaderOptions('Content-Type', library.PatchStrategy.MergePatch);
    await asking(`patching a ${kind}`, () =>
      kind === 'Secret'
        ? core.patchNamespacedSecret({ namespace, name, body }, merge)
        : core.patchNamespacedService({ namespace, name, body }, merge),
    );
  }

  deletePod(pod: V1Pod, graceSeconds: number): Promise<void> {
    return this.#delete('Pod', pod, graceSeconds);
  }

  delete(kind: OwnedKind, object: { metadata?: V1ObjectMeta }): Promise<void> {
    return this.#delete(kind, object);
  }

  /** Deletes an object if it is unchanged in identity and has the owner's label. A missing object is not an error. */
  async #delete(kind: Kind, { metadata }: { metadata?: V1ObjectMeta }, graceSeconds?: number): Promise<void> {
    if (metadata?.labels?.[OWNER_LABEL] !== this.#owner) return;
    const { core, namespace } = this.#connection;
    const request = {
      namespace,
      name: metadata.name!,
      body: {
        preconditions: { uid: metadata.uid! },
        propagationPolicy: 'Background',
        ...(graceSeconds !== undefined && { gracePeriodSeconds: graceSeconds }),
      },
    };
    const ask = {
      Pod: () => core.deleteNamespacedPod(request),
      Secret: () => core.deleteNamespacedSecret(request),
      Service: () => core.deleteNamespacedService(request),
    }[kind];
    try {
      await asking<unknown>(`deleting a ${kind}`, ask);
    } catch (error) {
      // Conflict: another object has the name by now.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  async #list<T>(kind: Kind, labelSelector: string, ask: (query: ListQuery) => Promise<Listed<T>>): Promise<T[]> {
    const { namespace } = this.#connection;
    const items: T[] = [];
    let next: string | undefined;
    do {
      const query = { namespace, labelSelector, limit: PAGE, ...(next && { _continue: next }) };
      const page = await asking(`listing ${kind}s`, () => ask(query));
      items.push(...page.items);
      next = page.metadata?._continue || undefined;
    } while (next);
    return items;
  }
}

function ownedBy({ metadata }: V1Pod): V1OwnerReference {
  return { apiVersion: 'v1', kind: 'Pod', name: metadata!.name!, uid: metadata!.uid! };
}

export const isOwnedBy = (object: { metadata?: V1ObjectMeta }, pod: V1Pod): boolean =>
  object.metadata?.ownerReferences?.some(({ uid }) => uid === pod.metadata?.uid) ?? false;

export const hasOwner = (object: { metadata?: V1ObjectMeta }): boolean =>
  (object.metadata?.ownerReferences?.length ?? 0) > 0;

export const isEnding = (object: { metadata?: V1ObjectMeta }): boolean =>
  object.metadata?.deletionTimestamp !== undefined;
