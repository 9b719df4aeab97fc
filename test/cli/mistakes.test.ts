import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { signingKeys } from '../../src/kernel/auth/keys.ts';
import { openSqlite } from '../../src/kernel/store/index.ts';
import { VERSION } from '../../src/version.ts';
import { type CliOptions, runCli, startCli, temporaryFolder } from './cli.ts';

const PORTS = ['--port', '0', '--https-port', '0'];
const UNREACHABLE = 'postgres://jar:hidden@127.0.0.1:1/jar';

/** Expects one useful line on stderr, and nothing else. */
async function refusal(args: readonly string[], options?: CliOptions): Promise<{ code: number; line: string }> {
  const { code, stdout, stderr } = await runCli(args, options);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^cloudjar: [^\n]+\n$/);
  return { code, line: stderr.trimEnd().slice('cloudjar: '.length) };
}

const original = mkdtempSync(join(tmpdir(), 'cloudjar-original-'));
afterAll(() => rmSync(original, { recursive: true, force: true }));

/** The data folder of a jar that has run and ended: a copy of one that the first call creates. */
async function usedFolder(): Promise<string> {
  if (!existsSync(join(original, 'jar.db'))) {
    const jar = await startCli([], { folder: original });
    jar.kill('SIGTERM');
    await jar.result;
  }
  const folder = temporaryFolder();
  cpSync(original, folder, { recursive: true });
  return folder;
}

