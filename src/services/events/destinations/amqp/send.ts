import type { Container } from 'rhea';
import type { Reply } from '../../../../kernel/delivery/policy.ts';
import type { Jar } from '../../../../kernel/jar-context.ts';
import type { BrokerConnection } from '../connection-strings.ts';
import type { ResourceMessage } from '../send.ts';
import type { Target } from '../targets.ts';
import { Broker } from './broker.ts';
import { brokerMessage } from './message.ts';

interface Brokers {
  readonly container: Container;
  readonly byConnection: Map<BrokerConnection, Broker>;
}

const brokers = new WeakMap<Jar, Promise<Brokers>>();

/** Those of a jar; closed with it. */
function brokersOf(jar: Jar): Promise<Brokers> {
  let made = brokers.get(jar);
  if (!made) {
    made = open(jar);
    brokers.set(jar, made);
  }
  return made;
}

async function open(jar: Jar): Promise<Brokers> {
  // A bundle gives a CommonJS package as its default only.
  const { default: rhea } = await import('rhea');
  const byConnection = new Map<BrokerConnection, Broker>();
  jar.closing.addEventListener('abort', () => {
    for (const broker of byConnection.values()) broker.close();
  });
  return { container: rhea.create_container({ id: `cloudjar-${jar.id}` }), byConnection };
}

/** Where the broker is asked to put it: what is configured, else the entity's own name. */
export function addressOf({ address }: BrokerConnection, { name }: Pick<Target, 'name'>): string {
  return address === undefined ? name : address.replaceAll('{name}', name);
}

export async function sendByAmqp(
  message: ResourceMessage,
  target: Target,
  connection: BrokerConnection,
  jar: Jar,
  signal: AbortSignal,
): Promise<Reply> {
  const { container, byConnection } = await brokersOf(jar);
  let broker = byConnection.get(connection);
  if (!broker) {
    broker = new Broker(container, connection);
    byConnection.set(connection, broker);
  }
  const wire = brokerMessage(message, (body) => container.message.data_section(body));
  const reply = await broker.send(addressOf(connection, target), wire, signal);
  // What was begun while the jar was closing must not leave a connection behind.
  if (jar.closing.aborted) broker.close();
  return reply;
}
