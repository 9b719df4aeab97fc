import { type Answer, created, noContent, ok } from '../../../kernel/http/index.ts';
import { etag } from '../../../kernel/ids/index.ts';
import { readAll } from '../../../kernel/store/index.ts';
import { mistake } from '../api/fields.ts';
import type { MailCall } from '../api/request.ts';
import { containerId, contextLine } from '../api/show.ts';
import { messageRules } from '../collections.ts';
import { errors } from '../errors.ts';
import { destinationNamed } from '../folders/find.ts';
import { MOST_RULE_TEXTS, MOST_RULES } from '../limits.ts';
import { changeMailbox, type MailboxWriter } from '../mailbox/writer.ts';
import { type RuleInput, ruleInput } from './input.ts';
import { checkInbox, findRule, rulesName } from './read.ts';
import { type MessageRule, type Predicates, type RuleActions, TEXT_PREDICATES } from './types.ts';
import { brokenRules, ruleView } from './view.ts';

export async function postRule(call: MailCall): Promise<Answer> {
  checkInbox(call);
  const input = ruleInput(call.json(), '');
  const { displayName, actions, isEnabled = true, isReadOnly = false } = input;
  if (displayName === undefined) throw mistake('displayName', 'it is required');
  if (!actions) throw mistake('actions', 'it is required');
  return changeMailbox(call.jar, call.mailbox, async (writer) => {
    const others = await rulesOf(writer);
    const rule: MessageRule = {
      uid: etag(),
      mailbox: call.mailbox.id,
      displayName,
      sequence: input.sequence ?? Math.max(0, ...others.map(({ sequence }) => sequence)) + 1,
      isEnabled,
      isReadOnly,
      createdAt: writer.now,
      ...(input.conditions && { conditions: input.conditions }),
      ...(input.exceptions && { exceptions: input.exceptions }),
      actions: await readActions(writer, actions),
    };
    checkQuota([...others, rule]);
    await writer.tx.put(messageRules, writer.key(rule.uid), rule);
    writer.addRules(1);
    return created(entity(call, rule));
  });
}

/** `conditions`, `exceptions` and `actions` are replaced as a whole. */
export async function patchRule(call: MailCall): Promise<Answer> {
  const input = ruleInput(call.json(), '');
  return changeMailbox(call.jar, call.mailbox, async (writer) => {
    const { value: before } = await findRule(call, writer.tx);
    checkWritable(before);
    if (input.isReadOnly !== undefined && input.isReadOnly !== before.isReadOnly)
      throw errors.ErrorInvalidPropertySet(
        { property: 'isReadOnly', reason: 'it can be set only when the rule is created' },
        { target: 'isReadOnly' },
      );
    const { conditions, exceptions, ...kept } = before;
    const rule: MessageRule = {
      ...kept,
      displayName: input.displayName ?? before.displayName,
      sequence: input.sequence ?? before.sequence,
      isEnabled: input.isEnabled ?? before.isEnabled,
      ...given('conditions', input, conditions),
      ...given('exceptions', input, exceptions),
      actions: input.actions ? await readActions(writer, input.actions, before.actions) : before.actions,
    };
    checkQuota([...(await rulesOf(writer)).filter(({ uid }) => uid !== rule.uid), rule]);
    await writer.tx.put(messageRules, writer.key(rule.uid), rule);
    return ok(entity(call, rule, (await brokenRules(writer.tx, [rule])).size > 0));
  });
}

export const deleteRule = (call: MailCall): Promise<Answer> =>
  changeMailbox(call.jar, call.mailbox, async (writer) => {
    const { key, value } = await findRule(call, writer.tx);
    checkWritable(value);
    await writer.tx.delete(messageRules, key);
    writer.addRules(-1);
    return noContent();
  });

/** The sent value, otherwise the stored one; null removes it. */
function given<N extends 'conditions' | 'exceptions'>(
  name: N,
  input: RuleInput,
  before: Predicates | undefined,
): { readonly [K in N]?: Predicates } {
  const sent = input[name];
  const predicates = sent === undefined ? before : sent;
  return predicates ? ({ [name]: predicates } as { readonly [K in N]: Predicates }) : {};
}

/** A folder that was deleted after the rule was created may be sent back as it was shown. */
async function readActions(
  { tx, mailbox }: MailboxWriter,
  { copyToFolder, moveToFolder, ...rest }: NonNullable<RuleInput['actions']>,
  before: RuleActions = {},
): Promise<RuleActions> {
  const uidOf = async (key: string): Promise<string> => (await destinationNamed(tx, mailbox, key)).uid;
  const isKept = (key: string, uid: string | undefined): uid is string =>
    uid !== undefined && containerId(mailbox.id, uid) === key;
  const found = async (key: string, uid: string | undefined) => (isKept(key, uid) ? uid : uidOf(key));
  return {
    ...rest,
    ...(copyToFolder !== undefined && { copyToFolder: await found(copyToFolder, before.copyToFolder) }),
    ...(moveToFolder !== undefined && { moveToFolder: await found(moveToFolder, before.moveToFolder) }),
  };
}

const rulesOf = async (writer: MailboxWriter): Promise<readonly MessageRule[]> =>
  (await readAll(writer.tx, messageRules, { prefix: writer.key('') })).map(({ value }) => value);

function checkWritable({ isReadOnly, displayName }: MessageRule): void {
  if (isReadOnly) throw errors.ErrorRuleIsReadOnly({ name: displayName });
}

function checkQuota(rules: readonly MessageRule[]): void {
  if (rules.length > MOST_RULES)
    throw errors.ErrorRulesOverQuota({ reason: `it can have at most ${MOST_RULES} rules` });
  let texts = 0;
  for (const { conditions, exceptions } of rules)
    for (const predicates of [conditions, exceptions])
      for (const name of TEXT_PREDICATES) texts += predicates?.[name]?.length ?? 0;
  if (texts > MOST_RULE_TEXTS)
    throw errors.ErrorRulesOverQuota({
      reason: `together they can search for at most ${MOST_RULE_TEXTS} texts, and would search for ${texts}`,
    });
}

const entity = (call: MailCall, rule: MessageRule, hasError = false) => ({
  ...contextLine(call, `${rulesName(call)}/$entity`),
  ...ruleView(rule, hasError),
});
