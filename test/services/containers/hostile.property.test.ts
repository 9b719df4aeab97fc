import fc from 'fast-check';
import { expect, it } from 'vitest';
import { onBothStores } from '../../support/jars.ts';
import { fullGroup, put, SECRETS } from './full-group.ts';
import { type Body, Groups } from './groups.ts';

/** The path of every field of a body, including lists and objects. */
function pathsOf(value: Body, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    // Names with dots cannot be expressed in a path.
    if (/[./]/.test(name)) return [];
    const path = Array.isArray(value) ? `${at}[${name}]` : at === '' ? name : `${at}.${name}`;
    return [path, ...pathsOf(member, path)];
  });
}

const PATHS = pathsOf(fullGroup());

const nasty = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    '',
    ' ',
    '\0',
    '../..',
    '-',
    '__proto__',
    -1,
    0,
    0.1,
    1e308,
    2 ** 31,
    [],
    {},
    [[]],
    [{}],
    null,
  ),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom('\ud800', 'a\udfff', '\u2028'),
  fc.constantFrom('x', '/', 'a/', '{"a":1}').map((part) => part.repeat(5000)),
);

onBothStores('a container group of anything', (bench) => {
  it('answers whatever it is sent with a group or with a mistake that is the sender’s', async () => {
    const groups = new Groups(bench, 'fuzzed');
    let count = 0;
    const answered = new Set<number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...PATHS), nasty), { minLength: 1, maxLength: 3 }),
        async (changes) => {
          const body = fullGroup();
          for (const [path, value] of changes) {
            try {
              put(body, path, value);
            } catch {
              // An ancestor was already replaced by a value without members.
            }
          }
          const name = `f${count++}`;
          const { status, text, body: answer } = await groups.put(name, body);
          expect([201, 400, 409]).toContain(status);
          answered.add(status);
          if (status !== 201) {
            expect(answer.error).toMatchObject({ code: expect.any(String), message: expect.any(String) });
            expect(text.length).toBeLessThan(100_000);
            return;
          }
          await bench.jar.settled();
          const read = await groups.get(name);
          expect(read.status).toBe(200);
          for (const secret of Object.values(SECRETS)) expect(read.text).not.toContain(secret);
          expect((await groups.delete(name)).status).toBeOneOf([200, 409]);
        },
      ),
      // The examples guarantee one valid and one invalid body in every run.
      { numRuns: process.env.CLOUDJAR_SOAK ? 3000 : 150, examples: [[[]], [[['properties', null]]]] },
    );
    expect([...answered]).toEqual(expect.arrayContaining([201, 400]));
  });
});
