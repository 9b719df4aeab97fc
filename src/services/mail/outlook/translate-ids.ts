import { type Answer, ok } from '../../../kernel/http/index.ts';
import { list, mistake, parameters, text, word } from '../api/fields.ts';
import type { MailCall } from '../api/request.ts';
import { baseOf } from '../api/show.ts';
import { events, messages } from '../collections.ts';
import { itemKey } from '../mailbox/create.ts';
import { type IdForm, type ItemId, mailboxMark, readContainerId, readId, writeId } from '../mailbox/ids.ts';

/** Converts item ids between the forms of different client generations and protocols. */

const FORMATS = ['entryId', 'ewsId', 'immutableEntryId', 'restId', 'restImmutableEntryId'] as const;
type Format = (typeof FORMATS)[number];

const FORM: Readonly<Record<Format, IdForm>> = {
  entryId: 'regular',
  ewsId: 'regular',
  restId: 'regular',
  immutableEntryId: 'immutable',
  restImmutableEntryId: 'immutable',
};

const MOST_IDS = 1000;
const PARAMETERS = {
  inputIds: list(text({ longest: 1000 }), MOST_IDS),
  sourceIdType: word(FORMATS),
  targetIdType: word(FORMATS),
};

export async function translateIds(call: MailCall): Promise<Answer> {
  const { inputIds, sourceIdType, targetIdType } = parameters('translateExchangeIds', PARAMETERS, call.json());
  if (!inputIds) throw mistake('inputIds', 'it is required');
  if (!sourceIdType) throw mistake('sourceIdType', 'it is required');
  if (!targetIdType) throw mistake('targetIdType', 'it is required');
  const value: object[] = [];
  for (const sourceId of inputIds) {
    const targetId = await translated(call, sourceId, sourceIdType, targetIdType);
    const errorDetails = {
      code: 'ErrorInvalidIdMalformed',
      message: `This is not an id of the type '${sourceIdType}'.`,
    };
    value.push(targetId === undefined ? { sourceId, errorDetails } : { sourceId, targetId });
  }
  return ok({ '@odata.context': `${baseOf(call)}/$metadata#Collection(microsoft.graph.convertIdResult)`, value });
}

async function translated(call: MailCall, text: string, from: Format, to: Format): Promise<string | undefined> {
  const plain = readForm(text, from);
  if (plain === undefined) return undefined;
  // A container has only one id.
  if (readContainerId(plain)) return writeForm(plain, to);
  const id = readId(plain);
  if (!id || id.form !== FORM[from] || id.mailboxMark !== mailboxMark(call.mailbox.id)) return undefined;
  const generation = FORM[from] === FORM[to] ? id.generation : await generationOf(call, id);
  return writeForm(writeId({ ...id, form: FORM[to], generation }), to);
}

/** An immutable id does not contain the number of moves, so it is read from the item. */
async function generationOf({ jar, mailbox }: MailCall, { uid, form, generation }: ItemId): Promise<number> {
  if (form === 'regular') return generation;
  const key = itemKey(mailbox.id, uid);
  const item = (await jar.store.get(messages, key)) ?? (await jar.store.get(events, key));
  return item?.value.generation ?? 0;
}

const isBinary = (format: Format): boolean => format === 'entryId' || format === 'immutableEntryId';

/** Binary forms end with the number of omitted padding characters. */
const readForm = (text: string, format: Format): string | undefined => {
  if (!isBinary(format)) return text;
  return /^[\w-]+0$/.test(text) ? text.slice(0, -1) : undefined;
};

/** Ids of items and containers have a multiple of three bytes, so there is no padding. */
function writeForm(id: string, format: Format): string {
  if (isBinary(format)) return `${id}0`;
  return format === 'ewsId' ? id.replaceAll('-', '+').replaceAll('_', '/') : id;
}
