import type { Sensitivity } from '../calendar/types.ts';
import type { Header, Message } from '../messages/types.ts';
import type { ActionFlag, FlagPredicate } from './types.ts';

/** Recognises the kind of a message by its header fields. Field names are case-insensitive. */

/** All values of a field, in lower case. */
const fieldsNamed = (headers: readonly Header[], name: string): readonly string[] =>
  headers.filter((each) => each.name.toLowerCase() === name).map(({ value }) => value.trim().toLowerCase());

const field = (headers: readonly Header[], name: string): string => fieldsNamed(headers, name)[0] ?? '';

type KindOfMail = Extract<
  FlagPredicate,
  | 'isAutomaticForward'
  | 'isAutomaticReply'
  | 'isEncrypted'
  | 'isSigned'
  | 'isReadReceipt'
  | 'isNonDeliveryReport'
  | 'isApprovalRequest'
  | 'isPermissionControlled'
  | 'isVoicemail'
>;

/** Headers of RFC 3834 (Auto-Submitted), 8551 (S/MIME), 3462 (reports) and 3458 (Message-Context), and those that Exchange writes. */
export const SIGNS: Readonly<Record<KindOfMail, (headers: readonly Header[]) => boolean>> = {
  isAutomaticForward: (headers) =>
    field(headers, 'auto-submitted').startsWith('auto-forwarded') ||
    fieldsNamed(headers, 'x-ms-exchange-inbox-rules-loop').length > 0,
  isAutomaticReply: (headers) =>
    field(headers, 'auto-submitted').startsWith('auto-replied') ||
    field(headers, 'precedence') === 'auto_reply' ||
    fieldsNamed(headers, 'x-autoreply').length > 0,
  isEncrypted: (headers) => {
    const type = field(headers, 'content-type');
    return /^multipart\/encrypted\b/.test(type) || (isPkcs7(type) && !/smime-type\s*=\s*"?signed-data/.test(type));
  },
  isSigned: (headers) => {
    const type = field(headers, 'content-type');
    return /^multipart\/signed\b/.test(type) || (isPkcs7(type) && /smime-type\s*=\s*"?signed-data/.test(type));
  },
  isReadReceipt: (headers) => isReport(headers, 'disposition-notification'),
  isNonDeliveryReport: (headers) => isReport(headers, 'delivery-status'),
  isApprovalRequest: (headers) => fieldsNamed(headers, 'x-ms-exchange-organization-approval-initiator').length > 0,
  isPermissionControlled: (headers) => field(headers, 'content-class') === 'rpmsg.message',
  isVoicemail: (headers) =>
    field(headers, 'message-context') === 'voice-message' || field(headers, 'content-class').startsWith('voice'),
};

const isPkcs7 = (type: string): boolean => /^application\/(?:x-)?pkcs7-mime\b/.test(type);

const isReport = (headers: readonly Header[], kind: string): boolean => {
  const type = field(headers, 'content-type');
  return /^multipart\/report\b/.test(type) && new RegExp(`report-type\\s*=\\s*"?${kind}\\b`).test(type);
};

/** The Sensitivity header (RFC 4021): `Personal`, `Private`, `Company-Confidential`. */
export function sensitivityOf({ headers }: Pick<Message, 'headers'>): Sensitivity {
  const written = field(headers, 'sensitivity');
  if (written.endsWith('confidential')) return 'confidential';
  return written === 'personal' || written === 'private' ? written : 'normal';
}

/** Parses `X-Message-Flag: Follow up` and similar values. */
export function actionFlagOf({ headers, flag }: Pick<Message, 'headers' | 'flag'>): string | undefined {
  const written = field(headers, 'x-message-flag').replace(/[^a-z]/g, '');
  if (written !== '') return FLAG_TEXTS[written] ?? written;
  return flag.flagStatus === 'flagged' ? 'followup' : undefined;
}

const FLAG_TEXTS: Readonly<Record<string, Lowercase<ActionFlag>>> = { foryourinformation: 'fyi' };
