import { collection, text } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';

/** The target of a recipient's activation link. The key is the code in the link. */
export interface SharingActivation {
  readonly recipient: string;
  /** The id of the token that it issues. */
  readonly token: string;
}

const ROTATE = 'They are removed: rotate the tokens of the recipients, which creates new activation links';

export const sharingActivations = collection<SharingActivation>('platform.sharing_activations', {
  secrets: { what: 'activation links of recipients', afterwards: ROTATE, secretKey: true, remove: () => undefined },
});

/** The recipient of a bearer token. The key is the hash of the token; the recipient's document says whether the token is still valid. */
export const sharingBearers = collection<SharingActivation>('platform.sharing_bearers', {
  secrets: { what: 'tokens of recipients', afterwards: ROTATE, secretKey: true, remove: () => undefined },
});

/**
 * A recipient or provider that represents another metastore. The key is the id of its own metastore, its kind and the other metastore's
 * global id.
 */
export interface SharingPartner {
  readonly securable: string;
  readonly kind: 'recipient' | 'provider';
  /** The id of its own metastore. */
  readonly metastore: string;
  /** The id of the other metastore. */
  readonly other: string;
}

export const partnerKey = ({ metastore, kind, other }: Omit<SharingPartner, 'securable'>): string =>
  `${metastore}/${kind}/${other}`;

export const sharingPartners = collection<SharingPartner>('platform.sharing_partners');

export const DATA_OBJECT_TYPES = [
  'TABLE',
  'VIEW',
  'SCHEMA',
  'VOLUME',
  'MODEL',
  'FUNCTION',
  'NOTEBOOK_FILE',
  'MATERIALIZED_VIEW',
  'STREAMING_TABLE',
  'FOREIGN_TABLE',
  'FEATURE_SPEC',
] as const;
export type DataObjectType = (typeof DATA_OBJECT_TYPES)[number];

/** An object in a share. The key is `sharedKey`. */
export interface SharedObject {
  /** The id of the share. */
  readonly share: string;
  readonly type: DataObjectType;
  /** The full name in the catalog, or the name of a notebook. Lower case. */
  readonly name: string;
  /** The name that recipients see, in lower case: `schema.table`; for schemas only the schema. */
  readonly sharedAs: string;
  /** The id of the securable; absent for notebooks. */
  readonly securable?: string;
  readonly addedAt: number;
  readonly addedBy: string;
  /** The other fields: comment, versions, history, partitions, the content of notebooks. */
  readonly fields: JsonMembers;
}

export const sharedKey = ({ share, type, name }: Pick<SharedObject, 'share' | 'type' | 'name'>): string =>
  `${share}/${type}/${name}`;

export const sharedObjects = collection<SharedObject>('platform.shared_objects', {
  fields: {
    share: text((it) => it.share),
    type: text((it) => it.type),
    name: text((it) => it.name),
    sharedAs: text((it) => it.sharedAs),
    securable: text((it) => it.securable),
  },
  indexes: [['share', 'sharedAs'], ['share', 'type', 'name'], ['securable']],
});

/** Issuer and subject of the tokens that a recipient reads with, instead of a token of the platform. The key is `recipientPolicyKey`. */
export interface RecipientPolicy {
  readonly id: string;
  /** The id of the recipient. */
  readonly recipient: string;
  readonly name: string;
  readonly comment?: string;
  readonly issuer: string;
  readonly subjectClaim: string;
  readonly subject: string;
  /** If empty, the audience is the id of the account. */
  readonly audiences: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const recipientPolicyKey = ({ recipient, name }: Pick<RecipientPolicy, 'recipient' | 'name'>): string =>
  `${recipient}/${name}`;

export const recipientPolicies = collection<RecipientPolicy>('platform.recipient_policies', {
  fields: {
    recipient: text((it) => it.recipient),
    name: text((it) => it.name),
    issuer: text((it) => it.issuer),
  },
  indexes: [['recipient', 'name'], ['issuer']],
});

export const SHARING_COLLECTIONS = [
  // One per line.
  sharingActivations,
  sharingBearers,
  sharingPartners,
  sharedObjects,
  recipientPolicies,
] as const;