describe('a mistake on the command line is named in one line, with status 2:', () => {
  const mistakes: [title: string, args: string[], line: RegExp][] = [
    ['an unknown command', ['tokn'], /^unknown command 'tokn' \(did you mean token\?\)$/],
    ['a command like no other', ['xyzzy'], /^unknown command 'xyzzy' \(cloudjar --help lists them\)$/],
    [
      'an unknown command of clock',
      ['clock', 'advnce'],
      /^unknown command 'clock advnce' \(did you mean clock advance\?\)$/,
    ],
    ['an unknown flag of start', ['start', '--prot', '1'], /^unknown option '--prot' \(did you mean --port\?\)$/],
    ['a short flag', ['start', '-p', '1'], /^unknown option '-p' \(cloudjar start --help lists them\)$/],
    ['an unknown flag of token', ['token', '--usr', 'x'], /^unknown option '--usr' \(did you mean --user\?\)$/],
    ['an argument where none is taken', ['start', 'now'], /^start takes no argument 'now', only options$/],
    ['a flag without its value', ['start', '--data', '--memory'], /^--data needs a value: --data <path>$/],
    [
      'a value that is named like an option and does not fit',
      ['start', '--clock', 'port'],
      /^--clock must be .*, not "port"/,
    ],
    [
      'a value that does not fit',
      ['start', '--port', '70000'],
      /^--port must be a port number from 0 to 65535, not "70000"$/,
    ],
    ['a choice that is not there', ['start', '--clock', 'virtal'], /^--clock must be .* \(did you mean virtual\?\)$/],
    [
      'two stores',
      ['start', '--memory', '--database-url', UNREACHABLE],
      /^--memory and --database-url exclude each other/,
    ],
    [
      'a misspelt command behind options',
      ['--data', 'x', 'statsu'],
      /^there is no command in '--data x statsu' \(did you mean status\?\)$/,
    ],
    ['a recipient without a name', ['mail', 'send', '--to', ''], /^the address of --to is empty$/],
    ['an address that is none', ['token', '--url', 'localhost'], /^--url must be an address that begins with http/],
    [
      'a missing argument',
      ['clock', 'advance'],
      /^clock advance needs <by>: cloudjar clock advance <by>, such as cloudjar clock advance 36h$/,
    ],
    [
      'two distances',
      ['clock', 'advance', '1h', '2h'],
      /^clock advance takes one argument, but '2h' is one more: cloudjar clock advance <by>; quote/,
    ],
    [
      'an argument of token',
      ['token', 'admin'],
      /^token takes no argument 'admin', only options \(cloudjar token --help lists them\)$/,
    ],
    [
      'an argument of reset',
      ['reset', 'all'],
      /^reset takes no argument 'all', only options \(cloudjar reset --help lists them\)$/,
    ],
    [
      'an argument of doctor',
      ['doctor', 'https'],
      /^doctor takes no argument 'https', only options \(cloudjar doctor --help lists them\)$/,
    ],
    [
      'a distance without a unit',
      ['clock', 'advance', '5000'],
      /^<by> must be a duration with its unit, such as 5000ms or 5000s, not '5000'$/,
    ],
    [
      'a lifetime without a unit',
      ['token', '--ttl', '60'],
      /^--ttl must be a duration with its unit, such as 60ms or 60s, not '60'$/,
    ],
    [
      'a distance that is none',
      ['clock', 'advance', 'soon'],
      /^<by> must be a duration such as 500ms, 90s, 36h, 3d or PT36H, not 'soon'$/,
    ],
    ['a distance beyond all measure', ['clock', 'advance', '99999d'], /^<by> must be at most 100 years, not '99999d'$/],
    ['a step back in time', ['clock', 'advance', '-1h'], /^<by> must be a positive duration, .* not '-1h'$/],
    ['a list of nothing', ['deliveries', '--top', '0'], /^--top must be a whole number from 1 to \d+, not '0'$/],
    ['a port in words', ['start', '--port', 'abc'], /^--port must be a port number from 0 to 65535, not "abc"$/],
    ['a negative port', ['start', '--port', '-1'], /^--port must be a port number from 0 to 65535, not "-1"$/],
    ['status misspelt', ['statsu'], /^unknown command 'statsu' \(did you mean status\?\)$/],
    ['a negative count', ['faults', 'add', '--count', '-1'], /^--count must be a whole number from 1 on, not '-1'$/],
    ['a lifetime of nothing', ['token', '--ttl', '0s'], /^--ttl must be longer than nothing, not '0s'$/],
    ['a bare 0', ['token', '--ttl', '0'], /^--ttl must be a duration with its unit, such as 0ms or 0s, not '0'$/],
    ['a value without its option', ['faults', 'add', '429'], /^faults add takes no argument '429', only options/],
    [
      'an option without its value',
      ['faults', 'add', '--status', '--json'],
      /^--status needs a value: --status <code>$/,
    ],
    ['an option without its value at the end', ['token', '--user'], /^--user needs a value: --user <name>$/],
    [
      'a fault without an effect',
      ['faults', 'add', '--count', '3'],
      /^faults add needs an effect: --status, .*, such as cloudjar faults add /,
    ],
    ['a value of a switch', ['clock', '--json=yes'], /^--json takes no value, but 'yes' was given$/],
    [
      'an unknown choice',
      ['limits', 'set', 'x', '--mode', 'shadw'],
      /^--mode must be one of enforced, shadow, unlimited, not 'shadw' \(did you mean shadow\?\)$/,
    ],
    [
      'a choice like no other',
      ['deliveries', '--state', 'lost'],
      /^--state must be one of queued, .*cancelled, not 'lost'$/,
    ],
    ['a share of more than all', ['faults', 'add', '--share', '2'], /^--share must be a number from 0 to 1, not '2'$/],
    [
      'a header without a colon',
      ['faults', 'add', '--header', 'x'],
      /^--header must be a header such as 'Retry-After: 5', not 'x'$/,
    ],
    [
      'an option of another command',
      ['token', '--follow'],
      /^unknown option '--follow' \(cloudjar token --help lists them\)$/,
    ],
    [
      'options without a command',
      ['--data', 'x'],
      /^there is no command in '--data x' \(cloudjar --help lists them\)$/,
    ],
    [
      'a shell that is none',
      ['completion', 'bsh'],
      /^<shell> must be one of bash, zsh, fish, powershell, not 'bsh' \(did you mean bash\?\)$/,
    ],
    [
      'no shell',
      ['completion'],
      /^completion needs <shell>: cloudjar completion <shell>, such as cloudjar completion bash/,
    ],
    [
      'a missing id',
      ['mail', 'show', 'admin'],
      /^mail show needs <id>: cloudjar mail show <user> <id>, such as cloudjar mail show admin /,
    ],
    [
      'help below a command, mistyped',
      ['mail', 'help', 'sned'],
      /^unknown command 'mail sned' \(did you mean mail send\?\)$/,
    ],
    ['help for a mistyped command', ['help', 'tokn'], /^unknown command 'tokn' \(did you mean token\?\)$/],
    ['help for no command', ['help', 'nope'], /^unknown command 'nope' \(cloudjar --help lists them\)$/],
    [
      'help for a mistyped command of clock',
      ['help', 'clock', 'advnce'],
      /^unknown command 'clock advnce' \(did you mean clock advance\?\)$/,
    ],
  ];
  for (const [title, args, expected] of mistakes) {
    test(title, async () => {
      expect(await refusal(args)).toEqual({ code: 2, line: expect.stringMatching(expected) });
    });
  }

  test('a bad value in the environment', async () => {
    const { code, line } = await refusal(['start'], { env: { CLOUDJAR_PORT: 'tcp://10.0.0.1:7400' } });
    expect({ code, line }).toEqual({ code: 2, line: expect.stringMatching(/^CLOUDJAR_PORT must be a port number/) });
  });

  test('a mistake in the configuration file, with its place', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'cloudjar.config.json'), '{\n  "prot": 1\n}\n');
    const { code, line } = await refusal(['start'], { cwd });
    expect({ code, line }).toEqual({
      code: 2,
      line: expect.stringMatching(/unknown key "prot" \(did you mean port\?\)$/),
    });
  });
});

