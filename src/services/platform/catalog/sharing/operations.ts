import type { Operation } from '../../operation.ts';
import { PROTOCOL_OPERATIONS } from './protocol/routes.ts';
import { PROVIDER_OPERATIONS } from './providers/operations.ts';
import { ACTIVATION_OPERATIONS } from './recipients/activation.ts';
import { RECIPIENT_OPERATIONS } from './recipients/operations.ts';
import { RECIPIENT_POLICY_OPERATIONS } from './recipients/policy-operations.ts';
import { SHARE_OPERATIONS } from './shares/operations.ts';

/** Sharing: shares, recipients and providers. */
export const SHARING_OPERATIONS: readonly Operation[] = [
  ...ACTIVATION_OPERATIONS,
  ...PROTOCOL_OPERATIONS,
  ...PROVIDER_OPERATIONS,
  ...RECIPIENT_OPERATIONS,
  ...RECIPIENT_POLICY_OPERATIONS,
  ...SHARE_OPERATIONS,
];
