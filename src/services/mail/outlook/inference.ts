import { type Answer, created, noContent, ok } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { type EntityShape, entityShape, isGuid, type ODataSet } from '../../../kernel/odata/index.ts';
import { allOf, eq, type Reader, type Stored } from '../../../kernel/store/index.ts';
import { mistake, object, word } from '../api/fields.ts';
import type { MailCall } from '../api/request.ts';
import { baseOf, codeOf, contextLine, contextName, pageAnswer } from '../api/show.ts';
import { address } from '../api/values.ts';
import { inferenceOverrides } from '../collections.ts';
import { errors } from '../errors.ts';
import { MOST_INFERENCE_OVERRIDES } from '../limits.ts';
import { itemKey } from '../mailbox/create.ts';
import { changeMailbox } from '../mailbox/writer.ts';
import { INFERENCES, type Inference } from '../messages/types.ts';
import type { InferenceOverride } from './types.ts';

/** Overrides by sender: mail is always focused, or never. */

const PATH = 'inferenceClassification/overrides';
const input = object('inferenceClassificationOverride', {
  id: (value: unknown) => value,
  classifyAs: word(INFERENCES),
  senderEmailAddress: address,
});

const shape: EntityShape<InferenceOverride> = entityShape<InferenceOverride>({
  name: 'inferenceClassificationOverride',
  collection: inferenceOverrides,
  properties: {
    id: { type: 'Edm.String', field: 'id' },
    classifyAs: { type: { members: INFERENCES } },
    senderEmailAddress: { type: 'Edm.String', filterable: false, orderable: false },
  },
  scan: 'bounded',
});

const view = ({ id, classifyAs, sender }: InferenceOverride) => ({ id, classifyAs, senderEmailAddress: sender });
const entity = (call: MailCall, override: InferenceOverride) => ({
  ...contextLine(call, `${PATH}/$entity`),
  ...view(override),
});

/** The classification of a sender's mail; undefined if the owner of the mailbox has not set one. */
export async function inferenceFor(reader: Reader, mailbox: string, sender: string): Promise<Inference | undefined> {
  return (await reader.get(inferenceOverrides, itemKey(mailbox, sender.toLowerCase())))?.value.classifyAs;
}

export function listOverrides(call: MailCall): Promise<Answer> {
  const set: ODataSet<InferenceOverride> = {
    shape,
    name: contextName(call, PATH),
    base: baseOf(call),
    filter: eq('mailbox', call.mailbox.id),
    view: ({ value }) => view(value),
    always: ['id'],
    codeOf,
  };
  return pageAnswer(call, set);
}

export const getOverride = async (call: MailCall): Promise<Answer> =>
  ok(entity(call, (await find(call, call.jar.store)).value));

async function find({ mailbox, params }: MailCall, reader: Reader): Promise<Stored<InferenceOverride>> {
  const id = (params.override ?? '').toLowerCase();
  if (!isGuid(id)) throw errors.ErrorInvalidIdMalformed();
  const filter = allOf(eq('mailbox', mailbox.id), eq('id', id));
  const [stored] = (await reader.query(inferenceOverrides, { filter, limit: 1 })).items;
  if (!stored) throw errors.ErrorItemNotFound();
  return stored;
}

/** Each sender has at most one override: a second one replaces the first. */
export function postOverride(call: MailCall): Promise<Answer> {
  const { classifyAs, senderEmailAddress: sender } = input(call.json(), '');
  if (!classifyAs) throw mistake('classifyAs', 'it is required');
  if (!sender?.address) throw mistake('senderEmailAddress/address', 'it is required');
  return changeMailbox(call.jar, call.mailbox, async ({ tx, mailbox }) => {
    const key = itemKey(mailbox.id, sender.address.toLowerCase());
    const before = (await tx.get(inferenceOverrides, key))?.value;
    if (
      !before &&
      (await tx.count(inferenceOverrides, { filter: eq('mailbox', mailbox.id) })) >= MOST_INFERENCE_OVERRIDES
    )
      throw errors.ErrorQuotaExceeded({ reason: `it can have at most ${MOST_INFERENCE_OVERRIDES} overrides` });
    const override: InferenceOverride = { id: before?.id ?? uuid(), mailbox: mailbox.id, classifyAs, sender };
    await tx.put(inferenceOverrides, key, override);
    return created(entity(call, override));
  });
}

export function patchOverride(call: MailCall): Promise<Answer> {
  const { classifyAs, senderEmailAddress: sender } = input(call.json(), '');
  return changeMailbox(call.jar, call.mailbox, async ({ tx }) => {
    const { key, value } = await find(call, tx);
    if (sender && sender.address.toLowerCase() !== value.sender.address.toLowerCase())
      throw errors.ErrorInvalidPropertySet(
        { property: 'senderEmailAddress', reason: 'the sender of an override cannot be changed' },
        { target: 'senderEmailAddress' },
      );
    const override = { ...value, classifyAs: classifyAs ?? value.classifyAs, sender: sender ?? value.sender };
    await tx.put(inferenceOverrides, key, override);
    return ok(entity(call, override));
  });
}

export const deleteOverride = (call: MailCall): Promise<Answer> =>
  changeMailbox(call.jar, call.mailbox, async ({ tx }) => {
    await tx.delete(inferenceOverrides, (await find(call, tx)).key);
    return noContent();
  });
