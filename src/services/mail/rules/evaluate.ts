import type { Address, Importance, Message } from '../messages/types.ts';
import { Examined } from './match.ts';
import type { MessageRule } from './types.ts';

/** The combined result of all rules for a message. Folders are uids. */
export interface RuleOutcome {
  /** Uids of the matching rules, in order. */
  readonly matched: readonly string[];
  /** Target of the message: a folder, the deleted items, or permanent deletion. Absent if the message stays. */
  readonly moveTo?: { readonly folder: string } | 'deletedItems' | 'gone';
  readonly copyTo: readonly string[];
  readonly markAsRead: boolean;
  readonly importance?: Importance;
  readonly categories: readonly string[];
  readonly forwardTo: readonly Address[];
  readonly forwardAsAttachmentTo: readonly Address[];
  readonly redirectTo: readonly Address[];
}

/** Sorts rules by the order in which they run. */
export const inOrder = (rules: readonly MessageRule[]): readonly MessageRule[] =>
  rules.toSorted((a, b) => a.sequence - b.sequence || a.createdAt - b.createdAt || (a.uid < b.uid ? -1 : 1));

/**
 * Every rule sees the message as it arrived. A deletion takes precedence over moves, a permanent deletion over everything. Of several
 * moves, the first one moves the message and the others copy it, so that no rule loses it. `owner` is the address of the mailbox.
 */
export function rulesFor(message: Message, rules: readonly MessageRule[], owner: string): RuleOutcome {
  const examined = new Examined(message, owner);
  const matched: MessageRule[] = [];
  for (const rule of inOrder(rules)) {
    if (!rule.isEnabled || !examined.matches(rule)) continue;
    matched.push(rule);
    if (rule.actions.stopProcessingRules) break;
  }
  const actions = matched.map((rule) => rule.actions);
  const moves = unique(actions.flatMap(({ moveToFolder }) => moveToFolder ?? []));
  const isGone = actions.some((each) => each.permanentDelete);
  const isDeleted = actions.some((each) => each.delete);
  const [first, ...others] = moves;
  const importance = actions.findLast(({ markImportance }) => markImportance)?.markImportance;
  const moveTo = isGone ? 'gone' : isDeleted ? 'deletedItems' : first === undefined ? undefined : { folder: first };
  return {
    matched: matched.map(({ uid }) => uid),
    ...(moveTo && { moveTo }),
    copyTo: unique([...actions.flatMap(({ copyToFolder }) => copyToFolder ?? []), ...others]),
    markAsRead: actions.some((each) => each.markAsRead),
    ...(importance && { importance }),
    categories: unique(actions.flatMap(({ assignCategories }) => assignCategories ?? [])),
    forwardTo: people(actions.flatMap(({ forwardTo }) => forwardTo ?? [])),
    forwardAsAttachmentTo: people(actions.flatMap(({ forwardAsAttachmentTo }) => forwardAsAttachmentTo ?? [])),
    redirectTo: people(actions.flatMap(({ redirectTo }) => redirectTo ?? [])),
  };
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

const people = (all: readonly Address[]): readonly Address[] => [
  ...new Map(all.map((each) => [each.address.toLowerCase(), each])).values(),
];