describe('what keeps a jar from starting is named in one line, with status 1:', () => {
  for (const flag of ['--port', '--https-port']) {
    test(`a busy ${flag}`, async () => {
      const busy = await listener();
      const folder = temporaryFolder();
      const { code, line } = await refusal(['start', ...PORTS, flag, String(busy), '--data', folder]);
      expect(code).toBe(1);
      expect(line).toMatch(new RegExp(`^port ${busy} on 127\\.0\\.0\\.1 is already in use.*${flag}`));
    });
  }

  test('an address that is not of this machine', async () => {
    const { code, line } = await refusal(['start', ...PORTS, '--host', '192.0.2.1', '--data', temporaryFolder()]);
    expect({ code, line }).toEqual({
      code: 1,
      line: expect.stringMatching(/^192\.0\.2\.1 is not an address of this machine/),
    });
  });

  for (const mode of [[], ['--memory'], ['--database-url', UNREACHABLE]]) {
    const name = mode[0] ?? 'a database file';
    test(`a folder that belongs to something else (${name}), which stays as it was`, async () => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, 'thesis.txt'), 'mine');
      const { code, line } = await refusal(['start', ...PORTS, '--data', folder, ...mode]);
      expect({ code, line }).toEqual({
        code: 1,
        line: `the data folder ${folder} is not empty and does not belong to a jar`,
      });
      expect(readdirSync(folder)).toEqual(['thesis.txt']);
    });

    test(`a folder of a later release (${name})`, async () => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, 'cloudjar.json'), '{"format":"cloudjar-data","version":99}');
      const { code, line } = await refusal(['start', ...PORTS, '--data', folder, ...mode]);
      expect({ code, line }).toEqual({
        code: 1,
        line: expect.stringMatching(/was written by a later release: it has version 99/),
      });
      expect(readdirSync(folder)).toEqual(['cloudjar.json']);
    });
  }

  test('a folder that cannot be made', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    for (const [data, reason] of [
      [join(file, 'jar'), /cannot be written to: ENOTDIR/],
      [file, /is not a folder$/],
    ] as const) {
      const { code, line } = await refusal(['start', ...PORTS, '--data', data]);
      expect({ code, line }).toEqual({ code: 1, line: expect.stringMatching(reason) });
    }
  });

  test('an unreachable database, without its password', async () => {
    const args = ['start', ...PORTS, '--data', temporaryFolder(), '--database-url', UNREACHABLE];
    const { code, line } = await refusal(args);
    expect(code).toBe(1);
    expect(line).toMatch(/^the database at 127\.0\.0\.1:1\/jar does not answer: .*ECONNREFUSED/);
    expect(line).not.toContain('hidden');
  });

  test('a damaged key, which is not replaced', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'cloudjar.json'), '{"format":"cloudjar-data","version":1}');
    writeFileSync(join(folder, 'secret.key'), 'short\n');
    const { code, line } = await refusal(['start', ...PORTS, '--data', folder]);
    expect({ code, line }).toEqual({ code: 1, line: expect.stringMatching(/secret\.key is damaged/) });
  });

  /** Other errors of seed files are in the tests of the seed. */
  test('a seed file that cannot be used', async () => {
    const folder = temporaryFolder();
    const seed = join(folder, 'seed.json');
    const data = join(folder, 'data');
    mkdirSync(data);
    writeFileSync(seed, '{"directory":{"users":1}}');
    const { code, line } = await refusal(['start', ...PORTS, '--memory', '--data', data, '--seed', seed]);
    expect({ code, line }).toEqual({ code: 1, line: expect.stringMatching(/directory\.\w+/) });
  });
});

test('a database made with another key is refused, and works again with the right one', async () => {
  const folder = await usedFolder();
  const other = { CLOUDJAR_SECRET_KEY: 'A'.repeat(43) };
  const { code, line } = await refusal(['start', ...PORTS, '--data', folder], { env: other });
  expect(code).toBe(1);
  expect(line).toMatch(/^CLOUDJAR_SECRET_KEY is not the key of this database: copy secret\.key/);
  const again = await startCli([], { folder });
  expect((await fetch(`${again.url}/_jar/health`)).status).toBe(200);
});

