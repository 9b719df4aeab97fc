import { randomUUID } from 'node:crypto';

/** An object as sent by the API: the common parts and any other members. */
export interface Stored {
  apiVersion: string;
  kind: string;
  metadata: Metadata;
  // biome-ignore lint/suspicious/noExplicitAny: kinds of every shape are kept side by side
  [field: string]: any;
}

export interface Metadata {
  name: string;
  namespace?: string;
  uid: string;
  resourceVersion: string;
  creationTimestamp: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: { apiVersion: string; kind: string; name: string; uid: string }[];
  finalizers?: string[];
}

/** Plural, as in paths. */
export type Kind = 'pods' | 'secrets' | 'services' | 'events' | 'nodes';

export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly version: number;
  readonly kind: Kind;
  readonly object: Stored;
}

export class StatusError extends Error {
  readonly code: number;
  readonly reason: string;

  constructor(code: number, reason: string, message: string) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

/** Objects by kind, namespace and name, with the versions and the history that a watch needs. */
export class ObjectStore {
  readonly #objects = new Map<string, Stored>();
  readonly #history: Change[] = [];
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #now: () => number;
  #version = 1000;
  /** The history up to this version is deleted. */
  #compacted = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  get version(): number {
    return this.#version;
  }

  create(kind: Kind, namespace: string, object: Stored): Stored {
    const key = keyOf(kind, namespace, object.metadata.name);
    if (this.#objects.has(key)) {
      throw new StatusError(409, 'AlreadyExists', `${kind} "${object.metadata.name}" already exists`);
    }
    const created = structuredClone(object);
    created.metadata = {
      ...created.metadata,
      namespace,
      uid: randomUUID(),
      creationTimestamp: this.stamp(),
      resourceVersion: '',
    };
    this.#objects.set(key, created);
    this.#record('ADDED', kind, created);
    return structuredClone(created);
  }

  find(kind: Kind, namespace: string, name: string): Stored | undefined {
    const found = this.#objects.get(keyOf(kind, namespace, name));
    return found && structuredClone(found);
  }

  get(kind: Kind, namespace: string, name: string): Stored {
    const found = this.find(kind, namespace, name);
    if (!found) throw new StatusError(404, 'NotFound', `${kind} "${name}" not found`);
    return found;
  }

  /** By name, in storage order. */
  list(kind: Kind, namespace?: string): Stored[] {
    const start = `${kind}/${namespace === undefined ? '' : `${namespace}/`}`;
    const keys = [...this.#objects.keys()].filter((key) => key.startsWith(start)).sort();
    return keys.map((key) => structuredClone(this.#objects.get(key)!));
  }

  /** Changes an object in place; writes nothing if it is unchanged. */
  update(kind: Kind, namespace: string, name: string, change: (object: Stored) => void): void {
    const object = this.#objects.get(keyOf(kind, namespace, name));
    if (!object) return;
    const before = JSON.stringify(object);
    change(object);
    if (JSON.stringify(object) !== before) this.#record('MODIFIED', kind, object);
  }

  remove(kind: Kind, namespace: string, name: string): void {
    const key = keyOf(kind, namespace, name);
    const object = this.#objects.get(key);
    if (!object) return;
    this.#objects.delete(key);
    this.#record('DELETED', kind, object);
  }

  /** Changes since a version; throws if the history no longer has it. */
  since(version: number): Change[] {
    if (version < this.#compacted) throw new StatusError(410, 'Expired', `too old resource version: ${version}`);
    return this.#history.filter((change) => change.version > version);
  }

  compact(): void {
    this.#compacted = ++this.#version;
    this.#history.length = 0;
  }

  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  stamp(): string {
    return `${new Date(this.#now()).toISOString().slice(0, 19)}Z`;
  }

  #record(type: Change['type'], kind: Kind, object: Stored): void {
    object.metadata.resourceVersion = String(++this.#version);
    const change: Change = { type, version: this.#version, kind, object: structuredClone(object) };
    this.#history.push(change);
    for (const listener of this.#listeners) listener(change);
  }
}

const keyOf = (kind: Kind, namespace: string, name: string): string => `${kind}/${namespace}/${name}`;

export type Selector = (object: Stored) => boolean;

/** `a=b,c=d` over labels and fields, as far as they are used. */
export function selectorOf(labels: string | null, fields: string | null): Selector {
  const pairs = (text: string | null): [string, string][] =>
    (text ?? '')
      .split(',')
      .filter(Boolean)
      .map((part) => {
        const [name, value] = part.split('=');
        return [name!, value ?? ''];
      });
  const wantedLabels = pairs(labels);
  const wantedFields = pairs(fields);
  return (object) =>
    wantedLabels.every(([name, value]) => object.metadata.labels?.[name] === value) &&
    wantedFields.every(([path, value]) => String(fieldOf(object, path)) === value);
}

function fieldOf(object: Stored, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], object);
}
