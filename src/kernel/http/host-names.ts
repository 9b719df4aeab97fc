import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Host names that a service serves itself, for all paths: they are not part of the jar's APIs. */
export interface HostNames {
  /** Suffix after a dot: `containers.localhost` covers all names below it. */
  readonly below: string;
  /** `host` is the name in lower case, without port. */
  request(request: IncomingMessage, response: ServerResponse, host: string): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, host: string): void;
}

export interface NamedHost {
  readonly names: HostNames;
  readonly host: string;
}

export class HostNameTable {
  readonly #entries: { readonly names: HostNames; readonly ending: string }[] = [];

  add(names: HostNames): void {
    this.#entries.push({ names, ending: `.${names.below.toLowerCase()}` });
  }

  /** Finds the owner of a request's host. Called for every request; nearly all hosts have no owner. */
  find({ headers }: IncomingMessage): NamedHost | undefined {
    if (this.#entries.length === 0 || headers.host === undefined) return undefined;
    const host = nameOf(headers.host);
    for (const { names, ending } of this.#entries) if (host.endsWith(ending)) return { names, host };
    return undefined;
  }
}

/** Removes the port, and the trailing dot of a fully qualified name. */
function nameOf(host: string): string {
  const colon = host.lastIndexOf(':');
  const name = colon < 0 || host.endsWith(']') ? host : host.slice(0, colon);
  return (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase();
}
