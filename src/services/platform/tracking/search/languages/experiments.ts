import type { SearchLanguage } from '../language.ts';
import { itself, number, optional, tags, text } from './rules.ts';

/** Searches of experiments and of the registry have two entities. */
export const attributesAndTags = (entity: string): string =>
  `Invalid entity type '${entity}'. Valid entity types are ('attribute', 'tag', 'tags')`;

export const EXPERIMENTS: SearchLanguage = {
  entities: [
    {
      name: 'attribute',
      words: ['attribute', 'attributes', 'attr'],
      keys: { name: text, creation_time: number, last_update_time: number },
    },
    tags(optional),
  ],
  refusedEntity: attributesAndTags,
  orderAttributes: itself('name', 'experiment_id', 'creation_time', 'last_update_time'),
  orderEntities: [],
};
