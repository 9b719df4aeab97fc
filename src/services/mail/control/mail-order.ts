import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import { findMistake, jsonMistake, parseJson } from '../../../kernel/values/index.ts';
import { MOST_RECIPIENTS } from '../limits.ts';
import { mailControlErrors } from './errors.ts';

const Optional = Type.Optional;
const Strict = { additionalProperties: false };
/** Length-limited, since the time for parsing addresses grows with the square of the separators in one string. */
const Address = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: "'Carol <carol@fabrikam.example>', an address, or the alias of a user",
});
const Addresses = Type.Union([Address, Type.Array(Address, { maxItems: MOST_RECIPIENTS })]);

const Meeting = Type.Object(
  {
    start: Optional(
      Type.String({
        description: "'2026-01-05T09:00:00Z', a local time in 'timeZone', or a day; the default is the next full hour",
      }),
    ),
    end: Optional(Type.String()),
    duration: Optional(Type.String({ description: "Instead of 'end': '45m', 'PT45M'; the default is 30 minutes" })),
    timeZone: Optional(Type.String({ description: 'The default is UTC' })),
    location: Optional(Type.String({ maxLength: 1000 })),
    organizer: Optional(Address),
    uid: Optional(
      Type.String({ minLength: 1, maxLength: 1000, description: 'UID of an existing meeting that this mail is about' }),
    ),
    sequence: Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
    isCancelled: Optional(Type.Boolean({ description: 'A cancellation instead of a request' })),
  },
  Strict,
);

/** The JSON body of `POST /_jar/mail/send`. */
export const MailOrder = Type.Object(
  {
    from: Optional(Address),
    to: Addresses,
    cc: Optional(Addresses),
    bcc: Optional(Addresses),
    recipients: Optional({
      ...Addresses,
      description: 'Recipients of the envelope; the default is all recipients in the header',
    }),
    subject: Optional(Type.String({ maxLength: 10_000 })),
    text: Optional(Type.String()),
    html: Optional(Type.String()),
    calendar: Optional(Type.String({ description: 'The text of an iCalendar object with a METHOD' })),
    meeting: Optional(Meeting),
    attachments: Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String({ minLength: 1, maxLength: 255 }),
            contentType: Optional(Type.String({ maxLength: 200 })),
            contentBytes: Type.String({ description: 'Base64' }),
          },
          Strict,
        ),
        { maxItems: 100 },
      ),
    ),
  },
  Strict,
);

export type MailOrder = Static<typeof MailOrder>;
export type MeetingOrder = Static<typeof Meeting>;

/** Validates a JSON body; throws the first mistake with its path. */
export async function readOrder(bytes: Buffer): Promise<MailOrder> {
  let value: unknown;
  try {
    value = parseJson(bytes);
  } catch (cause) {
    throw mailControlErrors.MalformedJson({ reason: jsonMistake(cause) }, { cause });
  }
  if (Check(MailOrder, value)) {
    if (value.meeting && value.calendar !== undefined)
      throw invalid('calendar', "cannot be given together with 'meeting'");
    return value;
  }
  const { field, reason } = (await findMistake(MailOrder, value)) ?? { field: '', reason: 'is not valid' };
  throw invalid(field, reason);
}

export const invalid = (field: string, reason: string): Error =>
  mailControlErrors.InvalidBody({ field, reason }, { target: field });
