import type { Control } from './control.ts';
import { JarError } from './error.ts';
import { DEFAULT_WAIT_MS, lookUntil, type Waiting } from './look-until.ts';
import type {
  MessageFilter,
  SentMail,
  TestEvent,
  TestKeptMail,
  TestMail,
  TestMailbox,
  TestMessage,
} from './types/mailbox.d.ts';

const LARGEST_PAGE = 1000;
/** Number of messages whose content is read concurrently. */
const AT_ONCE = 8;
const FILTER_NAMES: ReadonlySet<string> = new Set<keyof MessageFilter>([
  'subject',
  'from',
  'isRead',
  'meetingMessageType',
  'folder',
]);

/** A message as listed by the control API. */
type Summary = Omit<TestMessage, 'bcc' | 'text' | 'html' | 'headers' | 'attachments' | 'source'>;

interface Details extends Summary, Pick<TestMessage, 'bcc' | 'text' | 'html'> {
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly attachments: readonly {
    readonly id: string;
    readonly name: string;
    readonly contentType: string | null;
    readonly size: number;
    readonly isInline: boolean;
  }[];
}

/** `given` has the ids of the messages that `waitFor` has returned, of all mailboxes; ids are unique even before and after a reset. */
export function testMailbox(waiting: Waiting, control: Control, user: string, given: Set<string>): TestMailbox {
  // With an empty name the path would mean all mailboxes.
  if (typeof user !== 'string' || user === '')
    throw new JarError('the name of the mailbox is empty', { code: 'NameMissing' });
  const path = `/_jar/mail/mailboxes/${encodeURIComponent(user)}`;
  const reader = new MailboxReader(control, path);
  const address = async (): Promise<string> => (await control.ask<{ address: string }>('GET', path)).address;
  return {
    address,
    async messages(filter = {}) {
      checkFilter(filter);
      const found = (await reader.summaries(filter.folder)).filter((message) => matches(message, filter));
      const messages: TestMessage[] = [];
      for (let at = 0; at < found.length; at += AT_ONCE) {
        const some = found.slice(at, at + AT_ONCE).map((summary) => reader.message(summary));
        // Messages that were removed in the meantime are left out.
        messages.push(...(await Promise.all(some)).filter((message) => message !== undefined));
      }
      return messages;
    },
    async waitFor(wanted = {}, { timeoutMs = DEFAULT_WAIT_MS } = {}) {
      if (typeof wanted !== 'function') checkFilter(wanted);
      const found = await lookUntil(waiting, 'mail', timeoutMs, () => nextOf(reader, wanted, given));
      if (found) return found;
      const folder = typeof wanted === 'function' ? undefined : wanted.folder;
      const seen = told(await reader.summaries(folder));
      throw new JarError(`the mailbox of '${user}' received no matching mail within ${timeoutMs} ms; ${seen}`, {
        code: 'WaitTimedOut',
      });
    },
    send: (mail) => sendTo(control, user, mail),
    events: () => control.list<TestEvent>(`${path}/events?$top=${LARGEST_PAGE}`),
    kept: async () => keptMails(control, await address()),
    clear: async () => {
      await control.ask('DELETE', `${path}/messages`);
    },
  };
}

class MailboxReader {
  readonly #control: Control;
  readonly #path: string;

  constructor(control: Control, path: string) {
    this.#control = control;
    this.#path = path;
  }

  /** Oldest first. Without a folder: received messages, not drafts or sent ones. */
  async summaries(folder?: string): Promise<Summary[]> {
    const where = folder === undefined ? 'received=true' : `folder=${encodeURIComponent(folder)}`;
    const found = await this.#control.list<Summary>(`${this.#path}/messages?${where}&$top=${LARGEST_PAGE}`);
    return found.reverse();
  }

  /** With its content; undefined if it no longer exists. */
  async message(summary: Summary): Promise<TestMessage | undefined> {
    const path = `${this.#path}/messages/${summary.id}`;
    try {
      return this.#shown(path, await this.#control.ask<Details>('GET', path));
    } catch (error) {
      if (error instanceof JarError && error.status === 404) return undefined;
      throw error;
    }
  }

