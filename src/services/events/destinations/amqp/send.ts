import type { Reply } from '../../../../kernel/delivery/index.ts';
import type { EventsJar } from '../../jar.ts';
import type { BrokerConnection } from '../connection-strings.ts';
import type { ResourceMessage } from '../messages.ts';
import type { Target } from '../targets.ts';
import { brokerMessage } from './message.ts';

/** Address of the message at the broker: the configured one, otherwise the name of the entity. */
export function addressOf({ address }: BrokerConnection, { name }: Pick<Target, 'name'>): string {
  return address === undefined ? name : address.replaceAll('{name}', name);
}

export async function sendByAmqp(
  message: ResourceMessage,
  target: Target,
  connection: BrokerConnection,
  jar: EventsJar,
  signal: AbortSignal,
): Promise<Reply> {
  const container = await jar.brokers.container();
  const broker = await jar.brokers.to(connection);
  const wire = brokerMessage(message, (body) => container.message.data_section(body));
  const reply = await broker.send(addressOf(connection, target), wire, signal);
  // A send that began while the jar was closing must not leave a connection open.
  if (jar.closing.aborted) broker.close();
  return reply;
}
