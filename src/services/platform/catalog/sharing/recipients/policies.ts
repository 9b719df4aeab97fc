import { dropCounts } from '../../../../../kernel/limits/index.ts';
import { deleteSome, type Tx } from '../../../../../kernel/store/index.ts';
import { isoTime } from '../../../../../kernel/time/index.ts';
import type { JsonMembers } from '../../../../../kernel/values/index.ts';
import { completeFields, type FieldRules, readFields } from '../../../engine/fields.ts';
import { textOf, textsOf } from '../../../engine/json.ts';
import { errors } from '../../../errors.ts';
import { quotaOf } from '../../../limits/declared.ts';
import type { Securable } from '../../core/securables.ts';
import { type RecipientPolicy, recipientPolicies } from '../collections.ts';

/** Federation policies of recipients: parsing, storage and views. */

/** The claims in the published reference. */
const CLAIMS = ['oid', 'azp', 'groups', 'sub'] as const;
const NAME = /^[a-z0-9-]{1,255}$/;
const MOST_AUDIENCES = 100;

const text = { type: 'string', least: 1, most: 1000, required: true } as const;

export const OIDC_FIELDS: FieldRules = {
  issuer: text,
  subject_claim: { type: 'string', words: CLAIMS, required: true },
  subject: text,
  audiences: { type: 'array', most: MOST_AUDIENCES, items: { type: 'string', least: 1, most: 1000 } },
};

export const POLICY_FIELDS: FieldRules = {
  comment: { type: 'string', most: 65_536 },
  oidc_policy: { type: 'object', members: OIDC_FIELDS },
};

export type PolicyDraft = Pick<RecipientPolicy, 'comment' | 'issuer' | 'subjectClaim' | 'subject' | 'audiences'>;

export function checkPolicyName(name: string): string {
  if (NAME.test(name)) return name;
  throw errors.INVALID_PARAMETER_VALUE({
    reason: `'${name.slice(0, 100)}' is not a valid name of a federation policy: it must be 1 to 255 lower-case letters, digits and hyphens.`,
  });
}

/** `sent` is a complete policy; for a change, the sent fields merged over the existing ones. */
export function readPolicy(sent: unknown): PolicyDraft {
  const { comment, oidc_policy: oidc = {} } = readFields(POLICY_FIELDS, sent);
  const at = 'oidc_policy.';
  const read = completeFields(OIDC_FIELDS, readFields(OIDC_FIELDS, oidc, at), at);
  const issuer = textOf(read.issuer) ?? '';
  const url = URL.parse(issuer);
  if (!url || !(url.protocol === 'https:' || url.protocol === 'http:') || url.search !== '' || url.hash !== '')
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The field '${at}issuer' must be a URL without a query, not '${issuer.slice(0, 200)}'.`,
    });
  return {
    ...(typeof comment === 'string' && { comment }),
    issuer,
    subjectClaim: textOf(read.subject_claim) ?? '',
    subject: textOf(read.subject) ?? '',
    audiences: textsOf(read.audiences),
  };
}

/** A policy in the format of requests. */
export const sentForm = ({ comment, issuer, subjectClaim, subject, audiences }: PolicyDraft): JsonMembers => ({
  ...(comment !== undefined && { comment }),
  oidc_policy: {
    issuer,
    subject_claim: subjectClaim,
    subject,
    ...(audiences.length > 0 && { audiences: [...audiences] }),
  },
});

export const policyView = (policy: RecipientPolicy): JsonMembers => ({
  id: policy.id,
  name: policy.name,
  ...sentForm(policy),
  create_time: isoTime(policy.createdAt),
  update_time: isoTime(policy.updatedAt),
});

export const policyCount = ({ metastore, id }: Pick<Securable, 'metastore' | 'id'>) =>
  ({ row: 'recipient-policies', scope: [metastore, id] }) as const;

/** More than the limit of policies per recipient. */
const ALL = 1000;

/** Called in the transaction that removes a recipient. */
export async function dropPolicies(tx: Tx, recipient: Pick<Securable, 'metastore' | 'id'>): Promise<void> {
  const { row, scope } = policyCount(recipient);
  await deleteSome(tx, recipientPolicies, { prefix: `${recipient.id}/`, limit: ALL });
  await dropCounts(tx, quotaOf(row), scope);
}
