import { CLOSE, type SocketConnection } from '../../../../kernel/http/index.ts';
import { uuid } from '../../../../kernel/ids/index.ts';
import type { EventsCall } from '../../jar.ts';
import { relayErrors } from './errors.ts';
import { Listener, readChannel } from './listener.ts';
import { relayPath } from './relay.ts';
import { checkRelayToken } from './token.ts';

type HybridCall = EventsCall<Readonly<Record<'namespace' | 'connection', string>>>;

/** The real service's limit of listeners per hybrid connection. */
const MOST_LISTENERS = 25;

const actionOf = ({ query }: HybridCall): string => String(query['sb-hc-action'] ?? '').toLowerCase();
const pathOf = ({ params }: HybridCall): string => relayPath(params.namespace, params.connection);

export function admit(call: HybridCall): void {
  const path = pathOf(call);
  const relay = call.jar.relay;
  switch (actionOf(call)) {
    case 'listen':
      checkRelayToken(call.jar, tokenOf(call), path);
      if (relay.count(path) >= MOST_LISTENERS) {
        throw relayErrors.Forbidden({
          reason: `'${path}' has ${MOST_LISTENERS} listeners, which is the maximum.`,
        });
      }
      return;
    case 'request': {
      // The id authenticates the request: only the listener received it.
      const exchange = relay.exchange(String(call.query['sb-hc-id'] ?? ''));
      if (exchange?.path !== path) throw relayErrors.Forbidden({ reason: 'The address has expired.' });
      return;
    }
    default:
      throw relayErrors.BadRequest({
        reason: "'sb-hc-action' must be 'listen'; only the jar sends, when it delivers events.",
      });
  }
}

export async function open(call: HybridCall, socket: SocketConnection): Promise<void> {
  if (actionOf(call) === 'request') await rendezvous(call, socket);
  else await listen(call, socket);
}

async function listen(call: HybridCall, socket: SocketConnection): Promise<void> {
  const { jar, query, remoteAddress } = call;
  const path = pathOf(call);
  const listener = new Listener({
    path,
    id: String(query['sb-hc-id'] ?? uuid()).slice(0, 100),
    socket,
    connectedAt: jar.clock.now(),
    remoteAddress,
    origin: call.origin.replace(/^http/, 'ws'),
  });
  let cancel: (() => void) | undefined;
  const keepUntil = (until: number): void => {
    cancel?.();
    cancel = jar.clock.wakeAt(until, () => {
      // A reset of the clock also triggers the callback, possibly before the time.
      if (jar.clock.now() < until) keepUntil(until);
      else socket.close(CLOSE.policy, 'the token has expired');
    });
  };
  keepUntil(checkRelayToken(jar, tokenOf(call), path));
  const relay = jar.relay;
  relay.add(listener);
  // Removed as soon as the socket closes, not when its last message has been read: nothing can be sent to it any more.
  socket.closed.addEventListener('abort', () => relay.remove(listener));
  try {
    await listener.serve((token) => keepUntil(checkRelayToken(jar, token, path)));
  } finally {
    relay.remove(listener);
    cancel?.();
  }
}

/** A connection for one request: the listener fetches a request that is too large for the control channel, or sends its answer. */
async function rendezvous({ jar, query }: HybridCall, socket: SocketConnection): Promise<void> {
  const exchange = jar.relay.exchange(String(query['sb-hc-id']));
  if (!exchange) return;
  if (exchange.isInvited) {
    void socket.send(exchange.header);
    void socket.send(exchange.body);
  }
  const done = new Promise<void>((resolve) => exchange.whenDone(resolve));
  await Promise.race([done, readChannel(socket, new Map([[exchange.id, exchange]]), () => {})]);
  exchange.lost('the listener closed its connection before it answered');
}

function tokenOf({ query, headers }: HybridCall): string {
  return String(query['sb-hc-token'] ?? headers.servicebusauthorization ?? '');
}
