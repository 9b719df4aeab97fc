import { expect } from 'vitest';
import { type Bench, type CallOptions, type Reply, SUBSCRIPTION } from '../../../support/jars.ts';

export const VERSION = 'api-version=2025-02-15';

// biome-ignore lint/suspicious/noExplicitAny: tests send bodies of every shape, wrong ones included
export type Body = any;

export const providerOf = (resourceGroup: string, subscription = SUBSCRIPTION): string =>
  `/subscriptions/${subscription}/resourceGroups/${resourceGroup}/providers/Vendor.EventGrid`;

/** Calls about the topics and domains of one resource group, which the first call creates. */
export class Grid {
  readonly #bench: Bench;
  readonly resourceGroup: string;
  readonly #subscription: string;
  readonly #token: (() => Promise<string>) | undefined;
  #made: Promise<Reply> | undefined;

  constructor(bench: Bench, resourceGroup: string, subscription = SUBSCRIPTION, token?: () => Promise<string>) {
    this.#bench = bench;
    this.resourceGroup = resourceGroup;
    this.#subscription = subscription;
    this.#token = token;
  }

  /** `path` is below the provider: `topics/orders`. */
  async call(method: string, path: string, options: CallOptions = {}): Promise<Reply> {
    const token = await this.#token?.();
    const given = { ...(token !== undefined && { token }), ...options };
    this.#made ??= this.#bench.call(
      'PUT',
      `/subscriptions/${this.#subscription}/resourceGroups/${this.resourceGroup}?api-version=2021-04-01`,
      { ...given, body: { location: 'westeurope' } },
    );
    await this.#made;
    const root = providerOf(this.resourceGroup, this.#subscription);
    const version = path.includes('api-version=') ? '' : `${path.includes('?') ? '&' : '?'}${VERSION}`;
    return this.#bench.call(method, `${root}/${path}${version}`, given);
  }

  put(path: string, body: Body = { location: 'westeurope' }): Promise<Reply> {
    return this.call('PUT', path, { body });
  }

  patch(path: string, body: Body): Promise<Reply> {
    return this.call('PATCH', path, { body });
  }

  get(path: string): Promise<Reply> {
    return this.call('GET', path);
  }

  delete(path: string): Promise<Reply> {
    return this.call('DELETE', path);
  }

  /** Creates a resource and waits until it is complete. */
  async create(path: string, properties: Body = {}, rest: Body = {}): Promise<Body> {
    const made = await this.put(path, { location: 'westeurope', ...rest, properties });
    expect(made.body.error).toBeUndefined();
    await this.#bench.jar.settled();
    return (await this.get(path)).body;
  }

  /** Access keys of a topic or a domain. */
  async keys(path: string): Promise<{ key1: string; key2: string }> {
    const listed = await this.call('POST', `${path}/listKeys`);
    expect(listed.status).toBe(200);
    return listed.body;
  }
}
