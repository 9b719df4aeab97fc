import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HostNames } from '../../../kernel/http/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { forwardRequest } from './forward-request.ts';
import { type Refusal, refuse, refuseUpgrade } from './refusal.ts';
import { type Target, targetOf } from './target.ts';
import { tunnel } from './tunnel.ts';

const FAILED = 'a request for the name of a container group could not be forwarded';

const NOT_LOOKED_UP: Refusal = { status: 503, reason: 'The jar cannot look up the name at the moment; try again.' };

/**
 * Forwards requests for the names of container groups to the ports that their engine published. Every name below `localhost` resolves to
 * this machine, so the jar's own ports are enough to reach a group by its name.
 */
export class GroupProxy implements HostNames {
  readonly below: string;
  readonly #jar: Pick<Jar, 'store' | 'log' | 'closing'>;

  constructor(jar: Pick<Jar, 'store' | 'log' | 'closing'>, below: string) {
    this.#jar = jar;
    this.below = below;
  }

  request(request: IncomingMessage, response: ServerResponse, host: string): void {
    const { closing } = this.#jar;
    if (closing.aborted) response.shouldKeepAlive = false;
    this.#find(request, host)
      .then((target) => ('reason' in target ? refuse(response, target) : forwardRequest(target, request, response)))
      .catch((error) => refuse(response, this.#failed(error, host)));
  }

  upgrade(request: IncomingMessage, client: Duplex, head: Buffer, host: string): void {
    const { closing } = this.#jar;
    // No other code handles errors of the connection until the group is found.
    client.on('error', () => client.destroy());
    this.#find(request, host)
      .then((target) => {
        if ('reason' in target) refuseUpgrade(client, target);
        else tunnel(target, { request, client, head, closing });
      })
      .catch((error) => refuseUpgrade(client, this.#failed(error, host)));
  }

  #find(request: IncomingMessage, host: string): Promise<Target> {
    return targetOf(this.#jar.store, host, portAsked(request));
  }

  #failed(error: unknown, host: string): Refusal {
    this.#jar.log.warn({ err: error, host }, FAILED);
    return NOT_LOOKED_UP;
  }
}

/** The port in a request to a proxy, which has the full address: `GET http://shop.westus.containers.localhost:8080/`. */
function portAsked({ url = '' }: IncomingMessage): number | undefined {
  const [, secure, port] = /^http(s?):\/\/[^/?#]*?(?::(\d{1,5}))?(?:[/?#]|$)/i.exec(url) ?? [];
  if (secure === undefined) return undefined;
  return port === undefined ? (secure === '' ? 80 : 443) : Number(port);
}
