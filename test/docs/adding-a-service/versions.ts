import { ProviderVersions } from '../../../src/kernel/arm/index.ts';

export const BELL_VERSIONS = new ProviderVersions([
  { version: '2025-06-01-preview', adds: { required: { bells: ['properties.sound'] } } },
  {
    version: '2026-01-01',
    adds: { fields: { bells: ['properties.state'] }, words: { bells: { 'properties.sound': ['Dong'] } } },
    drops: { required: { bells: ['properties.sound'] } },
  },
]);
