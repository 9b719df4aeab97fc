import { bodyFields, readBody, type ValueOf, type VersionRules } from '../../../src/kernel/arm/body/index.ts';
import { parseInstant } from '../../../src/kernel/odata/index.ts';
import { isoTime } from '../../../src/kernel/time/index.ts';
import { bellErrors } from './errors.ts';

interface Context {
  readonly now: number;
}

const { object, text, time, word } = bodyFields<Context>();

const PROPERTIES = object(
  {
    ringsAt: time({
      required: true,
      check(ringsAt, at) {
        const now = isoTime(at.context.now);
        if (instantOf(ringsAt) < at.context.now)
          at.wrong(({ target }) => bellErrors.RingTimeInThePast({ ringsAt, now }, { target }));
      },
    }),
    url: text({
      required: true,
      pattern: /^https:\/\/[^?#@\s]+$/,
      rule: 'it must be an https address without user name, query and fragment',
    }),
    sound: word(['Ding', 'Dong'], { default: 'Ding' }),
  },
  { implied: true },
);

export const BELL_BODY = object({ properties: PROPERTIES });

export type BellProperties = ValueOf<typeof PROPERTIES>;

export function readBell(body: unknown, rules: VersionRules | undefined, now: number): BellProperties {
  const reading = readBody(BELL_BODY, body, { context: { now }, rules });
  reading.mistakes.throwAny();
  return reading.value.properties;
}

export const instantOf = (time: string): number => parseInstant(time) ?? Number.NaN;