test('a lost secret.key is asked for, and no new one is put beside the database that needs the old one', async () => {
  const folder = await usedFolder();
  const file = join(folder, 'secret.key');
  const secret = readFileSync(file, 'utf8');
  rmSync(file);
  for (const mode of [[], ['--memory']]) {
    const { code, line } = await refusal(['start', ...PORTS, '--data', folder, ...mode]);
    expect({ code, line }).toEqual({
      code: 1,
      line: `${file} is missing, and jar.db in the same folder cannot be read without it: restore the file, or set CLOUDJAR_SECRET_KEY to its content`,
    });
    expect(existsSync(file)).toBe(false);
  }
  const again = await startCli([], { folder, env: { CLOUDJAR_SECRET_KEY: secret.trim() } });
  expect((await fetch(`${again.url}/_jar/health`)).status).toBe(200);
});

test('a damaged certificate authority is named in one line before anything listens, and left as it is', async () => {
  const folder = await usedFolder();
  const file = join(folder, 'ca.pem');
  truncateSync(file, 200);
  const { code, line } = await refusal(['start', ...PORTS, '--data', folder]);
  expect({ code, line }).toEqual({
    code: 1,
    line: `${file} is damaged or not a certificate: put back the file that was there, or remove ca.pem and ca.key to get a new CA, which clients then have to trust`,
  });
  expect(statSync(file).size).toBe(200);
  rmSync(file);
  rmSync(join(folder, 'ca.key'));
  const again = await startCli([], { folder });
  expect((await fetch(`${again.url}/_jar/health`)).status).toBe(200);
});

test('a damaged signing key is named in one line', async () => {
  const folder = await usedFolder();
  const file = join(folder, 'jar.db');
  const store = await openSqlite({ file, collections: [signingKeys], work: [], release: VERSION, report: () => {} });
  await store.transact(async (tx) => {
    await tx.put(signingKeys, 'newest', { kid: 'newest', publicJwk: {}, privatePem: 'AAAA', createdAt: 8e15 });
  });
  await store.close();
  const { code, line } = await refusal(['start', ...PORTS, '--data', folder]);
  expect({ code, line }).toEqual({
    code: 1,
    line: expect.stringMatching(/^the signing key newest in .*jar\.db is damaged: put back a copy of .*jar\.db/),
  });
});

describe('a damaged database is named in one line and left as it is:', () => {
  const damages: [title: string, damage: (file: string) => void, line: RegExp][] = [
    [
      'another file',
      (file) => writeFileSync(file, 'x'.repeat(5000)),
      /jar\.db is damaged or not a jar's database: .+$/,
    ],
    ['an empty file', (file) => writeFileSync(file, ''), /jar\.db is damaged: it is empty; restore a copy of it/],
    ['the first page alone', (file) => truncateSync(file, 4096), /jar\.db is damaged or not a jar's database: .+$/],
    ['overwritten pages', overwritePages, /jar\.db is damaged or not a jar's database: .+$/],
  ];
  for (const [title, damage, expected] of damages) {
    test(title, async () => {
      const folder = await usedFolder();
      const file = join(folder, 'jar.db');
      damage(file);
      const damaged = readFileSync(file);
      const { code, line } = await refusal(['start', ...PORTS, '--data', folder]);
      expect({ code, line }).toEqual({ code: 1, line: expect.stringMatching(expected) });
      expect(line).toContain(file);
      expect(readFileSync(file).equals(damaged)).toBe(true);
    });
  }

  test('but an empty file that a first start left behind is filled', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'cloudjar.json'), '{"format":"cloudjar-data","version":1}');
    writeFileSync(join(folder, 'secret.key'), `${'A'.repeat(43)}\n`, { mode: 0o600 });
    writeFileSync(join(folder, 'jar.db'), '');
    const jar = await startCli([], { folder });
    expect((await fetch(`${jar.url}/_jar/health`)).status).toBe(200);
  });
});

/** All pages except the first, which identifies the file type. */
function overwritePages(file: string): void {
  const content = readFileSync(file);
  content.fill(0xa5, 4096);
  writeFileSync(file, content);
}

test('CLOUDJAR_DEBUG=1 adds the stack', async () => {
  const { code, stderr } = await runCli(['start', '--port', 'x'], { env: { CLOUDJAR_DEBUG: '1' } });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^cloudjar: --port must be .*\n(.*\n)*\s+at /);
});

async function listener(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
