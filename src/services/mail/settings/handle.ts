import { type Answer, ok } from '../../../kernel/http/index.ts';
import {
  applySelect,
  checkSelect,
  contextOf,
  listShape,
  type PropertyShape,
  parseSelect,
  refusing,
} from '../../../kernel/odata/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import type { MailCall } from '../api/request.ts';
import { baseOf, codeOf, contextLine, contextName, optionsOf } from '../api/show.ts';
import { mailboxes } from '../collections.ts';
import { errors } from '../errors.ts';
import type { Mailbox } from '../mailbox/types.ts';
import { changeMailbox } from '../mailbox/writer.ts';
import { changedSettings } from './change.ts';
import { type SettingsInput, settingsInput } from './input.ts';
import { type SettingsView, settingsView } from './view.ts';

const NAMES: readonly (keyof SettingsView)[] = [
  'archiveFolder',
  'timeZone',
  'delegateMeetingMessageDeliveryOptions',
  'dateFormat',
  'timeFormat',
  'userPurpose',
  'automaticRepliesSetting',
  'language',
  'workingHours',
];

const property: PropertyShape = { type: 'Edm.String', filterable: false, orderable: false };
const shape = listShape<Mailbox>('mailboxSettings', Object.fromEntries(NAMES.map((name) => [name, property])));

export const getSettings = (call: MailCall): Promise<Answer> =>
  refusing(() => {
    const { select } = optionsOf(call);
    const view = settingsView(call, call.mailbox);
    const context = contextOf(baseOf(call), contextName(call, 'mailboxSettings'), select);
    if (select === undefined) return ok({ '@odata.context': context, ...view });
    const items = parseSelect(select);
    checkSelect(shape, items, '$select', select);
    return ok({ '@odata.context': context, ...applySelect(view, items) });
  }, codeOf);

/** One setting: an object is shown with its properties beside the context, any other value as `value`. */
export function getSetting(call: MailCall): Answer {
  const asked = (call.params.setting ?? '').toLowerCase();
  const name = NAMES.find((each) => each.toLowerCase() === asked);
  if (name === undefined)
    throw errors.BadRequest__Path({ segment: asked.slice(0, 100), hint: ` There are ${NAMES.join(', ')}.` });
  const value = settingsView(call, call.mailbox)[name];
  const context = contextLine(call, `mailboxSettings/${name}`);
  return ok(isObject(value) ? { ...context, ...value } : { ...context, value });
}

/** Answers with the current values of the properties that were sent. */
export function patchSettings(call: MailCall): Promise<Answer> {
  const input = settingsInput(call.json(), '');
  return changeMailbox(call.jar, call.mailbox, async (writer) => {
    const { id } = call.mailbox;
    const stored = (await writer.tx.get(mailboxes, id))?.value ?? call.mailbox;
    checkWritable(settingsView(call, stored), input);
    const mailbox: Mailbox = { ...stored, settings: changedSettings(stored.settings, input, writer.now) };
    await writer.tx.put(mailboxes, id, mailbox);
    const view = settingsView(call, mailbox);
    const changed = NAMES.filter((name) => input[name] !== undefined).map((name) => [name, view[name]]);
    return ok({ ...contextLine(call, 'mailboxSettings'), ...Object.fromEntries(changed) });
  });
}

/** A read-only setting is accepted if unchanged, since clients send back what they received. */
function checkWritable(view: SettingsView, input: SettingsInput): void {
  for (const name of ['archiveFolder', 'userPurpose'] as const)
    if (input[name] !== undefined && input[name] !== view[name])
      throw errors.ErrorInvalidPropertySet({ property: name, reason: 'it cannot be updated' }, { target: name });
}
