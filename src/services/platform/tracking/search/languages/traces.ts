import { ABSENCE, type KeyRule, LISTED, NUMERIC, type SearchLanguage, TEXTUAL } from '../language.ts';
import { alias, itself, number } from './rules.ts';

const text: KeyRule = { value: 'text', operators: [...TEXTUAL, ...LISTED] };
const optional: KeyRule = { value: 'text', operators: [...text.operators, ...ABSENCE] };
/** Long texts support only LIKE, not equality. */
const searched: KeyRule = { value: 'text', operators: ['LIKE', 'ILIKE'] };
const judged: KeyRule = { value: 'either', operators: [...text.operators, ...NUMERIC.slice(2), ...ABSENCE] };

export const TRACES: SearchLanguage = {
  entities: [
    {
      name: 'attribute',
      words: ['attribute', 'attributes', 'trace'],
      keys: {
        request_id: text,
        timestamp: number,
        timestamp_ms: alias('timestamp', number),
        execution_time: number,
        execution_time_ms: alias('execution_time', number),
        end_time: number,
        end_time_ms: alias('end_time', number),
        status: text,
        client_request_id: text,
        name: text,
        run_id: text,
        prompt: text,
        text: searched,
      },
    },
    { name: 'tag', words: ['tag', 'tags'], keys: optional },
    { name: 'request_metadata', words: ['metadata', 'request_metadata'], keys: optional },
    { name: 'span', words: ['span'], keys: { name: text, type: text, status: text, content: searched } },
    { name: 'feedback', words: ['feedback'], keys: judged },
    { name: 'expectation', words: ['expectation'], keys: judged },
    { name: 'issue', words: ['issue'], keys: { id: text } },
  ],
  refusedEntity: (entity) =>
    `Invalid entity type '${entity}'. Valid values are ['attribute', 'tag', 'request_metadata', 'span', 'feedback', 'expectation', 'issue']`,
  orderAttributes: {
    ...itself('timestamp', 'execution_time', 'end_time', 'status', 'request_id', 'name', 'run_id', 'experiment_id'),
    timestamp_ms: 'timestamp',
    execution_time_ms: 'execution_time',
    end_time_ms: 'end_time',
  },
  orderEntities: [],
};
