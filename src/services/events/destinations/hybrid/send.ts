import { type Reply, replyOf } from '../../../../kernel/delivery/index.ts';
import { uuid } from '../../../../kernel/ids/index.ts';
import type { EventsJar } from '../../jar.ts';
import type { ResourceMessage } from '../messages.ts';
import { abandoned, failed } from '../replies.ts';
import type { Target } from '../targets.ts';
import type { Exchange, RelayAnswer } from './listener.ts';
import { relayPath } from './relay.ts';

/** A larger request is not sent over the control channel, which all requests share. */
const CONTROL_CHANNEL_BYTES = 64 * 1024;
const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends an HTTP request to one of the connected listeners. */
export async function sendByRelay(
  message: ResourceMessage,
  { entityId }: Target,
  jar: EventsJar,
  signal: AbortSignal,
): Promise<Reply> {
  const [namespace, connection] = namesOf(entityId);
  const path = relayPath(namespace, connection);
  const relay = jar.relay;
  const listener = relay.next(path);
  if (!listener) return failed('NotFound', `no listener is connected to the hybrid connection '${path}'`);
  if (signal.aborted) return abandoned();

  const id = uuid();
  const target = `/${encodeURIComponent(namespace)}/${encodeURIComponent(connection)}`;
  const address = `${listener.origin}/$hc${target}?sb-hc-action=request&sb-hc-id=${id}`;
  const requestHeaders = { 'content-type': JSON_TYPE, ...message.headers };
  const request = { address, id, requestTarget: target, method: 'POST', requestHeaders, body: true };
  const header = JSON.stringify({ request });
  const body = Buffer.from(message.body, 'utf8');

  const { promise, resolve } = Promise.withResolvers<Reply>();
  const whenDone: (() => void)[] = [];
  const exchange: Exchange = {
    id,
    path,
    header,
    body,
    isInvited: header.length + body.length > CONTROL_CHANNEL_BYTES,
    answer: (answer) => resolve(replyTo(answer)),
    lost: (reason) => resolve(failed('SocketError', reason)),
    whenDone: (callback) => whenDone.push(callback),
  };
  const abort = (): void => resolve(abandoned());
  signal.addEventListener('abort', abort, { once: true });
  relay.begin(exchange);
  if (exchange.isInvited) listener.invite(exchange, JSON.stringify({ request: { address, id } }));
  else listener.send(exchange);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', abort);
    relay.end(exchange);
    listener.forget(exchange);
    for (const callback of whenDone) callback();
  }
}

const replyTo = ({ status, headers, body }: RelayAnswer): Reply => replyOf({ status, headers, body, truncated: false });

/** `…/Vendor.Relay/namespaces/{namespace}/hybridConnections/{connection}` */
function namesOf(id: string): [namespace: string, connection: string] {
  const [, namespace = '', connection = ''] = /\/namespaces\/([^/]+)\/hybridconnections\/([^/]+)/i.exec(id) ?? [];
  return [namespace, connection];
}
