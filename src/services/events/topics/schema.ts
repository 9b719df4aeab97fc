import { Type } from 'typebox';
import { TagsSchema } from '../../../kernel/arm/index.ts';
import { TOPIC_BODY } from './body.ts';

export const BodySchema = TOPIC_BODY.schema();

export const PatchSchema = Type.Intersect([
  Type.Object({ tags: Type.Optional(Type.Union([TagsSchema, Type.Null()])) }),
  BodySchema,
]);

export const KeysSchema = Type.Object({ key1: Type.String(), key2: Type.String() });
