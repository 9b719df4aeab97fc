import { eq } from '../../../../kernel/store/index.ts';
import { errors } from '../../errors.ts';
import type { PlatformCall } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import type { CatalogList } from '../core/list.ts';
import { catalogOperations } from '../core/wire.ts';
import { ACCOUNT_CREDENTIAL_OPERATIONS } from './account-operations.ts';
import { CREDENTIALS, STORAGE_CREDENTIALS } from './kinds.ts';
import { VALIDATE_OPERATIONS } from './validate.ts';

const unbound = ({ query }: PlatformCall): boolean => query.include_unbound === 'true';

function listOf(call: PlatformCall): CatalogList {
  const { purpose } = call.query;
  if (purpose === undefined || purpose === '') return { unbound: unbound(call) };
  if (purpose !== 'SERVICE' && purpose !== 'STORAGE')
    throw errors.INVALID_PARAMETER_VALUE({ reason: "The parameter 'purpose' must be SERVICE or STORAGE." });
  return { unbound: unbound(call), filter: eq('purpose', purpose) };
}

export const CREDENTIAL_OPERATIONS: readonly Operation[] = [
  ...catalogOperations(CREDENTIALS, {
    of: 'Credentials',
    operations: 'credentials',
    path: '/credentials',
    array: 'credentials',
    list: listOf,
  }),
  ...catalogOperations(STORAGE_CREDENTIALS, {
    of: 'Storage credentials',
    operations: 'storageCredentials',
    path: '/storage-credentials',
    array: 'storage_credentials',
    list: (call) => ({ unbound: unbound(call), filter: eq('purpose', 'STORAGE') }),
  }),
  ...ACCOUNT_CREDENTIAL_OPERATIONS,
  ...VALIDATE_OPERATIONS,
];
