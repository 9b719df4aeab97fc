import type { Agent, Dispatcher } from 'undici';

/**
 * The one way out. Connections are kept and shared; certificates of the jar's own authority are trusted beside the system's, so that a jar can
 * call itself and other programs that use its certificates. Loaded with the first call: most jars never make one.
 */
export class OutboundClient {
  readonly #authority: () => Promise<string>;
  #agent: Promise<{ agent: Agent; request: typeof import('undici').request }> | undefined;

  constructor(authority: () => Promise<string>) {
    this.#authority = authority;
  }

  async request(
    url: string,
    options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'>,
  ): Promise<Dispatcher.ResponseData> {
    this.#agent ??= this.#load();
    const { agent, request } = await this.#agent;
    return request(url, { ...options, dispatcher: agent });
  }

  async close(): Promise<void> {
    const loaded = await this.#agent;
    await loaded?.agent.close();
  }

  async #load(): Promise<{ agent: Agent; request: typeof import('undici').request }> {
    // The bundle hands out a CommonJS package by its default export only.
    const [{ default: undici }, { getCACertificates }] = await Promise.all([import('undici'), import('node:tls')]);
    const ca = [...getCACertificates('default'), await this.#authority()];
    return { agent: new undici.Agent({ connect: { ca } }), request: undici.request };
  }
}
