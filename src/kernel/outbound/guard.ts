import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { addressClassOf, isLocalhostName, isMetadataName, type Reach } from './addresses.ts';
import { OutboundError } from './errors.ts';

type LookupCallback = (error: Error | null, address?: string | LookupAddress[], family?: number) => void;
export type Lookup = (host: string, options: LookupOptions, callback: LookupCallback) => void;
export type Resolve = (host: string, callback: (error: Error | null, addresses: LookupAddress[]) => void) => void;

export interface GuardOptions {
  /** The host name or address that the jar listens on. */
  readonly host: string;
  /** Allows plain http to this machine where https is required otherwise. */
  readonly allowHttpLoopback: boolean;
  /** The ports that the jar listens on; 0 before it listens. */
  readonly ownPorts: () => readonly number[];
  readonly resolve?: Resolve;
}

/** The only path of a shared jar that its own requests may reach: inboxes, which accept posts from anyone. */
const OWN_PATH = '/_jar/inbox/';
const MOST_REACHES = 1000;

const THIS_MACHINE: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Decides which addresses requests may go to. A name is judged by the addresses it resolves to when the connection is made, and for exactly
 * that connection, so that DNS rebinding has no effect.
 */
export class OutboundGuard {
  readonly #options: GuardOptions;
  readonly #resolve: Resolve;
  /** True if other machines can reach the jar, and could use it to reach addresses that only this machine can. */
  #shared: boolean | undefined;
  /** Cache of classified addresses, because the same few recur. */
  readonly #reaches = new Map<string, Reach>();

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#resolve =
      options.resolve ?? ((host, callback) => systemLookup(host, { all: true, order: 'verbatim' }, callback));
  }

  get #isShared(): boolean {
    const { host } = this.#options;
    this.#shared ??= !(isLocalhostName(host) || addressClassOf(bare(host)) === 'loopback');
    return this.#shared;
  }

  /** False before the jar listens, because its own ports are unknown until then. */
  get isComplete(): boolean {
    return !this.#options.ownPorts().includes(0);
  }

  /**
   * Throws if the address is refused. Returns true if it is one of the jar's own inboxes, which a shared jar may reach on an address that
   * is otherwise refused.
   */
  check(url: URL, plainHttp: boolean): boolean {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new OutboundError('BadAddress', `'${url.protocol}' is not a supported protocol; use https`);
    }
    const host = bare(url.hostname);
    if (isMetadataName(host)) throw refused(host, 'is a metadata service');
    const isOwn = this.#options.ownPorts().includes(portOf(url)) && url.pathname.startsWith(OWN_PATH);
    if (isIP(host) !== 0) this.#judge(host, host, isOwn && isThisMachine(host));
    if (url.protocol === 'http:' && !plainHttp && !this.mayUseHttp(url)) {
      throw new OutboundError(
        'Blocked',
        `plain http to '${host}' is refused: use https, or start with --allow-http-loopback`,
      );
    }
    return isOwn;
  }

  /** Whether plain http is allowed for this address: on this machine if so configured, and always for the jar's own inboxes. */
  mayUseHttp(url: URL): boolean {
    const host = bare(url.hostname);
    const local = isLocalhostName(host) || addressClassOf(host) === 'loopback';
    if (local && this.#options.allowHttpLoopback) return true;
    const own = this.#options.ownPorts().includes(portOf(url)) && url.pathname.startsWith(OWN_PATH);
    return own && (local || isThisMachine(host));
  }

  /** For connections: resolves a name, and returns its addresses only if all of them are allowed. */
  lookup(own: boolean): Lookup {
    return (host, options, callback) => {
      this.#addresses(host, (error, addresses) => {
        if (error) return callback(error);
        try {
          for (const { address } of addresses) this.#judge(host, address, own && isThisMachine(address));
        } catch (refusal) {
          return callback(refusal instanceof Error ? refusal : new Error(String(refusal)));
        }
        const family = options.family === 4 || options.family === 6 ? options.family : 0;
        const usable = family === 0 ? addresses : addresses.filter((each) => each.family === family);
        const first = usable[0];
        if (!first) return callback(new OutboundError('ResolutionError', `'${host}' has no address`));
        if (options.all) callback(null, usable);
        else callback(null, first.address, first.family);
      });
    };
  }

  #addresses(host: string, callback: (error: Error | null, addresses: LookupAddress[]) => void): void {
    if (isLocalhostName(host)) callback(null, THIS_MACHINE);
    else this.#resolve(host, callback);
  }

  #addressClassOf(address: string): Reach {
    let reach = this.#reaches.get(address);
    if (reach === undefined) {
      reach = addressClassOf(address);
      if (this.#reaches.size >= MOST_REACHES) this.#reaches.clear();
      this.#reaches.set(address, reach);
    }
    return reach;
  }

  #judge(host: string, address: string, own: boolean): void {
    const reach = this.#addressClassOf(address);
    const where = host === address ? '' : ` (${address})`;
    if (reach === 'never')
      throw refused(`${host}${where}`, 'is a link-local, metadata, multicast or unspecified address');
    if (reach === 'public' || !this.#isShared || own) return;
    throw refused(`${host}${where}`, `is a ${reach} address, and this jar can be reached from other machines`);
  }
}

function refused(what: string, why: string): OutboundError {
  return new OutboundError('Blocked', `nothing is sent to ${what}: it ${why}`);
}

/** Removes the brackets that IPv6 addresses have in URLs. */
function bare(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host;
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function isThisMachine(address: string): boolean {
  if (addressClassOf(address) === 'loopback') return true;
  return Object.values(networkInterfaces()).some((list) => list?.some((each) => each.address === address));
}
