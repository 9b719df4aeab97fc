import { type SearchLanguage, TEXTUAL } from '../language.ts';
import { attributesAndTags } from './experiments.ts';
import { itself, number, tags, text } from './rules.ts';

const ATTRIBUTE_WORDS = ['attribute', 'attributes', 'attr'];

export const REGISTERED_MODELS: SearchLanguage = {
  entities: [{ name: 'attribute', words: ATTRIBUTE_WORDS, keys: { name: text } }, tags(text)],
  refusedEntity: attributesAndTags,
  orderAttributes: {
    ...itself('name', 'creation_timestamp', 'last_updated_timestamp'),
    timestamp: 'last_updated_timestamp',
  },
  orderEntities: [],
};

export const MODEL_VERSIONS: SearchLanguage = {
  entities: [
    {
      name: 'attribute',
      words: ATTRIBUTE_WORDS,
      keys: {
        name: text,
        version_number: number,
        run_id: { value: 'text', operators: [...TEXTUAL, 'IN'] },
        source_path: text,
      },
    },
    tags(text),
  ],
  refusedEntity: attributesAndTags,
  orderAttributes: itself('name', 'version_number', 'creation_timestamp', 'last_updated_timestamp'),
  orderEntities: [],
};
