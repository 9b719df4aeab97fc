import { runInSteps, workHandler } from '../../../kernel/work/index.ts';
import { fanOutStep } from '../accept.ts';
import { intakes } from '../collections.ts';
import type { EventsJar } from '../jar.ts';
import { FAN_OUT } from './work.ts';

/**
 * Each step commits its progress together with the deliveries that it queues, so that a crash between two steps neither loses nor
 * duplicates any.
 */
export const fanOut = workHandler(FAN_OUT, async (item, jar: EventsJar, halt) => {
  const { id } = item.payload;
  const handOn = (): Promise<boolean> =>
    jar.store.transact(async (tx) => {
      const intake = (await tx.get(intakes, id))?.value;
      if (!intake) {
        await tx.complete(item);
        return false;
      }
      const rest = intake.publications.slice(intake.done);
      const done = intake.done + (await fanOutStep(tx, jar, rest));
      if (done < intake.publications.length) {
        await tx.put(intakes, id, { ...intake, done });
        return true;
      }
      await tx.delete(intakes, id);
      await tx.complete(item);
      return false;
    });
  await runInSteps(item, jar, halt, [handOn]);
});
