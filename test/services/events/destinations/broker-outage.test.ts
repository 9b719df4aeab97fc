import { expect, it } from 'vitest';
import { sendToResource } from '../../../../src/services/events/destinations/send.ts';
import { type RabbitServer, rabbitUrl, startRabbit } from '../../../support/rabbitmq.ts';
import { BrokerReader } from './receiver.ts';
import { BUS, jarWith, messageTo, patiently } from './support.ts';

it('messages fail while a broker is down, and are delivered after it is back', async ({ skip }) => {
  const rabbit: RabbitServer = await startRabbit().catch((error: Error) => skip(error.message));
  const { running, jar } = await jarWith({ [BUS]: rabbitUrl(rabbit) });
  try {
    const send = async (deliveryId: string): Promise<string> => {
      const message = messageTo('ServiceBusQueue', { resourceId: `${BUS}/queues/lasting` }, { deliveryId });
      return (await sendToResource(message, jar, patiently())).outcome;
    };
    expect(await send('before')).toBe('Succeeded');
    await rabbit.keeps('lasting');
    await rabbit.kill();
    // The first may still use the broken connection, the second cannot connect.
    expect([await send('meanwhile'), await send('still')]).toEqual(['SocketError', 'SocketError']);
    await rabbit.start();
    expect(await send('after')).toBe('Succeeded');
    const reader = await BrokerReader.open(rabbit, 'lasting');
    const read: unknown[] = [];
    while (read.at(-1) !== 'after') read.push((await reader.next()).message_id);
    // The broker may lose the first message when it is killed; it never received the two that failed.
    expect(read.filter((id) => id !== 'before')).toEqual(['after']);
    reader.close();
  } finally {
    await running.close();
    await rabbit.stop();
  }
});
