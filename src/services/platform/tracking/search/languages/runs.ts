import { LISTED, type SearchLanguage, TEXTUAL } from '../language.ts';
import { alias, itself, listed, number, optional, tags, text } from './rules.ts';

export const RUNS: SearchLanguage = {
  entities: [
    { name: 'metric', words: ['metric', 'metrics'], keys: number },
    { name: 'parameter', words: ['parameter', 'parameters', 'param', 'params'], keys: optional },
    tags(optional),
    {
      name: 'attribute',
      words: ['attribute', 'attributes', 'attr', 'run'],
      keys: {
        run_id: { value: 'text', operators: [...TEXTUAL, ...LISTED] },
        run_name: text,
        user_id: text,
        status: text,
        start_time: number,
        end_time: number,
        artifact_uri: text,
        created: alias('start_time', number),
        Created: alias('start_time', number),
        'run name': alias('run_name', text),
        'Run name': alias('run_name', text),
        'Run Name': alias('run_name', text),
      },
    },
    { name: 'dataset', words: ['dataset', 'datasets'], keys: { name: listed, digest: listed, context: listed } },
  ],
  refusedEntity: (entity) =>
    `Invalid entity type '${entity}'. Valid values are ['metric', 'parameter', 'tag', 'attribute', 'dataset']`,
  orderAttributes: {
    ...itself('run_id', 'run_name', 'user_id', 'status', 'start_time', 'end_time', 'artifact_uri'),
    created: 'start_time',
    Created: 'start_time',
    'run name': 'run_name',
    'Run name': 'run_name',
    'Run Name': 'run_name',
  },
  orderEntities: ['metric', 'parameter', 'tag'],
};
