import { errors } from '../errors.ts';

export const GIT_PROVIDERS = [
  'gitHub',
  'bitbucketCloud',
  'gitLab',
  'azureDevOpsServices',
  'gitHubEnterprise',
  'bitbucketServer',
  'gitLabEnterpriseEdition',
  'awsCodeCommit',
] as const;

/** The provider with this name, in any case. */
export function providerOf(said: string, field: string): string {
  const found = GIT_PROVIDERS.find((provider) => provider.toLowerCase() === said.toLowerCase());
  if (found) return found;
  throw errors.INVALID_PARAMETER_VALUE({
    reason: `The field '${field}' must be one of ${GIT_PROVIDERS.join(', ')}, not '${said.slice(0, 100)}'.`,
  });
}
