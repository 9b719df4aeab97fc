import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Forever, Machine } from '../../../../src/kernel/engines/simulated/shell/machine.ts';
import { parseScript } from '../../../../src/kernel/engines/simulated/shell/parser.ts';
import { runScript } from '../../../../src/kernel/engines/simulated/shell/run.ts';
import { SyntaxProblem } from '../../../../src/kernel/engines/simulated/shell/syntax.ts';
import { START, shell } from './shell.ts';

describe('the simulated shell', () => {
  const cases: readonly [script: string, output: string, exitCode?: number][] = [
    ['echo hello   world', 'hello world\n'],
    ["echo -n 'a  b'", 'a  b'],
    ['printf "%s=%d\\n" a 1 b 2', 'a=1\nb=2\n'],
    ['echo $A \x24{A}x "$A" \'$A\' \x24{B:-other}', 'one two one twox one two $A other\n'],
    ['X=5; Y="$X$X"; echo $Y', '55\n'],
    ['false || echo no; true && echo yes', 'no\nyes\n'],
    ['true && false || echo third', 'third\n'],
    ['exit 3; echo never', '', 3],
    ['exit x; echo never', '', 2],
    ['x=$(exit 3); echo $?', '3\n'],
    ['false; echo $(true)$?', '1\n'],
    ['A=1 printenv A; echo $A', '1\none two\n'],
    ['(export B=1); printenv B', '', 1],
    ['echo $((2*(1+2))) $((010)) $((9223372036854775807+1))', '6 8 -9223372036854775808\n'],
    ['echo $((-(9223372036854775807+1)))', '-9223372036854775808\n'],
    ['set -e; if true; then false; fi; echo never', '', 1],
    ['set -e; if { false; true; }; then echo still; fi', 'still\n'],
    ['set -u; echo $NONE; echo never', 'sh: NONE: parameter not set\n', 2],
    ['set -- a "b c"; for i in "$@"; do echo $#$i; done', '2a\n2b c\n'],
    ['while true; do while true; do break 2; done; echo never; done; echo out', 'out\n'],
    ['mkdir -p /d/e; [ -d /d ] && ls /d; rm /d || rm -r /d; [ -d /d ]', "e\nrm: '/d' is a directory\n", 1],
    ['[ -d /tmp ] && [ -d / ] && echo usual', 'usual\n'],
    ['printf "%s\\n" 1 2 3 > /f; tail -n 1 /f; tail -n +3 /f', '3\n3\n'],
    ['printf "\\033[1m%05d|%-3s|" 7 x', '\u001b[1m00007|x  |'],
    ['eval "echo a; echo b"; command -v echo; command -v nginx', 'a\nb\necho\n', 127],
    ['seq 0.5 2', '0.5\n1.5\n'],
    ['false', '', 1],
    ['(exit 4); echo $?', '4\n'],
    ['if [ "$A" = "one two" ]; then echo same; else echo other; fi', 'same\n'],
    ['if false; then echo a; elif true; then echo b; else echo c; fi', 'b\n'],
    ['for i in 1 2 3; do echo -n $i; done', '123'],
    ['for i in $(seq 3); do echo -n $i; done', '123'],
    ['i=0; while [ $i -lt 3 ]; do i=$((i+1)); echo -n $i; done', '123'],
    ['while true; do echo once; break; done; echo after', 'once\nafter\n'],
    ['for i in 1 2 3; do [ $i = 2 ] && continue; echo -n $i; done', '13'],
    ['for i in 1 2; do echo -n $?; false; continue; done', '00'],
    ['set -e; false; echo never', '', 1],
    ['set -e; false || true; echo still', 'still\n'],
    ['hostname', 'box\n'],
    ['printenv A', 'one two\n'],
    ['printenv NONE', '', 1],
    ['date +%FT%TZ', '2026-03-01T12:00:00Z\n'],
    ['date', 'Sun Mar  1 12:00:00 UTC 2026\n'],
    ['echo "today is $(date +%A)"', 'today is Sunday\n'],
    ['cat /secret/key', 'top'],
    ['cat /none', "cat: can't open '/none': No such file or directory\n", 1],
    ['touch /tmp/x; test -f /tmp/x && echo there; rm /tmp/x; test -f /tmp/x || echo gone', 'there\ngone\n'],
    ['echo one > /f; echo two >> /f; cat /f', 'one\ntwo\n'],
    ['echo hidden > /dev/null; echo seen', 'seen\n'],
    ['{ echo a; echo b; } > /f; cat /f', 'a\nb\n'],
    ['# a remark\necho x # another\n', 'x\n'],
    ['echo a\\\nb', 'ab\n'],
    ['exec echo replaced; echo never', 'replaced\n'],
    ['! true', '', 1],
    ['echo $((2 + 3 * (4 - 1) % 5))', '6\n'],
    ['echo $((1/0))', 'sh: division by zero\n', 2],
    ['', ''],
    ['/bin/echo full path', 'full path\n'],
  ];

  it.each(cases)('runs %j', (script, output, exitCode = 0) => {
    const ran = shell(script, { env: { A: 'one two' }, files: { '/secret/key': 'top' } });
    expect([ran.text, ran.exitCode]).toEqual([output, exitCode]);
  });

  it('lets time pass by sleep and by nothing else', () => {
    const ran = shell('echo a; sleep 1.5; echo b; sleep 1m 1s; echo c >&2; exit 7');
    expect(ran.output).toEqual([
      { at: START, stream: 'stdout', text: 'a\n' },
      { at: START + 1500, stream: 'stdout', text: 'b\n' },
      { at: START + 62_500, stream: 'stderr', text: 'c\n' },
    ]);
    expect(ran).toMatchObject({ exitCode: 7, took: 62_500 });
  });

  it('shows files as they are at the time that is asked for', () => {
    const script = 'touch /tmp/healthy; sleep 30; rm -rf /tmp/healthy; sleep 600';
    expect(shell(script, { until: 29_999 }).machine.files.has('/tmp/healthy')).toBe(true);
    expect(shell(script, { until: 30_000 }).machine.files.has('/tmp/healthy')).toBe(false);
  });

  it.each(['sleep infinity', 'tail -f /dev/null', 'while true; do sleep 1; done', 'while :; do :; done'])(
    'knows that %j never ends',
    (script) => {
      expect(shell(script)).toMatchObject({ exitCode: undefined, text: '' });
    },
  );

  it('assumes that an unknown command runs forever, and says so', () => {
    const ran = shell('echo first; nginx -g "daemon off;"; echo never');
    expect(ran.exitCode).toBeUndefined();
    expect(ran.text).toBe("first\ncloudjar: 'nginx' is simulated: it runs for ever and does nothing\n");
  });

  it.each([
    'echo a | cat',
    'sleep 1 &',
    'case x in esac',
    'f() { echo; }',
    'echo `date`',
    'cat < /f',
    "echo 'open",
    'if true; then',
    'echo \x24{A%x}',
    'done',
    ')',
  ])('refuses %j', (script) => {
    expect(() => parseScript(script)).toThrow(SyntaxProblem);
  });

  it('gives the end of an endless log as if every round had been run', () => {
    const script = 'while true; do echo "$(date +%s) tick"; sleep 1; done';
    const sixHours = 6 * 3_600_000;
    const quick = shell(script, { until: sixHours, interestedFrom: sixHours });
    expect(quick.output.length).toBeLessThan(15_000);
    expect(quick.output.at(-1)).toEqual({
      at: START + sixHours,
      stream: 'stdout',
      text: `${(START + sixHours) / 1000} tick\n`,
    });
    const plain = shell(script, { until: sixHours, interestedFrom: Number.POSITIVE_INFINITY });
    expect(quick.output.slice(-10_000)).toEqual(plain.output.slice(-10_000));
  });

  it('counts on in a loop whose rounds differ', () => {
    const ran = shell('i=0; while true; do echo $i; i=$((i+1)); sleep 1; done', { until: 9_000_000 });
    expect(ran.output.at(-1)).toMatchObject({ text: '9000\n', at: START + 9_000_000 });
  });
});

