import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Host names for which a service answers itself, whatever the path: what is behind them is not an API of the jar. */
export interface HostNames {
  /** `containers.localhost`: every name that ends with this, behind a dot. */
  readonly below: string;
  /** `host` is the name in lower case, without a port. */
  request(request: IncomingMessage, response: ServerResponse, host: string): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, host: string): void;
}

export interface NamedHost {
  readonly names: HostNames;
  readonly host: string;
}

/** The host names of all services. */
export class HostNameTable {
  readonly #entries: { readonly names: HostNames; readonly ending: string }[] = [];

  add(names: HostNames): void {
    this.#entries.push({ names, ending: `.${names.below.toLowerCase()}` });
  }

  /** Whose the host of a request is; every request is asked for, nearly all are nobody's. */
  find({ headers }: IncomingMessage): NamedHost | undefined {
    if (this.#entries.length === 0 || headers.host === undefined) return undefined;
    const host = nameOf(headers.host);
    for (const { names, ending } of this.#entries) if (host.endsWith(ending)) return { names, host };
    return undefined;
  }
}

/** Without a port and the dot at the end that a complete name may have. */
function nameOf(host: string): string {
  const colon = host.lastIndexOf(':');
  const name = colon < 0 || host.endsWith(']') ? host : host.slice(0, colon);
  return (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase();
}
