import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shell } from './shell.ts';

const one = fc.constantFrom;
const name = one('x', 'y', 'EMPTY', 'TWO');
const number = fc.integer({ min: -3, max: 12 });

const { sum } = fc.letrec<{ sum: string; term: string }>((tie) => ({
  sum: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    number.map(String),
    one('i', '010', '0x1f'),
    tie('term'),
  ),
  term: fc.oneof(
    fc
      .tuple(tie('sum'), one('+', '-', '*', '<', '>=', '==', '!=', '&&', '||', '&', '|', '^', '<<'), tie('sum'))
      .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
    fc.tuple(one('-', '!', '~'), tie('sum')).map(([operator, value]) => `${operator} (${value})`),
    fc.tuple(tie('sum'), tie('sum'), tie('sum')).map(([a, b, c]) => `(${a}) ? (${b}) : (${c})`),
  ),
}));

const { script } = fc.letrec<{ word: string; command: string; script: string }>((tie) => ({
  word: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    one('a', '""', "'q  r'", '"s  t"', 'b\\ c', '$?', '-n'),
    name.map((it) => `$${it}`),
    name.map((it) => `"[\x24{${it}}]"`),
    fc.tuple(name, one(':-other one', '-unset')).map(([it, otherwise]) => `\x24{${it}${otherwise}}`),
    sum.map((it) => `$((${it}))`),
    tie('script').map((it) => `$( ${it}\n)`),
    tie('script').map((it) => `"$( ${it}\n)"`),
  ),
  command: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.array(tie('word'), { maxLength: 3 }).map((words) => `echo @ ${words.join(' ')}`),
    fc.tuple(name, tie('word')).map(([it, word]) => `${it}=${word}`),
    fc.tuple(name, tie('word')).map(([it, word]) => `${it}=${word} printenv ${it}`),
    fc
      .tuple(one('%s|', '%5s|', '%-4s|', '%d|', '%04d|', '%x|', '%%|'), fc.nat(300))
      .map(([it, n]) => `printf '${it}\\n' ${n}`),
    fc.tuple(number, one('-eq', '-lt', '-ge', '=', '!='), number).map(([a, test, b]) => `[ ${a} ${test} ${b} ]`),
    fc.tuple(one('-n', '-z', '! -n'), name).map(([test, it]) => `test ${test} "$${it}"`),
    fc.tuple(one('-f', '-d', '-e', '-s'), one('f', 'd', 'none')).map(([test, path]) => `[ ${test} ${path} ]`),
    one('true', 'false', ':', 'set -e', 'set +e', 'exit', 'exit 3', 'break', 'continue', 'break 2', 'mkdir -p d'),
    one(
      'echo f1 > f',
      'echo f2 >> f',
      'cat f g 2> /dev/null',
      'rm -rf f d',
      'unset x',
      'export y',
      'tail -n 1 f 2> /dev/null',
    ),
    fc
      .tuple(tie('command'), one('&&', '||', ';'), tie('command'))
      .map(([a, operator, b]) => `{ ${a} ${operator} ${b}\n}`),
    tie('command').map((it) => `! { ${it}\n}`),
    tie('script').map((it) => `(${it}\n)`),
    // Some versions of `cat` refuse to read the file that they write to.
    tie('script').map((it) => `{ ${it.replaceAll('cat f g', 'cat f')}\n} >> g`),
    fc.tuple(tie('command'), tie('script'), tie('script')).map(([a, b, c]) => `if ${a}\nthen ${b}\nelse ${c}\nfi`),
    fc.tuple(name, tie('word'), tie('script')).map(([it, word, body]) => `for ${it} in 1 ${word}\ndo ${body}\ndone`),
    tie('script').map((body) => `while [ \x24{i:-0} -lt 3 ]\ndo i=$((i+1))\n${body}\ndone`),
    tie('script').map((body) => `until [ \x24{i:-0} -ge 6 ]\ndo i=$((i+1))\n${body}\ndone`),
    tie('command').map((it) => `eval '${it.replaceAll("'", `'\\''`)}'`),
  ),
  script: fc.array(tie('command'), { minLength: 1, maxLength: 3 }).map((all) => all.join('\n')),
}));

const ENVIRONMENT = { EMPTY: '', TWO: 'one  two' };
/** A loop may double a value in each round. Such scripts are left out here; shell.test.ts tests how the simulated shell ends them. */
const MOST_STEPS = 2_000;
const MOST_CHARACTERS = 10_000;
/** A second of processor time and 64 MB per process, for scripts whose values grow within few steps. */
const BOUNDED = 'ulimit -t 1 -v 65536; exec sh -c "$1"';

interface Ending {
  readonly written: string;
  readonly exitCode: number | null;
  readonly isBounded: boolean;
}

it('does what the shell of this machine does', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cloudjar-shell-'));
  const simulated = (text: string): Ending => {
    const { output, exitCode, machine } = shell(text, { env: ENVIRONMENT });
    const written = output.filter(({ stream }) => stream === 'stdout').map((it) => it.text);
    const isBounded = exitCode === undefined || machine.steps > MOST_STEPS;
    return { written: written.join(''), exitCode: exitCode ?? null, isBounded };
  };
  const real = (text: string): Ending => {
    for (const left of ['d', 'f', 'g']) rmSync(join(folder, left), { recursive: true, force: true });
    const env = { ...ENVIRONMENT, PATH: process.env.PATH };
    const { stdout, stderr, status, signal } = spawnSync('sh', ['-c', BOUNDED, 'sh', text], {
      cwd: folder,
      env,
      timeout: 120_000,
      input: '',
    });
    const isBounded = signal !== null || stdout.length > MOST_CHARACTERS || /out of space|killed/i.test(String(stderr));
    return { written: String(stdout), exitCode: status, isBounded };
  };
  try {
    fc.assert(
      fc.property(script, (text) => {
        const ours = simulated(text);
        fc.pre(!ours.isBounded);
        const theirs = real(text);
        fc.pre(!theirs.isBounded);
        expect(ours).toEqual(theirs);
      }),
      { numRuns: 100 },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
