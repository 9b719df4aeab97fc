import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, type TestContext } from 'vitest';

const POLL_MS = 20;
const START_MS = 60_000;
const GREETING_MS = 5000;
/** Owner of the mailboxes: `nobody` on Debian. */
const OWNER = 65_534;
const NEEDED = '/usr/sbin/postfix';

/** A real mail server for `away.test`, with a mailbox for every name that does not begin with `no`. */
export interface PostfixServer {
  readonly port: number;
  /** The received messages, in any order. */
  messagesFor(address: string): Promise<Buffer[]>;
  /** Its log, for failing tests. */
  log(): Promise<string>;
  stop(): Promise<void>;
}

export interface PostfixOptions {
  /** PEM, the key first; enables STARTTLS. */
  readonly certificate?: string;
  /** Additional lines of main.cf. */
  readonly settings?: readonly string[];
}

let shared: Promise<PostfixServer> | undefined;

/** The server of a test file, started by the first test that needs it; a test is skipped if none is available. */
export async function usePostfix(context: Pick<TestContext, 'skip'>, options?: PostfixOptions): Promise<PostfixServer> {
  shared ??= startPostfix(options);
  return shared.catch((error: Error) => context.skip(error.message));
}

/** Must be called once by a file that uses `usePostfix`. */
export function stopPostfixAfterwards(): void {
  afterAll(async () => {
    await (await shared?.catch(() => undefined))?.stop();
    shared = undefined;
  });
}

/** A separate instance, with its queue and mailboxes in a temporary folder. It is ended by `stop`, or when this process ends. */
export async function startPostfix({ certificate, settings = [] }: PostfixOptions = {}): Promise<PostfixServer> {
  await access(NEEDED).catch(() => {
    throw new Error('postfix is not installed');
  });
  if (process.getuid?.() !== 0) throw new Error('postfix has to be started by root');
  const folder = await mkdtemp(join(tmpdir(), 'cloudjar-postfix-'));
  // The processes of Postfix run as several users.
  await chmod(folder, 0o755);
  const port = await freePort();
  await writeConfiguration(folder, port, certificate, settings);
  // The shell ends the server when this process has ended.
  const script = `
    ${NEEDED} -c "$1" start-fg >"$1/output" 2>&1 & server=$!
    trap 'kill $! 2>/dev/null; isOver=1' TERM
    while [ -z "$isOver" ] && kill -0 $server 2>/dev/null && kill -0 ${process.pid} 2>/dev/null; do sleep 1 & wait $!; done
    ${NEEDED} -c "$1" stop >>"$1/output" 2>&1; wait $server`;
  const child = spawn('/bin/sh', ['-c', script, 'sh', folder], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  child.unref();
  const log = async (): Promise<string> => (await textOf(join(folder, 'output'))) + (await textOf(join(folder, 'log')));
  const stop = async (): Promise<void> => {
    child.ref();
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const deadline = Date.now() + START_MS;
  while (!(await greets(port))) {
    if (hasEnded(child) || Date.now() > deadline) {
      const said = await log();
      await stop();
      throw new Error(`postfix did not start: ${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return {
    port,
    log,
    async messagesFor(address) {
      const place = join(folder, 'mail', 'all', 'new');
      const names = await readdir(place).catch(() => []);
      const messages = await Promise.all(names.map((name) => readFile(join(place, name))));
      return messages.filter((message) => message.includes(`\nDelivered-To: ${address}\n`));
    },
    stop,
  };
}

async function writeConfiguration(
  folder: string,
  port: number,
  certificate: string | undefined,
  settings: readonly string[],
): Promise<void> {
  for (const name of ['queue', 'data', 'mail']) await mkdir(join(folder, name));
  await chown(join(folder, 'mail'), OWNER, OWNER);
  await chown(join(folder, 'data'), await idOf('postfix'), 0);
  const mailboxes = join(folder, 'mailboxes');
  // All messages go to one folder: a table of patterns cannot name one by the recipient.
  await writeFile(mailboxes, 'if !/^no/\n/@away\\.test$/ all/\nendif\n');
  const tls = join(folder, 'certificate.pem');
  if (certificate !== undefined) await writeFile(tls, certificate, { mode: 0o600 });
  const main = [
    'compatibility_level = 3.6',
    `queue_directory = ${folder}/queue`,
    `data_directory = ${folder}/data`,
    `maillog_file = ${folder}/log`,
    `maillog_file_prefixes = ${folder}`,
    'myhostname = mx.away.test',
    'mydestination =',
    'local_recipient_maps =',
    'alias_maps =',
    'inet_interfaces = 127.0.0.1',
    'inet_protocols = ipv4',
    // Nothing is relayed.
    'default_transport = error:no relay',
    'relay_transport = error:no relay',
    'smtpd_relay_restrictions = reject_unauth_destination',
    'smtpd_peername_lookup = no',
    'smtputf8_enable = no',
    'virtual_mailbox_domains = away.test',
    `virtual_mailbox_base = ${folder}/mail`,
    `virtual_mailbox_maps = regexp:${mailboxes}`,
    `virtual_uid_maps = static:${OWNER}`,
    `virtual_gid_maps = static:${OWNER}`,
    'virtual_minimum_uid = 1',
    ...(certificate === undefined ? [] : ['smtpd_tls_security_level = may', `smtpd_tls_chain_files = ${tls}`]),
    ...settings,
  ];
  await writeFile(join(folder, 'main.cf'), `${main.join('\n')}\n`);
  const services = [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'virtual unix - n n - - virtual',
    'proxymap unix - - n - - proxymap',
    'anvil unix - - n - 1 anvil',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'postlog unix-dgram n - n - 1 postlogd',
  ];
  await writeFile(join(folder, 'master.cf'), `${services.join('\n')}\n`);
}

/** Checks the greeting, because the port is open before the server answers. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (value: boolean): void => {
      socket.destroy();
      resolve(value);
    };
    socket.setTimeout(GREETING_MS, () => end(false));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
    socket.once('data', (data) => end(String(data).startsWith('220 ')));
  });
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

function idOf(user: string): Promise<number> {
  return new Promise((resolve, reject) =>
    execFile('id', ['-u', user], (error, stdout) => (error ? reject(error) : resolve(Number(stdout)))),
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
