import type { Client } from '@microsoft/microsoft-graph-client';
import { createTransport } from 'nodemailer';
import { expect } from 'vitest';
import type { Bench } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';

/** Sends mail about meetings to a mailbox by SMTP, and reads the result through the API. */

export const ADA = 'admin@vendor.example';
export const CAROL = 'carol@fabrikam.example';
export const DAN = 'dan@fabrikam.example';
/** Time of these jars' virtual clock. */
export const CLOCK_START = '2026-01-05T08:00:00Z';

/** Properties of a VEVENT by name: a value, parameters with a value (`;TZID=Europe/Berlin:20260203T090000`), or a list of either. */
export type Properties = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface MeetingMail {
  readonly method: string;
  readonly events: readonly Properties[];
  /** VTIMEZONE and similar components. */
  readonly zones?: readonly string[];
  readonly from?: string;
  readonly sender?: string;
  readonly replyTo?: string;
  readonly subject?: string;
  /** File attachments of the mail. */
  readonly files?: readonly { readonly filename: string; readonly content: string; readonly cid?: string }[];
  readonly text?: string;
}

export const mail = (method: string, ...events: readonly Properties[]): MeetingMail => ({ method, events });

const linesOf = (properties: Properties): readonly string[] =>
  Object.entries(properties).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => `${name}${each.startsWith(';') ? each : `:${each}`}`),
  );

export const calendarText = ({ method, events, zones = [] }: MeetingMail): string =>
  [
    'BEGIN:VCALENDAR',
    'PRODID:-//Fabrikam//Calendar//EN',
    'VERSION:2.0',
    `METHOD:${method}`,
    ...zones,
    ...events.flatMap((event) => ['BEGIN:VEVENT', ...linesOf(event), 'END:VEVENT']),
    'END:VCALENDAR',
    '',
  ].join('\r\n');

/** A message or an event as the API shows it. */
// biome-ignore lint/suspicious/noExplicitAny: the tests look into answers of several shapes
export type Shown = any;

export class Post {
  readonly client: Client;
  readonly #bench: Bench;
  readonly #address: string;
  #sent = 0;

  constructor(bench: Bench, client: Client, address: string) {
    this.#bench = bench;
    this.client = client;
    this.#address = address;
  }

  /** Sends a mail to the mailbox. Returns the id by which `message` finds it. */
  async send(given: MeetingMail): Promise<string> {
    this.#sent += 1;
    const messageId = `<${this.#sent}.arrival@fabrikam.example>`;
    const { method, from = CAROL, sender, replyTo, files = [], subject = 'Review', text = 'Please come' } = given;
    const transport = createTransport({ host: '127.0.0.1', port: this.#bench.jar.smtpPort, ignoreTLS: true });
    await transport.sendMail({
      from,
      ...(sender !== undefined && { sender }),
      ...(replyTo !== undefined && { replyTo }),
      to: this.#address,
      subject,
      text,
      messageId,
      attachments: [...files],
      icalEvent: { method, content: calendarText(given) },
    });
    return messageId;
  }

  async sendAll(mails: readonly MeetingMail[]): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const each of mails) ids.push(await this.send(each));
    return ids;
  }

  /** The current message of a mail, in any folder. */
  async message(messageId: string): Promise<Shown> {
    const { value } = await this.client
      .api('/me/messages')
      .filter(`internetMessageId eq '${messageId}'`)
      .expand('microsoft.graph.eventMessage/event')
      .get();
    expect(value).toHaveLength(1);
    return value[0];
  }

  async messages(ids: readonly string[]): Promise<readonly Shown[]> {
    const all: Shown[] = [];
    for (const id of ids) all.push(await this.message(id));
    return all;
  }

  /** Single events and masters. */
  async events(): Promise<readonly Shown[]> {
    return (await this.client.api('/me/events').top(100).get()).value;
  }

  /** The calendar view between two days (`2026-02-01`). */
  async view(from: string, to: string): Promise<readonly Shown[]> {
    const query = { startDateTime: `${from}T00:00:00Z`, endDateTime: `${to}T00:00:00Z`, $top: '500' };
    return (await this.client.api('/me/calendarView').query(query).get()).value;
  }
}

export async function postOf(bench: Bench, user = 'admin', address = ADA): Promise<Post> {
  return new Post(bench, await graphClient(bench, { user, version: 'beta' }), address);
}

/** Starts of events in UTC, without the constant suffix. */
export const startsOf = (events: readonly Shown[]): readonly string[] =>
  events.map(({ start }) => start.dateTime.replace(/:00\.0000000$/, ''));