describe('hostile scripts', () => {
  const words = fc.constantFrom(
    'if',
    'then',
    'fi',
    'while',
    'true',
    'do',
    'done',
    'for',
    'in',
    'x',
    'echo',
    '$x',
    '\x24{x}',
    '$(',
    ')',
    '((',
    '"',
    "'",
    ';',
    '&&',
    '||',
    '\n',
    '{',
    '}',
    '(',
    '>',
    '>>',
    '>&2',
    '2>&1',
    '!',
    '#',
    '\\',
    'x=$x$x',
    '$((x+1))',
    'exit',
    '[',
    ']',
    'sleep',
    '1',
    'set -e',
    'break',
  );
  const scripts = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(words, { maxLength: 60 }).map((all) => all.join(' ')),
  );

  it('end in an answer, whatever they are', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        let tree: ReturnType<typeof parseScript>;
        try {
          tree = parseScript(script);
        } catch (error) {
          expect(error).toBeInstanceOf(SyntaxProblem);
          return;
        }
        const machine = new Machine({
          startedAt: 0,
          environment: new Map(),
          files: new Map(),
          hostname: 'h',
          until: 1e9,
        });
        try {
          for (const output of runScript(tree, machine)) if (output.text === '') throw new Error('nothing was written');
        } catch (error) {
          expect(error).toBeInstanceOf(Forever);
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['deep brackets', '('.repeat(60_000)],
    ['deep substitutions', 'echo '.concat('$('.repeat(30_000))],
    ['deep conditions', 'if true; then '.repeat(4_000)],
    ['many elifs', `if false; then :; ${'elif false; then :; '.repeat(3_000)}fi`],
    ['many nots', '! '.repeat(30_000)],
    ['more than anybody writes', 'echo a;'.repeat(100_000)],
  ])('are refused when they are %s', (_, script) => {
    expect(() => shell(script)).toThrow(SyntaxProblem);
  });

  it.each([
    ['deep sums', `echo $((${'('.repeat(30_000)}${')'.repeat(30_000)}))`],
    ['rounds that do a lot', 'while true; do for i in $(seq 9000); do x=$i; done; sleep 1; done'],
    ['one value of many', `x=1234567890; ${'x=$x$x; '.repeat(14)} y=${'$x'.repeat(25_000)}`],
    ['one file, often', `x=1234567890; ${'x=$x$x; '.repeat(14)} echo $x > f; cat ${'f '.repeat(25_000)}`],
    ['one format, often', `x=1234567890; ${'x=$x$x; '.repeat(14)} printf "$x%s" ${'1 '.repeat(20_000)}`],
    ['many variables', `${Array.from({ length: 6_000 }, (_, i) => `a${i}=;`).join('')} while :; do x=$(:); done`],
    ['what calls itself', `x='eval "$x"'; eval "$x"`],
    ['doubling its parameters', 'set -- a b c; for i in $(seq 900); do set -- "$@" "$@"; done'],
    ['years beyond the calendar', 'sleep 999999999999d; echo never'],
    ['doubling a variable', `x=1234567890; ${'x=$x$x; '.repeat(5_000)} echo done`],
    [
      'printing it a lot',
      `x=1234567890; ${'x=$x$x; '.repeat(14)} while [ 1 = 1 ]; do echo ${'$x '.repeat(1_000)}; done`,
    ],
    ['a loop that never ends', 'while [ 1 = 1 ]; do x=$x.; done'],
    ['a long chain', `true${' && true'.repeat(7_000)}`],
    ['a long list', 'true;'.repeat(13_000)],
    ['many files', 'i=0; while [ 1 = 1 ]; do i=$((i+1)); echo x > /f$i; done'],
    ['loops within loops', 'while true; do while true; do while true; do x=1; done; done; done'],
  ])('are bounded in %s', (_, script) => {
    const ran = shell(script, { until: 1e9 });
    expect(ran.output.length).toBeLessThan(30_000);
  });
});
