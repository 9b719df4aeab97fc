import { type TSchema, Type } from 'typebox';
import { TagsSchema } from '../../../kernel/arm/index.ts';

/** The body of a PATCH: tags, and what is particular to the type. */
export const patchSchema = <S extends TSchema>(field: { schema(): S }) =>
  Type.Intersect([Type.Object({ tags: Type.Optional(Type.Union([TagsSchema, Type.Null()])) }), field.schema()]);
