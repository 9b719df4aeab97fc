import { Type } from 'typebox';
import { ok, type Route } from '../kernel/http/index.ts';
import { parseInstant } from '../kernel/odata/index.ts';
import { route } from '../kernel/service/index.ts';
import { isoTime } from '../kernel/time/index.ts';
import type { AdvanceTarget, Ran } from '../kernel/work/index.ts';
import type { Controls } from './controls.ts';
import { advanceError, controlErrors } from './family.ts';
import { ATTEMPTS, RanTally, type WorkNames, workNames } from './work-names.ts';

/** Items that an answer lists; all are counted. */
const LISTED = 100;

const NOTE =
  'Counts what is scheduled now. Work that comes into being while time moves is unknown and may run as well: retries of failed items, the next runs of schedules, and work that other work causes. Work can also be canceled before it is due.';

const Count = Type.Integer({ minimum: 0 });
const Kind = { kind: Type.String(), title: Type.Optional(Type.String({ description: 'What running an item does' })) };
const Subject = Type.Optional(Type.String({ description: 'What the item is about' }));
const More = Type.Boolean({ description: `Whether there are more than the listed ${LISTED} items` });

const Preview = Type.Object({
  from: Type.String({ description: "The jar's time" }),
  to: Type.String(),
  total: Count,
  byKind: Type.Array(Type.Object({ ...Kind, count: Count, firstAt: Type.String(), lastAt: Type.String() })),
  value: Type.Array(Type.Object({ id: Type.String(), kind: Type.String(), subject: Subject, dueAt: Type.String() }), {
    description: 'The first items by due time',
  }),
  more: More,
  recurring: Type.Array(Type.Object(Kind), {
    description: 'Kinds among them whose runs schedule the next run, so that their counts are minimums',
  }),
  note: Type.String({ description: 'What the counts leave out' }),
});

const Advanced = Type.Object({
  now: Type.String(),
  fired: Count,
  work: Type.Array(
    Type.Object({
      ...Kind,
      count: Count,
      failed: Type.Integer({ minimum: 0, description: 'Attempts that failed; the items are retried later, or parked' }),
    }),
    { description: 'What ran, by kind' },
  ),
  items: Type.Array(
    Type.Object({
      id: Type.String(),
      kind: Type.String(),
      subject: Subject,
      at: Type.String({ description: "The jar's time at the start of the attempt" }),
      outcome: Type.Enum([...ATTEMPTS], {
        description:
          'lost: the item was canceled, moved or taken over while it ran; unknown: the store did not answer, and the item is retried',
      }),
    }),
    { description: 'The first attempts, in the order in which they ended' },
  ),
  more: More,
});

export function clockRoutes(controls: Controls): Route[] {
  const names = workNames(controls);
  return [
    route({
      method: 'GET',
      path: '/_jar/clock',
      operation: 'Jar_GetClock',
      summary: "The jar's time, and when the next work is due",
      responses: {
        200: Type.Object({
          now: Type.String(),
          mode: Type.String(),
          nextDue: Type.Union([Type.String(), Type.Null()]),
        }),
      },
      async handle({ jar }) {
        const next = await jar.store.work.nextDue();
        const nextDue = next === undefined ? null : isoTime(next);
        return ok({ now: isoTime(jar.clock.now()), mode: jar.clock.mode, nextDue });
      },
    }),
    route({
      method: 'GET',
      path: '/_jar/clock/preview',
      operation: 'Jar_PreviewAdvance',
      summary: 'The work that an advance of the clock would run, as far as it is known now; changes nothing',
      query: Type.Object(
        {
          by: Type.Optional(Type.String({ description: 'A duration: 36h, PT36H, or milliseconds as a number' })),
          to: Type.Optional(Type.String({ description: 'A time, instead of a duration' })),
        },
        { additionalProperties: false },
      ),
      responses: { 200: Preview },
      async handle({ query: { by, to } }) {
        try {
          const target = targetOf({ by: by !== undefined && /^\d+(\.\d+)?$/.test(by) ? Number(by) : by, to });
          return ok(previewView(await controls.preview(target, LISTED), names));
        } catch (error) {
          throw advanceError(error);
        }
      },
    }),
    route({
      method: 'POST',
      path: '/_jar/clock/advance',
      operation: 'Jar_AdvanceClock',
      summary: 'Advances the clock, runs all work that falls due, and answers with what ran when no work is left',
      body: Type.Object(
        {
          by: Type.Optional(
            Type.Union([Type.String(), Type.Number()], { description: 'A duration: 36h, PT36H, or milliseconds' }),
          ),
          to: Type.Optional(Type.String({ description: 'A time, instead of a duration' })),
        },
        { additionalProperties: false },
      ),
      responses: { 200: Advanced },
      async handle({ body }) {
        const tally = new RanTally(LISTED);
        try {
          const { now, fired } = await controls.advance(targetOf(body), (ran) => tally.add(ran));
          return ok({ now: isoTime(now), fired, ...advancedView(tally, names) });
        } catch (error) {
          throw advanceError(error);
        }
      },
    }),
    route({
      method: 'POST',
      path: '/_jar/settled',
      operation: 'Jar_Settled',
      summary: 'Answers when no work is due or running, without advancing the clock',
      responses: { 200: Type.Object({ status: Type.Literal('settled'), now: Type.String() }) },
      async handle({ jar }) {
        await controls.settled();
        return ok({ status: 'settled', now: isoTime(jar.clock.now()) });
      },
    }),
  ];
}

function targetOf({ by, to }: { by?: string | number | undefined; to?: string | undefined }): AdvanceTarget {
  if (by !== undefined && to !== undefined)
    throw controlErrors.AdvanceTarget({ given: 'the request has both' }, { target: 'to' });
  if (by !== undefined) return by;
  if (to === undefined) throw controlErrors.AdvanceTarget({ given: 'the request has neither' }, { target: 'by' });
  const at = parseInstant(to);
  if (at !== undefined) return { at };
  const reason = `'${to.slice(0, 100)}' is not a time with its offset, such as 2026-01-31T09:00:00Z`;
  throw controlErrors.BadTime({ reason }, { target: 'to' });
}

function previewView(preview: Awaited<ReturnType<Controls['preview']>>, { titled, subject, recurs }: WorkNames) {
  const { from, to, total, counts, items } = preview;
  return {
    from: isoTime(from),
    to: isoTime(to),
    total,
    byKind: counts.map(({ kind, count, firstAt, lastAt }) => {
      return { ...titled(kind), count, firstAt: isoTime(firstAt), lastAt: isoTime(lastAt) };
    }),
    value: items.map((item) => ({ id: item.id, kind: item.kind, ...subject(item), dueAt: isoTime(item.dueAt) })),
    more: total > items.length,
    recurring: counts.filter(({ kind }) => recurs(kind)).map(({ kind }) => titled(kind)),
    note: NOTE,
  };
}

function advancedView({ counts, first, total }: RanTally, { titled, subject }: WorkNames) {
  const item = (ran: Ran) => {
    return { id: ran.id, kind: ran.kind, ...subject(ran), at: isoTime(ran.at), outcome: ran.outcome };
  };
  return {
    work: counts.map(({ kind, count, failed }) => ({ ...titled(kind), count, failed })),
    items: first.map(item),
    more: total > first.length,
  };
}
