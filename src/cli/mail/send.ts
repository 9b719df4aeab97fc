import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type ControlClient, readAnswer } from '../control-client.ts';
import { usageError } from '../errors.ts';
import type { JarCommandOptions } from '../jar-command.ts';
import type { OptionNames } from '../own-words.ts';
import { begin, plain, reasonOf, textOf } from '../transfer.ts';
import type { SentAnswer } from './answers.ts';

const PATH = '/_jar/mail/send';

export interface SendOptions extends JarCommandOptions {
  readonly to?: readonly string[];
  readonly cc?: readonly string[];
  readonly from?: string;
  readonly subject?: string;
  readonly text?: string;
  readonly html?: string;
  readonly attach?: readonly string[];
  readonly file?: string;
  readonly invite?: boolean;
  readonly start?: string;
  readonly duration?: string;
  readonly timeZone?: string;
  readonly location?: string;
  readonly organizer?: string;
}

const OF_INVITE = ['start', 'duration', 'timeZone', 'location', 'organizer'] as const;
const NOT_OF_FILE = ['cc', 'subject', 'text', 'html', 'attach', 'invite', ...OF_INVITE] as const;

/** The option that sets each field of the request. */
export const SEND_NAMES: OptionNames = {
  from: '--from',
  to: '--to',
  recipients: '--to',
  cc: '--cc',
  subject: '--subject',
  text: '--text',
  html: '--html',
  attachments: '--attach',
  meeting: '--invite',
  'meeting.start': '--start',
  'meeting.duration': '--duration',
  'meeting.timeZone': '--time-zone',
  'meeting.location': '--location',
  'meeting.organizer': '--organizer',
};

const flag = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export async function sendMail(client: ControlClient, options: SendOptions): Promise<SentAnswer> {
  const answer = options.file === undefined ? await composed(client, options) : await sendFile(client, options);
  return answer as SentAnswer;
}

async function composed(client: ControlClient, options: SendOptions): Promise<unknown> {
  const { to, cc, from, subject, html, invite, organizer, start, duration, location, timeZone } = options;
  if (to === undefined) throw usageError('give a recipient with --to, such as --to admin');
  for (const [name, addresses = []] of Object.entries({ to, cc }))
    if (addresses.includes('')) throw usageError(`the address of --${name} is empty`);
  const alone = OF_INVITE.find((name) => options[name] !== undefined);
  if (!invite && alone !== undefined) throw usageError(`${flag(alone)} belongs to --invite`);
  const text = options.text === '-' ? (await buffer(process.stdin)).toString('utf8') : options.text;
  const attachments = await Promise.all((options.attach ?? []).map(attached));
  const meeting = invite ? { start, duration, timeZone, location, organizer } : undefined;
  const body = { from, to, cc, subject, text, html, meeting, attachments };
  return client.post(PATH, body);
}

async function attached(file: string): Promise<object> {
  return { name: basename(file), contentBytes: (await contentOf(file)).toString('base64') };
}

/** Sends a complete MIME message. */
async function sendFile({ jar }: ControlClient, options: SendOptions): Promise<unknown> {
  const other = NOT_OF_FILE.find((name) => options[name] !== undefined);
  if (other !== undefined) throw usageError(`--file is a complete message, which ${flag(other)} cannot change`);
  const bytes = await contentOf(options.file ?? '-');
  const query = new URLSearchParams();
  for (const address of options.to ?? []) query.append('recipients', address);
  if (options.from !== undefined) query.set('from', options.from);
  const response = await begin(jar, 'POST', `${PATH}?${query}`, (request) => {
    request.setHeader('content-type', 'message/rfc822');
    request.setHeader('content-length', bytes.length);
    request.end(bytes);
  });
  return readAnswer(jar, { ...plain(response), text: await textOf(response) }, SEND_NAMES);
}

/** `-` is standard input. */
async function contentOf(file: string): Promise<Buffer> {
  if (file === '-') return buffer(process.stdin);
  try {
    return await readFile(file);
  } catch (error) {
    throw usageError(`${file} cannot be read: ${reasonOf(error)}`, error);
  }
}
