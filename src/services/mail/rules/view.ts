import type { Reader } from '../../../kernel/store/index.ts';
import { containerId } from '../api/show.ts';
import { shownRecipient } from '../api/values.ts';
import { folders } from '../collections.ts';
import { itemKey } from '../mailbox/create.ts';
import type { Address } from '../messages/types.ts';
import type { MessageRule, Predicates, RuleActions } from './types.ts';

type View = Record<string, unknown>;

/** A rule as the API shows it. Absent parts are left out, as in the real service. */
export function ruleView(rule: MessageRule, hasError: boolean): View {
  const { conditions, exceptions } = rule;
  return {
    id: rule.uid,
    displayName: rule.displayName,
    sequence: rule.sequence,
    isEnabled: rule.isEnabled,
    hasError,
    isReadOnly: rule.isReadOnly,
    ...(conditions && { conditions: shownPredicates(conditions) }),
    actions: shownActions(rule),
    ...(exceptions && { exceptions: shownPredicates(exceptions) }),
  };
}

const people = (all: readonly Address[]) => all.map(shownRecipient);

function shownPredicates({ fromAddresses, sentToAddresses, ...rest }: Predicates): View {
  return {
    ...rest,
    ...(fromAddresses && { fromAddresses: people(fromAddresses) }),
    ...(sentToAddresses && { sentToAddresses: people(sentToAddresses) }),
  };
}

function shownActions({ mailbox, actions }: MessageRule): View {
  const { copyToFolder, moveToFolder, forwardTo, forwardAsAttachmentTo, redirectTo, ...rest } = actions;
  return {
    ...rest,
    ...(copyToFolder && { copyToFolder: containerId(mailbox, copyToFolder) }),
    ...(moveToFolder && { moveToFolder: containerId(mailbox, moveToFolder) }),
    ...(forwardTo && { forwardTo: people(forwardTo) }),
    ...(forwardAsAttachmentTo && { forwardAsAttachmentTo: people(forwardAsAttachmentTo) }),
    ...(redirectTo && { redirectTo: people(redirectTo) }),
  };
}

const foldersOf = ({ copyToFolder, moveToFolder }: RuleActions): readonly string[] =>
  [copyToFolder, moveToFolder].filter((uid) => uid !== undefined);

/** Uids of rules that name a deleted folder: they are shown with `hasError`. */
export async function brokenRules(reader: Reader, rules: readonly MessageRule[]): Promise<ReadonlySet<string>> {
  const missing = new Map<string, boolean>();
  const broken = new Set<string>();
  for (const { uid, mailbox, actions } of rules)
    for (const folder of foldersOf(actions)) {
      if (!missing.has(folder)) missing.set(folder, !(await reader.get(folders, itemKey(mailbox, folder))));
      if (missing.get(folder)) broken.add(uid);
    }
  return broken;
}
