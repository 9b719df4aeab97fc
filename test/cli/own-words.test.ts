import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { inOptionNames } from '../../src/cli/own-words.ts';
import { RefusedByJar } from '../../src/cli/refused.ts';
import { runCli, startCli } from './cli.ts';

/** Terms of the HTTP API, which users of the command line do not know. */
const FOREIGN = /request body|propert|query parameter|\$(?:top|filter|orderby)|\/_jar\//;

/** Values that some option parsers accept and the jar may refuse; which are wrong depends on the option. */
const WRONG = ['', '-1', '0', "it's \u{1f600}", '2026-13-45', '9'.repeat(15), 'x'.repeat(3000)];

/** Further options that a command needs for the test of one of its options. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'faults add': ['--status', '500'],
  'limits set': ['management.reads'],
  'mail send': ['--to', 'admin', '--subject', 'x', '--invite'],
};

/** Commands whose options become part of a request. */
const SENDING = [
  'token',
  'platform',
  'faults add',
  'limits',
  'limits set',
  'deliveries',
  'deliveries replay',
  'deliveries purge',
  'mail list',
  'mail kept',
  'mail send',
];

/** Options of the command line only: they are never sent to a jar. */
const LOCAL = new Set(['--url', '--data', '--json', '--attach', '--file', '--back']);

async function optionsOf(path: string): Promise<readonly { readonly long: string; readonly takesValue: boolean }[]> {
  const [name = '', below] = path.split(' ');
  const program = new Command();
  (await COMMANDS[name]?.())?.declare(program);
  const command = program.commands[0]?.commands.find((each) => each.name() === below) ?? program.commands[0];
  return (command?.options ?? []).flatMap(({ long, required }) =>
    long && !LOCAL.has(long) ? [{ long, takesValue: required }] : [],
  );
}

test('no option of any command that sends something is refused in words of the HTTP API', async () => {
  const { folder } = await startCli(['--memory', '--smtp-port', '0']);
  let refused = 0;
  for (const path of SENDING) {
    for (const { long, takesValue } of await optionsOf(path)) {
      for (const value of takesValue ? WRONG : [undefined]) {
        const words = value === undefined ? [long] : [`${long}=${value}`];
        const args = [...path.split(' '), ...(NEEDED[path] ?? []), ...words, '--data', folder];
        const { code, stdout, stderr } = await runCli(args);
        expect(stderr, args.join(' ').slice(0, 200)).not.toMatch(FOREIGN);
        expect(`${stdout}${stderr}`.endsWith('\n'), args.join(' ')).toBe(true);
        if (code !== 0) {
          expect(stderr, args.join(' ').slice(0, 200)).toMatch(/^cloudjar: [^\n]+\n$/);
          refused++;
        }
      }
    }
  }
  expect(refused).toBeGreaterThan(100);
}, 120_000);

describe('a refusal of the jar', () => {
  const names = {
    effect: 'the effect',
    'effect.status': '--status',
    'effect.drop': '--drop',
    $filter: '--filter',
    name: '<name>',
  };
  const cases: [message: string, target: string | undefined, told: string, exitCode: number][] = [
    ["The property 'effect.status' of the request body must be 200.", 'effect.status', '--status must be 200.', 2],
    [
      "The property 'effect.status' of the request body cannot be given together with 'drop'.",
      'effect.status',
      '--status cannot be given together with --drop.',
      2,
    ],
    ["The property 'effect.other' of the request body is wrong.", 'effect.other', 'the effect is wrong.', 2],
    ["The property 'strange' of the request body is wrong.", 'strange', "'strange' is wrong.", 1],
    ["The query parameter '$filter' is given more than once.", '$filter', '--filter is given more than once.', 2],
    ["There is no user 'name' in this jar.", undefined, "There is no user 'name' in this jar.", 1],
    [
      "There is no user 'x' in this jar; GET /_jar/users lists them.",
      undefined,
      "There is no user 'x' in this jar.",
      1,
    ],
    ["'name' must be a text.", 'name', '<name> must be a text.', 2],
  ];
  test.each(cases)('%s', (message, target, told, exitCode) => {
    const error = inOptionNames(new RefusedByJar(message, { code: 'X', target, status: 400 }), names);
    expect([error.message, error.exitCode]).toEqual([told, exitCode]);
  });

  test('that is no mistake of an option keeps its status', () => {
    const error = inOptionNames(new RefusedByJar('There is none.', { code: 'X', target: 'name', status: 404 }), names);
    expect(error.exitCode).toBe(1);
  });
});
