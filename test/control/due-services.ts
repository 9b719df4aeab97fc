import { Type } from 'typebox';
import { ok } from '../../src/kernel/http/route.ts';
import type { Jar } from '../../src/kernel/service/jar.ts';
import { route } from '../../src/kernel/service/routes.ts';
import type { OpenService, Service } from '../../src/kernel/service/service.ts';
import { defineWork, workHandler } from '../../src/kernel/work/index.ts';
import { NOTES } from '../kernel/snapshots/notes.ts';

interface About {
  readonly about: string;
}

const REMIND = defineWork<About>('due.remind', { title: 'Reminds somebody', subject: 'about', concurrency: 16 });
const FAIL = defineWork<About>('due.fail', { title: 'Fails', subject: 'about', maxAttempts: 2 });
const REPEAT = defineWork<About>('due.repeat', { title: 'Repeats itself every hour', recurs: true });
const PLAIN = defineWork<About>('due.plain');
const KINDS = { remind: REMIND, fail: FAIL, repeat: REPEAT, plain: PLAIN };

const HOUR_MS = 3_600_000;

/** Schedules work of several kinds on request: with a title and a subject, failing, recurring, and without a description. */
export const DUE: Service = {
  name: 'due',
  title: 'Due work',
  family: NOTES.family,
  mounts: ['/due'],
  work: [REMIND, FAIL, REPEAT, PLAIN],
  open: async (): Promise<OpenService> => ({
    routes: [
      route({
        method: 'POST',
        path: '/due',
        operation: 'Due_Schedule',
        summary: 'Schedules items, the first after a time and each later one a millisecond after the previous',
        body: Type.Object({
          kind: Type.Enum(['remind', 'fail', 'repeat', 'plain']),
          about: Type.String(),
          in: Type.Number(),
          count: Type.Optional(Type.Number()),
        }),
        async handle({ jar, body: { kind, about, in: delay, count = 1 } }) {
          const from = jar.clock.now() + delay;
          await jar.store.transact(async (tx) => {
            for (let i = 0; i < count; i++)
              await tx.schedule(KINDS[kind].at(from + i, { about }, `${kind}/${about}/${i}`));
          });
          return ok({});
        },
      }),
    ],
    work: [
      workHandler(REMIND, async () => {}),
      workHandler(PLAIN, async () => {}),
      workHandler(FAIL, async () => {
        throw new Error('it always fails');
      }),
      workHandler(REPEAT, async (item, { store, clock }: Jar) =>
        store.transact(async (tx) => {
          await tx.complete(item);
          await tx.schedule(REPEAT.at(clock.now() + HOUR_MS, item.payload, item.id));
        }),
      ),
    ],
  }),
};
