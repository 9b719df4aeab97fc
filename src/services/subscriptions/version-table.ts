import { ProviderVersions } from '../../kernel/arm/index.ts';

/** Fields that requests have in every api-version; older answers leave them out. */
const REQUESTED = ['displayName', 'workload', 'billingScope', 'resellerId'];
/** Fields of answers that the versions with ownership added. */
const ANSWERED = [
  'acceptOwnershipUrl',
  'acceptOwnershipState',
  'subscriptionOwnerId',
  'managementGroupId',
  'createdTime',
  'tags',
];

const inProperties = (names: readonly string[]): string[] => names.map((name) => `properties.${name}`);

/**
 * Differences of the api-versions. `answers` is the shape of aliases in answers: before ownership an answer has two members, though a
 * request has more.
 */
export const VERSIONS = new ProviderVersions([
  { version: '2019-03-01-preview' },
  {
    version: '2019-10-01-preview',
    adds: { types: ['aliases', 'answers'], required: { aliases: ['properties.billingScope'] } },
  },
  {
    version: '2020-09-01',
    adds: { fields: { aliases: ['properties.resellerId'] } },
    drops: { required: { aliases: ['properties.billingScope'] } },
  },
  {
    version: '2021-10-01',
    adds: {
      types: ['policies', 'acceptOwnership', 'acceptOwnershipStatus'],
      fields: {
        aliases: ['properties.additionalProperties'],
        answers: [...inProperties([...REQUESTED, ...ANSWERED]), 'systemData'],
      },
      // Optional in the specification, but the live service refuses a request without it.
      required: { aliases: ['properties.displayName'] },
    },
  },
  { version: '2024-08-01-preview' },
  { version: '2025-11-01-preview' },
]);

const answers = VERSIONS.of('answers');

/** An alias or a list of aliases as a version shows it. */
export const shownAnswer = (body: unknown, version: string, of: 'one' | 'list'): unknown =>
  answers.find(version)?.show(body, of) ?? body;