  #shown(path: string, { headers, attachments, ...message }: Details): TestMessage {
    return {
      ...message,
      headers: headersOf(headers),
      attachments: attachments.map((attachment) => ({
        ...attachment,
        bytes: () => this.#control.bytes(`${path}/attachments/${attachment.id}`),
      })),
      source: () => this.#control.bytes(`${path}/source`),
    };
  }
}

/** Headers by lower-case name; repeated headers become a list. */
function headersOf(headers: Details['headers']): Record<string, string | string[]> {
  const found = new Map<string, string[]>();
  for (const { name, value } of headers) {
    const key = name.toLowerCase();
    found.set(key, [...(found.get(key) ?? []), value]);
  }
  return Object.fromEntries([...found].map(([name, values]) => [name, values.length === 1 ? values[0]! : values]));
}

/** The oldest matching message that was not returned yet. */
async function nextOf(
  reader: MailboxReader,
  wanted: MessageFilter | ((message: TestMessage) => boolean),
  given: Set<string>,
): Promise<TestMessage | undefined> {
  const isFilter = typeof wanted !== 'function';
  for (const summary of await reader.summaries(isFilter ? wanted.folder : undefined)) {
    const key = `mail ${summary.id}`;
    if (given.has(key) || (isFilter && !matches(summary, wanted))) continue;
    const message = await reader.message(summary);
    // A concurrent call may have returned it in the meantime.
    if (!message || given.has(key) || !(isFilter || wanted(message))) continue;
    given.add(key);
    return message;
  }
  return undefined;
}

/** JavaScript callers have no compiler to find a misspelt name, and would get every message. */
function checkFilter(filter: MessageFilter): void {
  const unknown = Object.keys(filter).find((name) => !FILTER_NAMES.has(name));
  if (unknown === undefined) return;
  throw new JarError(`a filter of messages has no '${unknown}'; it has ${[...FILTER_NAMES].join(', ')}`, {
    code: 'UnknownFilter',
    target: unknown,
  });
}

function matches(message: Summary, { subject, from, isRead, meetingMessageType }: MessageFilter): boolean {
  return (
    // `search`, because `test` with the flag `g` continues where the last match ended.
    (subject === undefined ||
      (typeof subject === 'string' ? subject === message.subject : message.subject.search(subject) >= 0)) &&
    (from === undefined || from.toLowerCase() === message.from?.toLowerCase()) &&
    (isRead === undefined || isRead === message.isRead) &&
    (meetingMessageType === undefined || meetingMessageType === message.meetingMessageType)
  );
}

async function keptMails(control: Control, address: string): Promise<TestKeptMail[]> {
  const query = new URLSearchParams({ $filter: `from eq '${address.replaceAll("'", "''")}'`, $top: `${LARGEST_PAGE}` });
  const found = await control.list<Omit<TestKeptMail, 'source'>>(`/_jar/mail/kept?${query}`);
  return found
    .map(({ id, to, subject, messageId, at }) => ({
      ...{ id, to, subject, messageId, at },
      source: () => control.bytes(`/_jar/mail/kept/${id}/source`),
    }))
    .reverse();
}

function sendTo(control: Control, user: string, mail: TestMail | string | Uint8Array): Promise<SentMail> {
  // Not `instanceof`: the bytes may come from another realm.
  if (typeof mail === 'string' || ArrayBuffer.isView(mail)) {
    const path = `/_jar/mail/send?recipients=${encodeURIComponent(user)}`;
    return control.post(path, bytesOf(mail), 'message/rfc822');
  }
  const { attachments = [], ...rest } = mail;
  return control.ask('POST', '/_jar/mail/send', {
    to: user,
    ...rest,
    attachments: attachments.map(({ content, ...attachment }) => ({
      ...attachment,
      contentBytes: bytesOf(content).toString('base64'),
    })),
  });
}

const bytesOf = (content: string | Uint8Array): Buffer =>
  typeof content === 'string'
    ? Buffer.from(content)
    : Buffer.from(content.buffer, content.byteOffset, content.byteLength);

function told(seen: readonly Summary[]): string {
  if (seen.length === 0) return 'it received no mail at all';
  const last = seen.slice(-3).map(({ subject, from }) => `'${subject}' from ${from ?? 'nobody'}`);
  return `it has ${seen.length}, the last ones are ${last.join(', ')}`;
}
