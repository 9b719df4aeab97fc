import type { SeedSection } from '../../../kernel/service.ts';
import { type BusinessSeed, keptSeed, SEED_KEY } from './collections.ts';

const SAMPLE_COMPANY = 'BRENNSEE Kitchen Supply';

const defaults: BusinessSeed = { companies: [{ name: SAMPLE_COMPANY, sample: true }] };

/** Written out rather than built, since a jar reads it at every start. */
const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['companies'],
  properties: {
    companies: {
      type: 'array',
      maxItems: 300,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 30 },
          displayName: { type: 'string', maxLength: 250 },
          sample: { type: 'boolean' },
          records: {
            type: 'object',
            additionalProperties: { type: 'array', items: { type: 'object' } },
          },
        },
      },
    },
  },
};

/** Only notes what is wanted: companies are made when somebody first asks for them. */
export const businessSeed: SeedSection = {
  schema: schema as never,
  defaults,
  async apply(tx, section, _jar, now) {
    await tx.put(keptSeed, SEED_KEY, { section: section as BusinessSeed, at: now });
  },
};
