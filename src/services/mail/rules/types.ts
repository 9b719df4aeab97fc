import type { Sensitivity } from '../calendar/types.ts';
import type { Address, Importance } from '../messages/types.ts';

export const ACTION_FLAGS = [
  'any',
  'call',
  'doNotForward',
  'followUp',
  'fyi',
  'forward',
  'noResponseNecessary',
  'read',
  'reply',
  'replyToAll',
  'review',
] as const;
export type ActionFlag = (typeof ACTION_FLAGS)[number];

/** Predicates with a list of strings; a message must contain one of them. */
export const TEXT_PREDICATES = [
  'bodyContains',
  'subjectContains',
  'bodyOrSubjectContains',
  'senderContains',
  'recipientContains',
  'headerContains',
  'categories',
] as const;

/** Predicates that are set or not; false is the same as absent. */
export const FLAG_PREDICATES = [
  'hasAttachments',
  'sentToMe',
  'sentCcMe',
  'sentOnlyToMe',
  'sentToOrCcMe',
  'notSentToMe',
  'isMeetingRequest',
  'isMeetingResponse',
  'isAutomaticForward',
  'isAutomaticReply',
  'isEncrypted',
  'isSigned',
  'isReadReceipt',
  'isNonDeliveryReport',
  'isApprovalRequest',
  'isPermissionControlled',
  'isVoicemail',
] as const;

export type TextPredicate = (typeof TEXT_PREDICATES)[number];
export type FlagPredicate = (typeof FLAG_PREDICATES)[number];

/** As conditions, all must hold; as exceptions, one is enough. */
export interface Predicates
  extends Readonly<Partial<Record<TextPredicate, readonly string[]>>>,
    Readonly<Partial<Record<FlagPredicate, boolean>>> {
  readonly fromAddresses?: readonly Address[];
  readonly sentToAddresses?: readonly Address[];
  readonly importance?: Importance;
  readonly sensitivity?: Sensitivity;
  readonly messageActionFlag?: ActionFlag;
  /** Kilobytes. */
  readonly withinSizeRange?: { readonly minimumSize: number; readonly maximumSize: number };
}

/** Folders are uids. */
export interface RuleActions {
  readonly assignCategories?: readonly string[];
  readonly copyToFolder?: string;
  readonly moveToFolder?: string;
  readonly delete?: boolean;
  readonly permanentDelete?: boolean;
  readonly forwardTo?: readonly Address[];
  readonly forwardAsAttachmentTo?: readonly Address[];
  readonly redirectTo?: readonly Address[];
  readonly markAsRead?: boolean;
  readonly markImportance?: Importance;
  readonly stopProcessingRules?: boolean;
}

/** A rule for mail that arrives in the inbox. The key of its document is `{mailbox}/{uid}`. */
export interface MessageRule {
  readonly uid: string;
  readonly mailbox: string;
  readonly displayName: string;
  /** Rules run in ascending order; rules with the same number in the order of their creation. */
  readonly sequence: number;
  readonly isEnabled: boolean;
  readonly isReadOnly: boolean;
  readonly createdAt: number;
  readonly conditions?: Predicates;
  readonly exceptions?: Predicates;
  readonly actions: RuleActions;
}
