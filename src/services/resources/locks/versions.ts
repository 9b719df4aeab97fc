import { ProviderVersions } from '../../../kernel/arm/index.ts';

export const LOCK_VERSIONS = new ProviderVersions([
  { version: '2015-01-01' },
  { version: '2016-09-01' },
  { version: '2017-04-01', adds: { fields: { locks: ['systemData'] } } },
  { version: '2020-05-01' },
]);
