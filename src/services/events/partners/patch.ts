import { type TSchema, Type } from 'typebox';
import { TagsSchema } from '../../../kernel/arm/index.ts';

/** Body of a PATCH: tags, and the members of the type. */
export const patchSchema = <S extends TSchema>(field: { schema(): S }) =>
  Type.Intersect([Type.Object({ tags: Type.Optional(Type.Union([TagsSchema, Type.Null()])) }), field.schema()]);
