import type { V1Pod, V1Secret, V1Service } from '@kubernetes/client-node';
import type { SyncRequest } from '../types.ts';
import { isConflict, isNotFound } from './api-errors.ts';
import { generationOf } from './names.ts';
import { type GroupObjects, hasOwner, isEnding, isOwnedBy, type LabelledObjects } from './objects.ts';
import type { Manifests } from './pod.ts';

/** The Secrets and the Service of a group: created before its Pod and deleted with it. */
export class GroupParts {
  readonly #objects: LabelledObjects;
  readonly #request: SyncRequest;

  constructor(objects: LabelledObjects, request: SyncRequest) {
    this.#objects = objects;
    this.#request = request;
  }

  /** Deletes parts of an earlier deployment, and parts that are about to be deleted with their Pod. */
  async clear(found: GroupObjects, { secrets }: Manifests): Promise<void> {
    const wanted = new Set(secrets.map(({ metadata }) => metadata?.name));
    const stale = found.secrets.filter((it) => hasOwner(it) || !wanted.has(it.metadata?.name));
    await this.deleteAll(
      stale,
      found.services.filter((it) => !this.#serves(it)),
    );
  }

  /** Whether this deployment uses the address of the Service. */
  #serves(service: V1Service): boolean {
    const { keepSandbox, generation, plan } = this.#request;
    if (isEnding(service) || hasOwner(service) || plan.network.address !== 'Public') return false;
    return keepSandbox || generationOf(service) === generation;
  }

  async make(found: GroupObjects, { secrets, service }: Manifests): Promise<void> {
    const objects = this.#objects;
    const there = new Set(
      found.secrets.filter((it) => !hasOwner(it) && !isEnding(it)).map(({ metadata }) => metadata?.name),
    );
    const missing = secrets.filter(({ metadata }) => !there.has(metadata?.name));
    await Promise.all(missing.map((it) => unlessThere(() => objects.createSecret(it))));
    if (service && !found.services.some((it) => this.#serves(it))) {
      await unlessThere(() => objects.createService(service));
    }
  }

  /** Creates parts that an existing Pod lacks, and makes the Pod the owner of all parts so that they are deleted with it. */
  async complete(pod: V1Pod, found: GroupObjects, manifests: Manifests): Promise<void> {
    const objects = this.#objects;
    const wanted = new Set(manifests.secrets.map(({ metadata }) => metadata?.name));
    const isThere = ({ metadata }: V1Secret): boolean =>
      found.secrets.some((it) => it.metadata?.name === metadata?.name && !isEnding(it));
    const lacks = manifests.secrets.filter((it) => !isThere(it));
    const service = found.services.find((it) => !isEnding(it));
    await Promise.all([
      ...lacks.map((it) => unlessThere(() => objects.createSecret(it))),
      ...found.secrets.filter(({ metadata }) => !wanted.has(metadata?.name)).map((it) => objects.delete('Secret', it)),
      ...(manifests.service && !service ? [unlessThere(() => objects.createService(manifests.service!))] : []),
    ]);
    const all = [...found.secrets, ...found.services];
    const orphans = lacks.length > 0 || (manifests.service && !service) || all.some((it) => !isOwnedBy(it, pod));
    if (orphans)
      await this.own(pod, lacks.length > 0 || !service ? await objects.ofGroup(this.#request.plan.uid) : found);
  }

  async own(pod: V1Pod, { secrets, services }: GroupObjects): Promise<void> {
    const objects = this.#objects;
    const adopt = (kind: 'Secret' | 'Service', each: V1Secret | V1Service): Promise<void>[] =>
      isEnding(each) || isOwnedBy(each, pod)
        ? []
        : [unlessThere(() => objects.setOwner(kind, each.metadata!.name!, pod))];
    await Promise.all([
      ...secrets.flatMap((each) => adopt('Secret', each)),
      ...services.flatMap((each) => adopt('Service', each)),
    ]);
  }

  /** A restart keeps the address, so the Service must not be deleted with the Pod. */
  async release({ services }: GroupObjects): Promise<void> {
    const owned = services.filter((it) => hasOwner(it) && !isEnding(it));
    await Promise.all(
      owned.map(({ metadata }) => unlessThere(() => this.#objects.setOwner('Service', metadata!.name!, undefined))),
    );
  }

  async deleteAll(secrets: readonly V1Secret[], services: readonly V1Service[]): Promise<void> {
    const objects = this.#objects;
    const alive = <T extends V1Secret | V1Service>(list: readonly T[]): T[] => list.filter((it) => !isEnding(it));
    await Promise.all([
      ...alive(secrets).map((it) => objects.delete('Secret', it)),
      ...alive(services).map((it) => objects.delete('Service', it)),
    ]);
  }
}

/**
 * Ignores conflicts, since an object that exists already (from before a crash or from another node) is equivalent, and missing objects,
 * which the next round handles.
 */
async function unlessThere(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error;
  }
}
