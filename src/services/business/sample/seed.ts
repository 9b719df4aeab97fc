import type { SeedSection } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { type BusinessSeed, type KeptSeed, keptSeed, SEED_KEY } from './collections.ts';

const SAMPLE_COMPANY = 'BRENNSEE Kitchen Supply';

const defaults: BusinessSeed = { companies: [{ name: SAMPLE_COMPANY, sample: true }] };

/** A literal rather than built schema, since it is read at every start. */
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

/** Only stores the seed: companies are created on first use. */
export const businessSeed: SeedSection = {
  schema: schema as never,
  defaults,
  prepare: async (content) => async (tx, _jar, now) => {
    await keepSeed(tx, content as BusinessSeed, now);
  },
};

async function keepSeed(tx: Tx, section: BusinessSeed, at: number): Promise<KeptSeed> {
  return (await tx.put(keptSeed, SEED_KEY, { section, at })).value;
}

export const keepDefaultSeed = (tx: Tx, now: number): Promise<KeptSeed> => keepSeed(tx, defaults, now);
