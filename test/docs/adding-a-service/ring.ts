import { resources } from '../../../src/kernel/arm/index.ts';
import { isoTime } from '../../../src/kernel/time/index.ts';
import { workHandler } from '../../../src/kernel/work/index.ts';
import { rings } from './collections.ts';
import type { BellsJar } from './jar.ts';
import { RING } from './work.ts';

/** Rings a bell: its new state, the ring, the message and the end of the work item are one commit. */
export const ring = workHandler(RING, (item, jar: BellsJar) =>
  jar.store.transact(async (tx) => {
    const { key } = item.payload;
    const bell = (await tx.get(resources, key))?.value;
    if (bell) {
      const at = jar.clock.now();
      const sound = String(bell.properties.sound);
      await tx.put(resources, key, { ...bell, properties: { ...bell.properties, state: 'Rung' }, changedAt: at });
      const id = await jar.delivery.enqueue(tx, {
        policy: 'bells.webhook',
        destination: key,
        owner: key,
        subject: `${bell.name}: ${sound}`,
        url: String(bell.properties.url),
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ bell: bell.id, sound, at: isoTime(at) }),
      });
      await tx.put(rings, id, { bell: key, sound, at });
      // After the commit, so that a failed transaction does not change memory.
      tx.afterCommit(() => {
        jar.heard.count += 1;
      });
    }
    await tx.complete(item);
  }),
);
