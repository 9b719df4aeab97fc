import type { Answer } from '../../../kernel/http/index.ts';
import { type EntityShape, entityShape, type ODataSet, type PropertyShape } from '../../../kernel/odata/index.ts';
import { eq, type Reader, readAll, type Stored } from '../../../kernel/store/index.ts';
import type { MailCall } from '../api/request.ts';
import { baseOf, codeOf, contextName, entityAnswer, pageAnswer } from '../api/show.ts';
import { messageRules } from '../collections.ts';
import { errors } from '../errors.ts';
import { folderUid } from '../folders/find.ts';
import { itemKey } from '../mailbox/create.ts';
import { isUid } from '../mailbox/ids.ts';
import type { MessageRule } from './types.ts';
import { brokenRules, ruleView } from './view.ts';

const shown: PropertyShape = { type: 'Edm.String', filterable: false, orderable: false };

const ruleShape: EntityShape<MessageRule> = entityShape<MessageRule>({
  name: 'messageRule',
  collection: messageRules,
  properties: {
    id: shown,
    displayName: { type: 'Edm.String', field: 'displayName', ignoreCase: true },
    sequence: { type: 'Edm.Int32', field: 'sequence' },
    isEnabled: { type: 'Edm.Boolean', field: 'isEnabled' },
    isReadOnly: { type: 'Edm.Boolean', field: 'isReadOnly' },
    ...Object.fromEntries(['hasError', 'conditions', 'actions', 'exceptions'].map((name) => [name, shown])),
  },
  scan: 'bounded',
});

export async function listRules(call: MailCall): Promise<Answer> {
  checkInbox(call);
  const all = await readAll(call.jar.store, messageRules, { prefix: itemKey(call.mailbox.id, '') });
  return pageAnswer(call, await ruleSet(call, all));
}

export async function getRule(call: MailCall): Promise<Answer> {
  const stored = await findRule(call, call.jar.store);
  return entityAnswer(call, await ruleSet(call, [stored]), stored);
}

/** `mailFolders('inbox')/messageRules`: the name in `@odata.context`. */
export const rulesName = ({ params }: Pick<MailCall, 'params'>): string =>
  `mailFolders('${encodeURIComponent(params.folder ?? '')}')/messageRules`;

async function ruleSet(call: MailCall, rules: readonly Stored<MessageRule>[]): Promise<ODataSet<MessageRule>> {
  const values = rules.map(({ value }) => value);
  const broken = await brokenRules(call.jar.store, values);
  return {
    shape: ruleShape,
    name: contextName(call, rulesName(call)),
    base: baseOf(call),
    filter: eq('mailbox', call.mailbox.id),
    order: [{ field: 'sequence' }, { field: 'createdAt' }],
    view: ({ value }) => ruleView(value, broken.has(value.uid)),
    always: ['id'],
    codeOf,
  };
}

/** Rules apply to arriving mail, which is delivered to the inbox, so other folders have none. */
export function checkInbox({ mailbox, params }: MailCall): void {
  if (folderUid(mailbox, params.folder ?? '') !== mailbox.wellKnown.inbox)
    throw errors.ErrorInvalidRequest({ reason: 'Message rules exist only for the inbox.' });
}

export async function findRule(call: MailCall, reader: Reader): Promise<Stored<MessageRule>> {
  checkInbox(call);
  const uid = call.params.rule ?? '';
  if (!isUid(uid)) throw errors.ErrorInvalidIdMalformed();
  const stored = await reader.get(messageRules, itemKey(call.mailbox.id, uid));
  if (!stored) throw errors.ErrorItemNotFound();
  return stored;
}
