import { isAscii } from 'node:buffer';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { type ConnectionOptions, getCACertificates } from 'node:tls';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Options, SMTPEnvelope } from 'nodemailer/lib/smtp-connection';
import { later } from '../../../kernel/time/index.ts';
import { parsePath } from '../smtp/address.ts';
import { connectDirectly } from './connect.ts';
import { isRelayError, type Judgement, judge, parseResponse, type RelayError } from './replies.ts';
import { RELAY_TIMES } from './times.ts';
import type { Connector, OutgoingMail, RelayReply, RelaySettings } from './types.ts';

const QUIT_MS = 2000;
const PIECE_BYTES = 64 * 1024;

/**
 * Sends one message over a new connection and returns the result for each recipient; never rejects. The bytes are sent unchanged, except
 * for dot-stuffing and for bare CR and LF, which become CRLF.
 */
export async function sendByRelay(
  mail: OutgoingMail,
  relay: RelaySettings,
  signal: AbortSignal,
  connect: Connector = connectDirectly,
): Promise<RelayReply> {
  const isValid = (address: string): boolean => parsePath(`<${address}>`)?.rest === '';
  if (!isValid(mail.from)) return forAll(mail.to, BAD_SENDER);
  const valid = mail.to.filter((address) => address !== '' && isValid(address));
  const replies = valid.length === 0 ? [] : await sendToValid({ ...mail, to: valid }, relay, signal, connect);
  const byAddress = new Map(replies.map((reply) => [reply.address, reply]));
  return mail.to.map((address) => byAddress.get(address) ?? { address, ...BAD_RECIPIENT });
}

async function sendToValid(
  mail: OutgoingMail,
  relay: RelaySettings,
  signal: AbortSignal,
  connect: Connector,
): Promise<RelayReply> {
  if (signal.aborted) return forAll(mail.to, ABORTED);
  try {
    // Loaded before the connection is opened, since an open connection needs an error handler at once.
    const { default: Connection } = await import('nodemailer/lib/smtp-connection');
    const socket = await connect(relay, signal);
    return await converse(new Connection(optionsFor(relay, socket)), mail, relay, signal);
  } catch (error) {
    if (signal.aborted) return forAll(mail.to, ABORTED);
    return forAll(mail.to, isRelayError(error) ? judge(error) : { is: 'later', text: String(error) });
  }
}

const forAll = (to: readonly string[], judgement: Judgement): RelayReply =>
  to.map((address) => ({ address, ...judgement }));

const BAD_SENDER: Judgement = { is: 'refused', text: 'the sender is not a valid address', failure: 'BadAddress' };
const BAD_RECIPIENT: Judgement = { is: 'refused', text: 'the recipient is not a valid address', failure: 'BadAddress' };
const ABORTED: Judgement = { is: 'later', text: 'cancelled before it was answered', failure: 'Aborted' };

async function converse(
  connection: SMTPConnection,
  mail: OutgoingMail,
  { user, password }: RelaySettings,
  signal: AbortSignal,
): Promise<RelayReply> {
  const { promise: broken, reject } = Promise.withResolvers<never>();
  connection.on('error', reject);
  const abort = (): void => {
    reject(new Error(ABORTED.text));
    connection.close();
  };
  signal.addEventListener('abort', abort, { once: true });
  try {
    const connected = called((done) => connection.connect(done));
    if (signal.aborted) abort();
    await Promise.race([broken, connected]);
    if (user !== undefined) {
      const credentials = { user, pass: password ?? '' };
      await Promise.race([broken, called((done) => connection.login({ credentials }, done))]);
    }
    const replies = await Promise.race([broken, deliver(connection, mail)]);
    quit(connection);
    return replies;
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** The library adds properties to the envelope that it is given. */
type Envelope = SMTPEnvelope & { readonly rejectedErrors?: readonly RelayError[] };

/** Runs the SMTP transaction. Returns one reply for each recipient, even if only some are accepted. */
async function deliver(connection: SMTPConnection, { from, to, raw }: OutgoingMail): Promise<RelayReply> {
  const envelope: Envelope = { from, to: [...to], size: raw.length, use8BitMime: !isAscii(raw) };
  const { promise, resolve } = Promise.withResolvers<Judgement>();
  connection.send(envelope, Readable.from(pieces(raw)), (error, info) =>
    resolve(error ? judge(error) : { is: 'sent', ...parseResponse(info.response) }),
  );
  const ofMessage = await promise;
  const rejected = new Map(envelope.rejectedErrors?.map((error) => [error.recipient, judge(error)]));
  return to.map((address) => ({ address, ...(rejected.get(address) ?? ofMessage) }));
}

/** The library copies each chunk it gets, so a large message is passed in parts. */
function* pieces(raw: Buffer): Generator<Buffer> {
  for (let at = 0; at < raw.length; at += PIECE_BYTES) yield raw.subarray(at, at + PIECE_BYTES);
}

/** Not awaited, since the relay has already accepted the message. */
function quit(connection: SMTPConnection): void {
  const cancel = later(QUIT_MS, () => connection.close());
  connection.once('end', cancel);
  connection.quit();
}

function called(begin: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => begin((error) => (error ? reject(error) : resolve())));
}

function optionsFor(relay: RelaySettings, socket: Socket): Options {
  const { host, port, name, tls, timeoutMs = RELAY_TIMES.answerMs } = relay;
  return {
    host,
    port,
    name,
    connection: socket,
    secure: tls === 'implicit',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'off',
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    tls: trusted(relay),
  };
}

function trusted({ tls, ca = [] }: RelaySettings): ConnectionOptions {
  if (tls === 'opportunistic') return { rejectUnauthorized: false };
  // Without `ca`, a connection uses the certificates that Node has already parsed.
  return ca.length === 0 ? {} : { ca: [...getCACertificates('default'), ...ca] };
}
