import type { SearchLanguage } from '../language.ts';
import { alias, itself, listed, number } from './rules.ts';

const created = alias('creation_timestamp', number);
const updated = alias('last_updated_timestamp', number);

export const LOGGED_MODELS: SearchLanguage = {
  entities: [
    { name: 'metric', words: ['metrics'], keys: number },
    { name: 'parameter', words: ['params'], keys: listed },
    { name: 'tag', words: ['tags'], keys: listed },
    {
      name: 'attribute',
      words: ['attribute', 'attributes'],
      keys: {
        name: listed,
        model_id: listed,
        model_type: listed,
        status: listed,
        source_run_id: listed,
        experiment_id: listed,
        creation_timestamp: created,
        creation_timestamp_ms: created,
        creation_time: created,
        last_updated_timestamp: updated,
        last_updated_timestamp_ms: updated,
      },
    },
  ],
  refusedEntity: (entity) =>
    `Invalid entity type '${entity}'. Expected one of ('attributes', 'metrics', 'params', 'tags').`,
  orderAttributes: {
    ...itself('name', 'model_id', 'model_type', 'status', 'source_run_id', 'experiment_id'),
    ...itself('creation_timestamp', 'last_updated_timestamp'),
    creation_timestamp_ms: 'creation_timestamp',
    creation_time: 'creation_timestamp',
    last_updated_timestamp_ms: 'last_updated_timestamp',
  },
  orderEntities: ['metric'],
  wording: 'logged-models',
  upperCaseWords: true,
};
