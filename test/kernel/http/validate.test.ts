import { type TSchema, Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { findMistake } from '../../../src/kernel/values/find-mistake.ts';

describe('a value that does not fit its schema', () => {
  const many = Array.from({ length: 40 }, (_, i) => `word${i}`);
  const table: readonly (readonly [string, TSchema, unknown, string])[] = [
    ['names the words of an enum', Type.Enum(['a', 'b']), 'x', 'must be "a" or "b"'],
    ['names literals and types of a choice', Type.Union([Type.Literal('a'), Type.Null()]), 'x', 'must be "a" or null'],
    ['names all types of a choice', Type.Union([Type.Number(), Type.Null()]), 'x', 'must be number or null'],
    ['does not recite a long list', Type.Enum(many), 'x', 'must be equal to one of the allowed values'],
  ];
  it.each(table)('%s', async (_title, schema, value, reason) => {
    expect(await findMistake(Type.Object({ mode: schema }), { mode: value })).toEqual({ field: 'mode', reason });
  });

  it('is named by its path, an entry of a list by its number', async () => {
    const entry = Type.Object({ name: Type.String(), 'a/b': Type.Optional(Type.Integer()) });
    const schema = Type.Object({ list: Type.Array(Type.Array(entry)), map: Type.Record(Type.String(), entry) });
    const fields = [
      [{ list: [[{ name: 'a' }, {}]], map: {} }, 'list[0][1].name'],
      [{ list: [[{ name: 'a', 'a/b': 'x' }]], map: {} }, 'list[0][0].a/b'],
      [{ list: [], map: { 0: { name: 1 } } }, 'map.0.name'],
      [{ list: [[]] }, 'map'],
    ] as const;
    for (const [value, field] of fields) expect((await findMistake(schema, value))?.field).toBe(field);
  });
});
