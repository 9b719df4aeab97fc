import { expect } from 'vitest';
import { type Bench, type CallOptions, type Reply, SUBSCRIPTION } from '../../support/jars.ts';

export const VERSION = 'api-version=2023-05-01';

// biome-ignore lint/suspicious/noExplicitAny: tests send bodies of every shape, wrong ones included
export type Body = any;

/** A minimal container. */
export const aContainer = (name = 'web', properties: Body = {}): Body => ({
  name,
  properties: { image: 'nginx', resources: { requests: { cpu: 1, memoryInGB: 1.5 } }, ...properties },
});

export const aGroup = (properties: Body = {}, rest: Body = {}): Body => ({
  location: 'westus',
  ...rest,
  properties: { osType: 'Linux', containers: [aContainer()], ...properties },
});

export const groupRoot = (resourceGroup: string, subscription = SUBSCRIPTION): string =>
  `/subscriptions/${subscription}/resourceGroups/${resourceGroup}/providers/Vendor.ContainerInstance/containerGroups`;

/** Calls about the container groups of one resource group, which the first call creates. */
export class Groups {
  readonly #bench: Bench;
  readonly resourceGroup: string;
  #made: Promise<Reply> | undefined;

  constructor(bench: Bench, resourceGroup: string) {
    this.#bench = bench;
    this.resourceGroup = resourceGroup;
  }

  async call(method: string, name: string, options?: CallOptions): Promise<Reply> {
    this.#made ??= this.#bench.call(
      'PUT',
      `/subscriptions/${SUBSCRIPTION}/resourceGroups/${this.resourceGroup}?api-version=2021-04-01`,
      { body: { location: 'westeurope' } },
    );
    await this.#made;
    const path = name === '' ? groupRoot(this.resourceGroup) : `${groupRoot(this.resourceGroup)}/${name}`;
    return this.#bench.call(method, `${path}?${VERSION}`, options);
  }

  put(name: string, body: Body): Promise<Reply> {
    return this.call('PUT', name, { body });
  }

  get(name: string): Promise<Reply> {
    return this.call('GET', name);
  }

  delete(name: string): Promise<Reply> {
    return this.call('DELETE', name);
  }

  /** Creates a group and returns it when its deployment has ended. */
  async create(name: string, body: Body): Promise<Body> {
    const made = await this.put(name, body);
    expect(made.body?.error).toBeUndefined();
    expect(made.status).toBe(201);
    return this.settled(name);
  }

  /** The group when no work is due or running. */
  async settled(name: string): Promise<Body> {
    await this.#bench.jar.settled();
    const found = await this.get(name);
    expect(found.status).toBe(200);
    return found.body;
  }
}
